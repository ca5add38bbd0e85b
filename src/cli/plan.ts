import type { CommandModule } from 'yargs';
import type { Plan } from '../run/plan.ts';
import { PROFILES, type Profile } from '../ask/profiles.ts';
import {
  checkPatterns,
  listOf,
  withTargetOptions,
  namedTarget,
  type TargetArguments,
} from './options.ts';

interface PlanArguments extends TargetArguments {
  profile: Profile;
  only: string[] | undefined;
  skip: string[] | undefined;
  'max-requests': number | undefined;
  seed: number;
  json: boolean;
}

/** `assay plan`: what a run will cost, before anything is sent. */
export const planCommand: CommandModule<object, PlanArguments> = {
  command: 'plan',
  describe: 'Say what a run would cost: requests, minutes, share of the monthly quota',
  builder: (yargs) =>
    withTargetOptions(yargs)
      .option('profile', { choices: PROFILES, default: 'standard' as const, describe: 'As of run' })
      .option('only', { type: 'string', array: true, requiresArg: true, describe: 'As of run' })
      .option('skip', { type: 'string', array: true, requiresArg: true, describe: 'As of run' })
      .option('max-requests', { type: 'number', requiresArg: true, describe: 'As of run' })
      .option('seed', { type: 'number', default: 1, describe: 'As of run' })
      .option('json', { type: 'boolean', default: false, describe: 'Print the plan as JSON' })
      .example('$0 plan -t staging.yaml --profile full', 'before spending real requests'),
  handler: async (argv) => {
    const target = await namedTarget(argv);
    const { planRun } = await import('../run/plan.ts');
    const plan = await planRun({
      target,
      profile: argv.profile,
      seed: argv.seed,
      only: checkPatterns('--only', listOf(argv.only)),
      skip: checkPatterns('--skip', listOf(argv.skip)),
      maxRequests: argv['max-requests'] ?? null,
    });
    process.stdout.write(argv.json ? `${JSON.stringify(plan, null, 2)}\n` : text(plan));
  },
};

function text(plan: Plan): string {
  const roles = Object.entries(plan.requests).filter(([, count]) => count > 0);
  const minutes = plan.waitMs / 60_000;
  const lines = [
    `profile ${plan.profile}: ${plan.checks} checks`,
    ...roles.map(
      ([role, count]) => `  ${String(count).padStart(5)} requests with ${keyName(role)}`,
    ),
    ...conditional(plan),
    `rate limit: ${plan.windows} window${plan.windows === 1 ? '' : 's'} with ${plan.validKeys} valid key${plan.validKeys === 1 ? '' : 's'}${plan.busiest === 'restricted' ? ', held up by the restricted key' : ''}, at least ${minutes < 1 ? `${Math.round(plan.waitMs / 1000)} s` : `${minutes.toFixed(1)} min`}`,
    `monthly quota: ${(plan.quotaShare * 100).toFixed(2)} % of each key`,
  ];
  const reasons = new Map<string, string[]>();
  for (const { id, reason } of plan.untested)
    reasons.set(reason, [...(reasons.get(reason) ?? []), id]);
  if (reasons.size > 0) lines.push('not verified:');
  for (const [reason, ids] of reasons) {
    const shown = ids.slice(0, 4).join(', ');
    lines.push(`  ${ids.length} ${reason} (${shown}${ids.length > 4 ? ', …' : ''})`);
  }
  return `${lines.join('\n')}\n`;
}

/** What may come on top, and why. */
function conditional({ conditional: { data, repeat, limiter } }: Plan): string[] {
  const line = (count: number, why: string): string => `  ${String(count).padStart(5)} ${why}`;
  return [
    'with valid keys, on top only where needed, at most',
    line(data, 'for a second look that the data of the target asks for'),
    line(repeat, 'repeats of what failed in passing'),
    line(limiter, 'to see how the limiter counts and refuses'),
  ];
}

const keyName = (role: string): string =>
  role === 'none'
    ? 'no key'
    : role === 'nearQuota'
      ? 'the key near its quota'
      : `a key of role ${role}`;
