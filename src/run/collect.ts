import type { SessionState } from '../ask/session.ts';
import type { Exchange } from '../spec/exchange.ts';
import type { CheckMeta } from '../suite/outcome.ts';
import type { FinishedTest, SuiteListener } from './vitest-runner.ts';

/** One finished check. */
export interface CheckRecord {
  readonly meta: CheckMeta;
  readonly outcome: NonNullable<CheckMeta['outcome']>;
  readonly ms: number;
}

/** Takes the results of checks as they come. Everything it needs travels in the meta of the test. */
export class Collector implements SuiteListener {
  readonly checks: CheckRecord[] = [];
  readonly exchanges: Exchange[] = [];
  session: SessionState | undefined;
  /** Checks that Vitest found, finished or not: counted apart from the results, so that a lost one is noticed. */
  #planned = 0;
  readonly #onCheck: (record: CheckRecord) => void;

  constructor(onCheck: (record: CheckRecord) => void = () => undefined) {
    this.#onCheck = onCheck;
  }

  onCollected(tests: number): void {
    this.#planned += tests;
  }

  onFinished(test: FinishedTest): void {
    const { meta, ms } = test;
    if (meta === undefined) return;
    const outcome = meta.outcome ?? missingOutcome(test);
    const record = { meta, outcome, ms };
    this.checks.push(record);
    this.#onCheck(record);
  }

  onClosed(exchanges: readonly Exchange[], session: SessionState): void {
    this.exchanges.push(...exchanges);
    this.session = session;
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
}

/** Why a check has no outcome after Ctrl-C. */
export const WAS_INTERRUPTED = 'the run was interrupted';

/** A check that ended without an outcome: it failed before it could judge, or the run was interrupted. */
function missingOutcome({ state, error }: FinishedTest): CheckRecord['outcome'] {
  return state === 'failed'
    ? { kind: 'error', reason: String(error) }
    : { kind: 'inconclusive', reason: WAS_INTERRUPTED };
}
