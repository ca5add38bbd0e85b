// A plan predicts the requests of a run: each of these is planned, then run against the reference server over the network.
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Cost } from '../../src/run/cost.ts';
import type { PlanOptions } from '../../src/run/plan.ts';
import { cleanEnvironment } from '../kept/environment.ts';
import { runKept } from '../kept/run-kept.ts';

const worker = fileURLToPath(new URL('plan-worker.mjs', import.meta.url));

/** What is planned, or run. */
interface Told {
  readonly requests: Readonly<Record<string, number>>;
  readonly checks: number;
  readonly untested: readonly { readonly id: string; readonly reason: string }[];
}

interface AllTold {
  readonly plan: Told;
  /** Null when only a plan is requested. */
  readonly run: Told | null;
  /** Cost in the plan, and cost counted before the run. */
  readonly cost: Cost;
  readonly counted: Cost;
}

/** `keys`: of a target file; without them it is the embedded reference server. `plansOnly`: and runs nothing. */
type Case = Partial<Omit<PlanOptions, 'target'>> & {
  readonly keys?: object;
  readonly plansOnly?: true;
};

const ONE_KEY = { valid: ['one-valid-key-000001'] };
const SOME_KEYS = {
  valid: ['one-valid-key-000001', 'one-valid-key-000002', 'one-valid-key-000003'],
  disabled: 'one-disabled-key-0001',
  nearQuota: { key: 'one-quota-key-000001', remaining: 5 },
};

/** The substitute has eight of them. */
const MANY_KEYS = { valid: Array.from({ length: 12 }, (_, index) => `one-valid-key-0001${index}`) };

const CASES: Readonly<Record<string, Case>> = {
  'the whole of standard': {},
  smoke: { profile: 'smoke' },
  'one key, full': { keys: ONE_KEY, profile: 'full' },
  'keys of some roles': { keys: SOME_KEYS, only: ['5', '8'] },
  'more keys than the reference server has': { keys: MANY_KEYS, only: ['4.3'] },
  'few requests, not for some sections, with another seed': {
    maxRequests: 40,
    skip: ['4.2', '4.4', '5/*'],
    seed: 7,
  },
  'not quite enough requests': { maxRequests: 60, profile: 'full', keys: ONE_KEY },
  'what needs time to pass': { only: ['4.4/t1-completes', '4/other-methods'] },
};

/** In another process, because checks run as tests and cannot run within a test. */
async function told(cases: readonly Case[]): Promise<readonly AllTold[]> {
  const job = { program: worker, cwd: import.meta.dirname, env: cleanEnvironment() };
  const { stdout } = await runKept({ ...job, args: [JSON.stringify(cases)] });
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as AllTold);
}

describe('a plan', () => {
  let all: readonly AllTold[] = [];
  let first: AllTold | undefined;
  beforeAll(async () => {
    // One of them twice, in a row, because results depend on the hour.
    [first, ...all] = await told([{ plansOnly: true, profile: 'smoke' }, ...Object.values(CASES)]);
  });

  it.each(Object.entries(CASES).map(([name, one], index) => [name, one, index] as const))(
    'tells what a run does: %s',
    async (_, one, index) => {
      const once = all[index];
      // If the machine stalls for a window, a run has to probe the limiter again.
      const isStarved = (once?.run?.requests['valid'] ?? 0) > (once?.plan.requests['valid'] ?? 0);
      const { plan, run, cost, counted } = (isStarved ? (await told([one]))[0] : once) ?? {};
      expect((plan?.checks ?? 0) + (plan?.untested.length ?? 0)).toBeGreaterThan(0);
      expect(plan).toEqual(run);
      // Counting judges nothing, and must not miss a request because of that.
      expect(counted).toEqual(cost);
    },
  );

  it('counts the windows for the number of keys', () => {
    const { cost } =
      all[Object.keys(CASES).indexOf('more keys than the reference server has')] ?? {};
    expect(cost?.validKeys).toBe(12);
    const { valid = 0 } = cost?.requests ?? {};
    expect(cost?.quotaShare).toBeCloseTo(valid / 12 / 100_000, 10);
  });

  it('is the same every time', () => {
    expect(first?.plan).toBeDefined();
    expect(first?.plan).toEqual(all[Object.keys(CASES).indexOf('smoke')]?.plan);
  });
});
