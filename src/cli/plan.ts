import path from 'node:path';
import { COVERED_DATA } from '../report/analysis/variety.ts';
import { earlierRuns } from '../run/history.ts';
import { planRun, type Plan, type PlanOptions } from '../run/plan.ts';
import type { Target } from '../target/target.ts';
import { groupBy } from '../text/group-by.ts';
import { oneLine, plural, some } from '../text/text.ts';
import { PROFILES } from '../ask/profiles.ts';
import { commandBody, toggle, number, string, strings } from './command.ts';
import { withEnvironment } from './config.ts';
import { namedTarget, patternsOf, TARGET_OPTIONS } from './options.ts';
import { checkChoices, seedOf } from './run/choices.ts';
import { lastFailedOption, lastOf } from './run/last-failed.ts';
import { windowWords } from './run/run-progress.ts';

/** `assay plan`: what a run would cost, without sending anything. */
export const planCommand = commandBody({
  options: {
    ...TARGET_OPTIONS,
    profile: { choices: PROFILES, describe: 'Same as for run; default: standard' },
    only: strings('Same as for run'),
    skip: strings('Same as for run'),
    'max-requests': number('Same as for run'),
    seed: number('Same as for run'),
    rotate: toggle('Same as for run'),
    'last-failed': lastFailedOption('Same as for run'),
    output: string(
      'Report folder of the run; runs in its parent folder show what was tested before',
      { alias: 'o' },
    ),
    json: toggle('Print the plan as JSON'),
  },
  examples: {
    '$0 plan -t staging.yaml --profile full': 'see the cost before spending requests',
  },
  handler: async (given) => {
    const argv = withEnvironment(given, ['target', 'profile', 'skip', 'output']);
    checkChoices(argv);
    const target = namedTarget(argv);
    const output = argv.output ?? path.join('reports', 'next');
    const last = await lastOf(argv, output, target);
    const plan = await planRun({
      target,
      profile: argv.profile ?? last?.profile ?? 'standard',
      seed: seedOf(argv, last),
      only: last?.only ?? patternsOf('--only', argv.only),
      skip: patternsOf('--skip', argv.skip),
      maxRequests: argv['max-requests'] ?? null,
      earlier: await earlierOf(target, output),
    });
    process.stdout.write(
      argv.json
        ? `${JSON.stringify(plan, null, 2)}\n`
        : planText(plan, target === null || target.clock !== undefined),
    );
  },
});

/** What earlier runs of a target in a folder and its siblings covered, newest first. */
async function earlierOf(
  target: Target | null,
  output: string,
): Promise<NonNullable<PlanOptions['earlier']>> {
  // The embedded server is a new one each time.
  if (target === null) return [];
  const runs = [];
  // There is no current run yet whose folder would have to be excluded.
  const noFolder = path.join(path.dirname(path.resolve(output)), '.none');
  for await (const { coverage } of earlierRuns(noFolder, target.baseUrl)) runs.push(coverage);
  return runs;
}

const MOST_NAMES = 4;

const namesOf = (names: readonly string[]): string =>
  some(
    names.map((name) => oneLine(name, 40)),
    MOST_NAMES,
  );

/** The fixtures of the run, one line per kind, and what earlier runs have not covered. */
function looks({ looksAt, earlierRuns: runs, seed }: Plan): string[] {
  const lines = looksAt.map(({ kind, count, at, of, notYet }) => {
    const all = of === null ? '' : ` of ${of}`;
    const names = at.length === 0 ? '' : `: ${namesOf(at)}`;
    const left =
      notYet === null || notYet.length === 0
        ? ''
        : `; ${notYet.length} not tested yet: ${namesOf(notYet)}`;
    return `  ${COVERED_DATA[kind].padEnd(14)}${count}${all}${names}${left}`;
  });
  if (lines.length === 0) return [];
  const before = runs === 0 ? '' : `, after ${plural(runs, 'earlier run')} against this target`;
  return [`fixtures with seed ${seed}${before}:`, ...lines];
}

/** @param moved whether the target's clock is advanced instead of waiting */
function planText(plan: Plan, moved: boolean): string {
  const roles = Object.entries(plan.requests).filter(([, count]) => count > 0);
  const lines = [
    `profile ${plan.profile}: ${plan.checks} checks`,
    ...roles.map(
      ([role, count]) =>
        `  ${String(count).padStart(5)} request${count === 1 ? '' : 's'} with ${keyName(role)}`,
    ),
    ...conditional(plan),
    `rate limit: ${windowWords(plan, moved)}`,
    `monthly quota: ${(plan.quotaShare * 100).toFixed(2)} % per key`,
  ];
  lines.push(...looks(plan));
  if (plan.untested.length > 0) lines.push('not verified:');
  for (const [reason, all] of groupBy(plan.untested, (one) => one.reason)) {
    const ids = all.map(({ id }) => id);
    lines.push(`  ${all.length} ${reason} (${some(ids, MOST_NAMES)})`);
  }
  return `${lines.join('\n')}\n`;
}

function conditional({ requests, conditional: { data, repeat, limiter } }: Plan): string[] {
  if (data + repeat + limiter === 0) return [];
  const line = (count: number, why: string): string => `  ${String(count).padStart(5)} ${why}`;
  return [
    'at most these additional requests with valid keys, only if needed:',
    line(data, "follow-ups that depend on the target's data"),
    line(repeat, 'retries after transient failures'),
    line(limiter, 'to test how the rate limiter counts and rejects'),
    ...(requests.restricted === undefined
      ? []
      : ['and with the restricted key up to two more windows, if one ends before it is used up']),
  ];
}

const keyName = (role: string): string =>
  role === 'none' ? 'no key' : role === 'nearQuota' ? 'the near-quota key' : `key role ${role}`;
