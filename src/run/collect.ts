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

/** Collects the results of checks, which arrive in the meta of their tests. */
export class Collector implements SuiteListener {
  readonly checks: CheckRecord[] = [];
  readonly exchanges: Exchange[] = [];
  session: SessionState | undefined;
  /** Checks that Vitest found, counted independently of the results to detect lost ones. */
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
   * Asserts that every planned check has finished, so that none is skipped silently.
   * @throws Error when the numbers differ, or when there were no checks
   */
  assertComplete(): void {
    const finished = this.checks.length;
    if (finished === this.#planned && finished > 0) return;
    throw new Error(
      `Only ${finished} of ${this.#planned} planned checks have finished. This is a bug in Assay, not in the target.`,
    );
  }
}

/** Reason of checks without an outcome after Ctrl-C. */
export const WAS_INTERRUPTED = 'the run was interrupted';

/** Outcome of a check without one: it failed before it could judge, or the run was interrupted. */
function missingOutcome({ state, error }: FinishedTest): CheckRecord['outcome'] {
  return state === 'failed'
    ? { kind: 'error', reason: String(error) }
    : { kind: 'inconclusive', reason: WAS_INTERRUPTED };
}
