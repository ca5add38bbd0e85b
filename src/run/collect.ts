import type { Reporter, TestCase } from 'vitest/node';
import type { Exchange } from '../contract/exchange.ts';
import type { CheckMeta } from '../suite/outcome.ts';

/** One finished check. */
export interface CheckRecord {
  readonly meta: CheckMeta;
  readonly outcome: NonNullable<CheckMeta['outcome']>;
  readonly ms: number;
}

/** Takes the results of checks as they come. Everything it needs travels in the meta of the test. */
export class Collector {
  readonly checks: CheckRecord[] = [];
  readonly exchanges: Exchange[] = [];
  session: CheckMeta['session'];
  /** Checks that Vitest found, finished or not: counted apart from the results, so that a lost one is noticed. */
  #planned = 0;
  readonly reporter: Reporter;
  readonly #onCheck: (record: CheckRecord) => void;

  constructor(onCheck: (record: CheckRecord) => void = () => undefined) {
    this.#onCheck = onCheck;
    this.reporter = {
      onTestModuleCollected: (module) => {
        this.#planned += [...module.children.allTests()].length;
      },
      onTestCaseResult: (test) => this.#finished(test),
    };
  }

  /**
   * Asserts that every check that was found has come out, so that none is silently not run (design section 1).
   * @throws Error when the numbers differ, or when there was nothing to run
   */
  assertComplete(): void {
    const finished = this.checks.length;
    if (finished === this.#planned && finished > 0) return;
    throw new Error(
      `Of ${this.#planned} planned checks ${finished} came out. This is a defect of Assay, not of the target.`,
    );
  }

  #finished(test: TestCase): void {
    const meta = test.meta().assay;
    if (meta === undefined) return;
    const result = test.result();
    const outcome = meta.outcome ?? missingOutcome(result);
    if (meta.exchanges !== undefined) this.exchanges.push(...meta.exchanges);
    if (meta.session !== undefined) this.session = meta.session;
    const record = { meta, outcome, ms: test.diagnostic()?.duration ?? 0 };
    this.checks.push(record);
    this.#onCheck(record);
  }
}

/** A check that ended without an outcome: it failed before it could judge, or the run was interrupted. */
function missingOutcome(result: ReturnType<TestCase['result']>): CheckRecord['outcome'] {
  return result.state === 'failed'
    ? { kind: 'error', reason: String(result.errors[0]?.message) }
    : { kind: 'inconclusive', reason: 'the run was interrupted' };
}
