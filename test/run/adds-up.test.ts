// A run ends as a bug in Assay when a check is lost between the plan and the results.
import { describe, expect, it } from 'vitest';
import type { RequirementId } from '../../src/spec/requirement-id.ts';
import type { Results } from '../../src/report/model/results.ts';
import { run } from '../../src/run/run.ts';
import type { FinishedTest } from '../../src/run/collect.ts';
import { resolveTarget } from '../../src/target/file/resolve-target.ts';

const passed = (requirement: string): FinishedTest => ({
  // One of them is not in the catalogue.
  meta: {
    requirement: requirement as RequirementId,
    check: 'a check',
    profile: 'standard',
    outcome: { kind: 'passed', reason: null },
  },
  error: null,
  ms: 1,
});

/** A run of suites that plan `checks` checks and complete those of `requirements`. */
async function runOf(checks: number, requirements: readonly string[]): Promise<Results> {
  return run({
    target: resolveTarget({
      env: {},
      file: { baseUrl: 'http://t.test', keys: { valid: ['key-of-a-test'] } },
    }),
    reference: false,
    profile: 'standard',
    seed: 1,
    only: [],
    skip: [],
    maxRequests: null,
    path: null,
    failOn: ['must'],
    runner: async ({ listener }) => {
      listener.onCollected(checks);
      for (const requirement of requirements) listener.onFinished(passed(requirement));
      return 'finished';
    },
  });
}

describe('the checks of a run', () => {
  it('are in its results exactly once', async () => {
    const { requirements } = await runOf(3, ['4.3/order', '4.3/order', '8/reset']);
    expect(requirements.flatMap(({ checks }) => checks)).toHaveLength(3);
  });

  it('are complete as planned', async () => {
    await expect(runOf(3, ['4.3/order'])).rejects.toThrow(
      'Only 1 of 3 planned checks have finished',
    );
  });

  it('belong to requirements of the catalogue', async () => {
    await expect(runOf(2, ['4.3/order', '4.3/no-such'])).rejects.toThrow(
      '1 of 2 checks are in the results; unknown requirements: 4.3/no-such. This is a bug in Assay',
    );
  });
});
