// A run ends as a fault of Assay itself when a check got lost between the plan and the results.
import { describe, expect, it } from 'vitest';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import type { Results } from '../../src/report/results.ts';
import { run } from '../../src/run/run.ts';
import { resolveTarget } from '../../src/target/resolve-target.ts';

const planned = (checks: number): TestModule =>
  ({
    children: { allTests: () => Array.from({ length: checks }, () => ({})) },
  }) as unknown as TestModule;

const passed = (requirement: string): TestCase =>
  ({
    meta: () => ({ assay: { requirement, outcome: { kind: 'passed' } } }),
    result: () => ({ state: 'passed' }),
    diagnostic: () => ({ duration: 1 }),
  }) as unknown as TestCase;

/** A run of suites that plan `checks` checks, of which those of `requirements` come out. */
async function runOf(checks: number, requirements: readonly string[]): Promise<Results> {
  const report = (reporter: Reporter): void => {
    void reporter.onTestModuleCollected?.(planned(checks));
    for (const requirement of requirements) void reporter.onTestCaseResult?.(passed(requirement));
  };
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
    runner: async ({ reporter }) => {
      report(reporter);
      return 'finished';
    },
  });
}

describe('the checks of a run', () => {
  it('stand in its results, each once', async () => {
    const { requirements } = await runOf(3, ['4.3/order', '4.3/order', '8/reset']);
    expect(requirements.flatMap(({ checks }) => checks)).toHaveLength(3);
  });

  it('that were planned all come out', async () => {
    await expect(runOf(3, ['4.3/order'])).rejects.toThrow('Of 3 planned checks 1 came out');
  });

  it('are bound to requirements of the catalogue', async () => {
    await expect(runOf(2, ['4.3/order', '4.3/no-such'])).rejects.toThrow(
      'Of 2 checks 1 stand in the results; of no known requirement: 4.3/no-such. This is a defect of Assay',
    );
  });
});
