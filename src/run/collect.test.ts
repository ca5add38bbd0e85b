import { describe, expect, it } from 'vitest';
import type { TestCase, TestModule } from 'vitest/node';
import { Collector } from './collect.ts';

const module = (checks: number) =>
  ({
    children: { allTests: () => Array.from({ length: checks }, () => ({})) },
  }) as unknown as TestModule;

const PASSED = { requirement: '4.3/holidays', outcome: { kind: 'passed' } };

const finished = (assay: unknown) =>
  ({
    meta: () => ({ assay }),
    result: () => ({ state: 'passed' }),
    diagnostic: () => ({ duration: 1 }),
  }) as unknown as TestCase;

function collected(...modules: readonly (readonly [planned: number, done: number])[]): Collector {
  const collector = new Collector();
  for (const [planned, done] of modules) {
    collector.reporter.onTestModuleCollected?.(module(planned));
    for (let index = 0; index < done; index += 1) {
      collector.reporter.onTestCaseResult?.(finished(PASSED));
    }
  }
  return collector;
}

describe('the number of checks', () => {
  it('is that of the plan when all came out', () => {
    expect(() => collected([2, 2], [1, 1]).assertComplete()).not.toThrow();
  });

  it('tells that one got lost', () => {
    expect(() => collected([2, 2], [3, 2]).assertComplete()).toThrow(
      'Of 5 planned checks 4 came out',
    );
  });

  it('tells that one came without its record', () => {
    const collector = collected([2, 1]);
    collector.reporter.onTestCaseResult?.(finished(undefined));
    expect(() => collector.assertComplete()).toThrow('Of 2 planned checks 1 came out');
  });

  it('is never nothing', () => {
    expect(() => collected().assertComplete()).toThrow('Of 0 planned checks 0 came out');
  });
});
