import { parseArgs } from 'node:util';
import type { RequirementId } from '../contract/requirements.ts';
import { requirementOf } from '../contract/requirements.ts';
import type { Fault } from '../reference/faults/fault.ts';
import { listFaults, listLoadFaults, listVariants } from '../reference/catalog.ts';
import type { LoadResult } from '../report/load-results.ts';
import { startEmbedded } from './embedded.ts';
import { embeddedOptions } from './embedded-options.ts';
import { findK6 } from './find-k6.ts';
import type { K6 } from './find-k6.ts';
import { runLoad } from './load.ts';
import type { ScenarioName } from './plan.ts';

/**
 * Proves that the load scenarios can be trusted: every faulty limiter is caught by a scenario, and the correct limiter
 * and every allowed variant of it pass, several times in a row. Ends with 1 when one survives or is wronged.
 */

const WINDOW_MS = 2500;

/** Scenarios that may show a violation of a requirement, the quickest first. */
const CATCHERS: readonly (readonly [pattern: RegExp, scenarios: readonly ScenarioName[]])[] = [
  [/^8\/quota/, ['quota']],
  [/^8\/per-key$/, ['rl-exact-multi']],
  [/^8\/reset$/, ['rl-retry-after', 'rl-recovery', 'rl-exact']],
  [/^8\//, ['rl-headers', 'rl-exact', 'rl-recovery', 'rl-retry-after', 'rl-boundary', 'smoke']],
  [/^4\//, ['rl-exact', 'mix']],
];

/** What a correct limiter must pass; for variants, the four that differ most. */
const CORRECT: readonly ScenarioName[] = [
  'smoke',
  'rl-headers',
  'rl-exact',
  'rl-exact-multi',
  'rl-boundary',
  'rl-algorithm',
  'rl-retry-after',
  'rl-isolation',
  'rl-recovery',
  'rl-flood',
  'quota',
  'mix',
];
const OF_VARIANTS: readonly ScenarioName[] = [
  'rl-exact',
  'rl-boundary',
  'rl-recovery',
  'rl-retry-after',
  'quota',
];

/** Variants that only make sense with a window of a minute: they announce times of their own. */
const UNSCALED: ReadonlySet<string> = new Set(['sliding-window-later-reset']);

async function once(
  k6: K6,
  scenario: ScenarioName,
  change: { readonly faults?: readonly string[]; readonly variants?: readonly string[] },
): Promise<LoadResult> {
  const settings = { windows: scenario === 'rl-exact' ? 2 : undefined };
  const server = await startEmbedded(
    embeddedOptions(scenario, settings, { windowMs: WINDOW_MS, ...change }),
  );
  try {
    return await runLoad({
      scenario,
      settings,
      target: server.target,
      k6,
      command: `assay load ${scenario}`,
      allowRemote: false,
    });
  } finally {
    await server.close();
  }
}

/** Noise of a busy machine ends in no verdict; that is asked again, a verdict never is. */
async function decided(...args: Parameters<typeof once>): Promise<LoadResult> {
  let result = await once(...args);
  for (let again = 0; again < 2 && result.outcome === 'inconclusive'; again += 1) {
    result = await once(...args);
  }
  return result;
}

function catchersOf(kills: readonly RequirementId[]): ScenarioName[] {
  const scenarios = kills.flatMap(
    (id) => CATCHERS.find(([pattern]) => pattern.test(id))?.[1] ?? [],
  );
  return [...new Set(scenarios)];
}

/** The scenario that catches the fault, with the requirement; undefined when none does. */
async function caughtBy(k6: K6, fault: Fault): Promise<string | undefined> {
  const kills = fault.kills as readonly string[];
  for (const scenario of catchersOf(fault.kills)) {
    const { requirements } = await decided(k6, scenario, { faults: [fault.id] });
    const hit = requirements.find(
      ({ id, outcome }) => (outcome === 'failed' || outcome === 'warned') && kills.includes(id),
    );
    if (hit !== undefined) return `${scenario} (${hit.id})`;
  }
  return undefined;
}

/** Faults of the limiter and the quota; a requirement of level observe cannot be violated. */
function faultsToCatch(): Fault[] {
  const limiter = listFaults().filter(({ kills }) =>
    kills.some((id) => id.startsWith('8/') && requirementOf(id).level !== 'observe'),
  );
  return [...listLoadFaults(), ...limiter];
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      repeat: { type: 'string', default: '3' },
      only: { type: 'string', multiple: true, default: [] },
    },
  });
  const selected = (id: string): boolean =>
    values.only.length === 0 || values.only.some((part) => id.includes(part));
  const k6 = await findK6({ install: true, say });
  say(`k6 ${k6.version} (${k6.source}), windows of ${WINDOW_MS} ms`);
  let bad = 0;
  let good = 0;
  for (const fault of faultsToCatch()) {
    if (!selected(fault.id)) continue;
    const by = await caughtBy(k6, fault);
    if (by === undefined) bad += 1;
    else good += 1;
    say(`${by === undefined ? 'SURVIVED' : 'caught  '} ${fault.id}: ${by ?? fault.title}`);
  }
  const kinds = [
    { id: 'correct', variants: [] as string[], scenarios: CORRECT },
    ...listVariants()
      .filter(({ section, id }) => section === '8' && !UNSCALED.has(id))
      .map(({ id }) => ({ id, variants: [id], scenarios: OF_VARIANTS })),
  ];
  for (const { id, variants, scenarios } of kinds) {
    if (!selected(id)) continue;
    for (const scenario of scenarios) {
      for (let time = 1; time <= Number(values.repeat); time += 1) {
        const { outcome, reason } = await decided(k6, scenario, { variants });
        if (outcome === 'passed') good += 1;
        else bad += 1;
        const text = outcome === 'passed' ? 'passed  ' : outcome.toUpperCase();
        say(`${text} ${id}: ${scenario} ${time}${outcome === 'passed' ? '' : ` ${reason}`}`);
      }
    }
  }
  say(`${good} as expected, ${bad} not`);
  return bad === 0 && good > 0 ? 0 : 1;
}

process.exitCode = await main();
