// Plans runs, and does them: `node plan-worker.mjs '[{"profile":"smoke"}]'` prints a line for each with what plan and run say.
import { planningTime, startEmbedded } from '../../dist/src/run/embedded.js';
import { costOfRun } from '../../dist/src/run/cost.js';
import { planRun } from '../../dist/src/run/plan.js';
import { run as runSuites } from '../../dist/src/run/run.js';
import { createWorld } from '../../dist/src/reference/data/world.js';
import { resolveTarget } from '../../dist/src/target/file/resolve-target.js';

/** Data of the reference server, made once: they are the same for every plan and every run. */
const world = createWorld(1);

const DEFAULTS = { profile: 'standard', seed: 1, only: [], skip: [], maxRequests: null };

/** The run that is planned, over the network and judged whole, on a server with the keys that the target has. */
async function done(target, asked) {
  const embedded = await startEmbedded({ now: planningTime(), world });
  try {
    const issued = embedded.target.keys;
    const given = target?.keys ?? issued;
    const roles = Object.keys(given).filter((role) => given[role] !== undefined);
    const kept = Object.fromEntries(roles.map((role) => [role, issued[role]]));
    const valid = issued.valid.slice(0, given.valid.length);
    return await runSuites({
      ...asked,
      target: { ...embedded.target, keys: { ...kept, valid } },
      reference: true,
      failOn: ['must'],
    });
  } finally {
    await embedded.close();
  }
}

const leftOut = ({ cause }) =>
  cause?.kind === 'not-selected' && (cause.by === 'only' || cause.by === 'skip');

/** @param isNamed whether the run is planned for a target whose data a rehearsal cannot know */
function said({ requests, requirements }, isNamed) {
  // The run's own checks, without the entries for what the checks of other requirements showed.
  const checks = requirements
    .flatMap((requirement) => requirement.checks)
    .filter(({ title }) => title !== 'in responses to requests of other checks');
  return {
    requests: requests.byRole,
    checks: checks.filter(({ outcome }) => outcome !== 'untested').length,
    untested: requirements
      .filter((requirement) => requirement.outcome === 'untested' && !leftOut(requirement))
      .map(({ id, reason, cause }) => {
        const perhaps = isNamed && ['data', 'time'].includes(cause?.kind);
        return { id, reason: perhaps ? 'perhaps' : reason };
      }),
  };
}

for (const options of JSON.parse(process.argv[2])) {
  const { keys, plansOnly = false, ...asked } = { ...DEFAULTS, ...options };
  const file = { baseUrl: 'http://127.0.0.1:1/v1', keys };
  const target = keys === undefined ? null : resolveTarget({ env: {}, file });
  const planned = await planRun({ ...asked, target, world });
  const { requests, checks, untested } = planned;
  const short = ({ id, reason }) => ({ id, reason: reason.replace(/^unknown: .*/, 'perhaps') });
  const plan = { requests, checks, untested: untested.map(short) };
  const counted = await costOfRun({ ...asked, target, world });
  const cost = Object.fromEntries(Object.keys(counted).map((name) => [name, planned[name]]));
  const run = plansOnly ? null : said(await done(target, asked), target !== null);
  process.stdout.write(`${JSON.stringify({ plan, run, cost, counted })}\n`);
}
