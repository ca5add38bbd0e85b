import { requirementJudgedBy } from '../../requirements/judging.ts';
import type { Criterion } from '../../rules/criterion.ts';
import { LIMIT_ADMISSION } from '../../../suites/8-limits/admission.ts';
import { LIMIT_EARLY } from '../../../suites/8-limits/early.ts';
import { LIMIT_PER_KEY } from '../../../suites/8-limits/per-key.ts';
import type { Exchange } from '../../contract/exchange.ts';
import type { Finding } from '../../contract/finding.ts';
import { RESET_TOLERANCE_MS } from '../../contract/limits.ts';
import type { RequirementId } from '../../contract/requirement-id.ts';
import { leftByWeight } from '../../../suites/8-limits/early.ts';

/** What became of one request at the limiter. `unclear`: another error or no answer, which may or may not have counted. */
export interface Counted {
  /** Place of the key in the pool. */
  readonly key: number;
  /** The target dealt with it between these times of its own clock, epoch ms. */
  readonly from: number;
  readonly to: number;
  readonly outcome: 'admitted' | 'refused' | 'unclear';
  /** Figures of the headers; null where they are missing. */
  readonly reset: number | null;
  readonly remaining: number | null;
  readonly exchange: Exchange;
}

export interface LimiterModelOptions {
  /** Requests of one key that a window admits. */
  readonly requests: number;
  readonly windowMs: number;
  /** How far the time of the target may be off, ms. */
  readonly toleranceMs: number;
  /** True when nobody else uses the keys, as on a test target. */
  readonly alone: boolean;
  /** True when figures show requests on the keys that were not ours, or a count that keys share. */
  readonly shared: boolean;
  /** False when no clock is known to be that of the limiter. */
  readonly timed: boolean;
}

/** What the model says about requests that were sent together. */
export interface Opinion {
  readonly judged: readonly RequirementId[];
  readonly finding: Finding | null;
}

/**
 * The limiter as §8 states it, one window a key: it knows what must be admitted and what must be refused whichever kind
 * of window the target has, and whether refused requests count or not (ruling 13). In between it takes either answer.
 */
export class LimiterModel {
  readonly #options: LimiterModelOptions;
  readonly #history: Counted[] = [];

  constructor(options: LimiterModelOptions) {
    this.#options = options;
  }

  /** Takes note of a request that the model did not ask for. */
  add(counted: Counted): void {
    this.#history.push(counted);
  }

  /** Requests of a key that were admitted in the window that its last answer announces. */
  admittedInWindow(key: number): number {
    const reset = this.#history.findLast((one) => one.key === key)?.reset ?? null;
    return reset === null ? 0 : this.#admittedBefore(key, reset).length;
  }

  /** Judges requests of one key that were sent together, and takes note of them. */
  judge(batch: readonly Counted[]): Opinion {
    const early = this.#early(batch);
    this.#history.push(...batch);
    const excess = this.#excess(batch);
    return {
      judged: [...new Set([...early.judged, ...excess.judged])],
      finding: early.finding ?? excess.finding,
    };
  }

  /** What must be admitted: as many as the limit leaves of the requests of one window length, whether counted or not. */
  #early(batch: readonly Counted[]): Opinion {
    const [first] = batch;
    if (first === undefined) return NOTHING;
    const { requests, windowMs, toleranceMs } = this.#options;
    const from = Math.min(...batch.map((one) => one.from));
    const recent = this.#history.filter((one) => one.to >= from - windowMs - toleranceMs);
    const own = recent.filter(({ key }) => key === first.key).length;
    const others = recent.length - own;
    const again = this.#isAfterReset(first.key, from);
    const least = Math.max(Math.min(batch.length, requests - own), again ? 1 : 0);
    if (least < 1) return NOTHING;
    const judged: RequirementId[] = [
      ...(least > (again ? 1 : 0) ? [ID.notEarly] : []),
      ...(again ? [ID.reset] : []),
      ...(own < requests && own + others >= requests ? [ID.perKey] : []),
    ];
    const refused = batch.filter(({ outcome }) => outcome === 'refused');
    const [refusal] = refused;
    const admitted = batch.length - refused.length;
    if (refusal === undefined || admitted >= least) return { judged, finding: null };
    if (!this.#options.alone && this.#isUsedByOthers(refusal, batch)) return NOTHING;
    if (!again && admitted >= this.#leftByWeight(first.key, from)) return NOTHING;
    const culprit = again
      ? this.#culpritAfterReset(first.key)
      : this.#culprit(own, others, admitted);
    if (culprit === null) return NOTHING;
    // Somebody else who is seen now and then may just have been here.
    if (this.#options.shared && culprit !== 'perKey') return NOTHING;
    return {
      judged,
      finding: {
        requirement: ID[culprit],
        message: MESSAGES[culprit](own, others),
        expected: `at least ${least} of ${batch.length} admitted, the limit being ${requests}`,
        actual: `${admitted} admitted`,
        pointer: null,
        exchange: refusal.exchange.id,
      },
    };
  }

  /**
   * Whether a refusal that came too early is due to the requests of other keys: when no more is admitted than one limit
   * for all keys would leave. Null when there are too few of them to tell that from a limit that is a little too low.
   */
  #culprit(own: number, others: number, admitted: number): 'perKey' | 'notEarly' | null {
    const { requests } = this.#options;
    if (others === 0 || admitted > Math.max(0, requests - own - others)) {
      return 'notEarly';
    }
    return others >= TELLING && own <= requests - TELLING ? 'perKey' : null;
  }

  /** A refusal after the reset is due to other keys when they have used up the new window. */
  #culpritAfterReset(key: number): 'perKey' | 'reset' {
    const reset = this.#history.findLast((one) => one.key === key)?.reset ?? 0;
    const others = this.#history.filter((one) => one.key !== key && one.to >= reset).length;
    return others >= this.#options.requests - TELLING ? 'perKey' : 'reset';
  }

  /** What a weighted counter would leave. */
  #leftByWeight(key: number, from: number): number {
    const own = this.#history.filter((one) => one.key === key && one.outcome !== 'refused');
    const left = leftByWeight(own, from, this.#options, this.#options.toleranceMs);
    return Math.max(0, Math.floor(left));
  }

  /** True for the first requests of a key after the reset that its last refusal announced. */
  #isAfterReset(key: number, from: number): boolean {
    const last = this.#history.findLast((one) => one.key === key);
    if (last?.outcome !== 'refused' || last.reset === null) return false;
    const { toleranceMs, windowMs } = this.#options;
    const credible = last.reset <= last.to + windowMs + toleranceMs;
    // Without a clock that is right, the reset is over when a whole window is.
    const end = this.#options.timed ? last.reset : last.to + windowMs;
    return credible && from > end + toleranceMs;
  }

  /** The figures say that more was used up than we sent, or do not say enough to rule it out. */
  #isUsedByOthers(refusal: Counted, batch: readonly Counted[]): boolean {
    const told = [...this.#history, ...batch].filter(
      ({ key, reset, remaining, outcome }) =>
        key === refusal.key &&
        isClose(reset, refusal.reset) &&
        remaining !== null &&
        outcome === 'admitted',
    );
    const [first] = told;
    if (refusal.reset === null || first === undefined) return true;
    const sent = this.#history.filter(
      ({ to }) => to >= first.from - this.#options.windowMs && to <= first.to,
    ).length;
    return this.#options.requests - (first.remaining ?? 0) > sent + batch.length;
  }

  #admittedBefore(key: number, reset: number): readonly Counted[] {
    return this.#history.filter(
      (one) => one.key === key && isClose(one.reset, reset) && one.outcome === 'admitted',
    );
  }

  /** What must be refused: more than the limit in one announced window, or more than two windows can hold. */
  #excess(batch: readonly Counted[]): Opinion {
    const { requests, windowMs, toleranceMs } = this.#options;
    const judged: RequirementId[] = [];
    for (const { key, reset, outcome } of batch) {
      const announced = reset === null ? [] : this.#admittedBefore(key, reset);
      if (outcome === 'refused' && announced.length >= requests) judged.push(ID.enforced);
      const admitted = this.#history.filter((one) => one.key === key && one.outcome === 'admitted');
      const together = (some: readonly Counted[]): readonly Counted[] => {
        const last = Math.max(...some.map((one) => one.to));
        return some.filter((one) => last - one.from < windowMs - toleranceMs);
      };
      const inOne = together(announced);
      const inTwo = together(admitted);
      const extra = inOne[requests] ?? inTwo[2 * requests];
      if (extra === undefined) continue;
      const [number, most] =
        inOne.length > requests ? [inOne.length, requests] : [inTwo.length, 2 * requests];
      return {
        judged: [ID.enforced],
        finding: {
          requirement: ID.enforced,
          message: `${number} requests of one key were admitted ${most === requests ? 'before one announced reset' : `within ${windowMs} ms`}`,
          expected: `at most ${most}`,
          actual: `${number} admitted`,
          pointer: null,
          exchange: extra.exchange.id,
        },
      };
    }
    return { judged, finding: null };
  }
}

/** The requirement that a criterion judges: every one of the limiter has one. */
function idOf(criterion: Criterion): RequirementId {
  const id = requirementJudgedBy(criterion);
  if (id === undefined) throw new TypeError(`no requirement is judged by ${criterion.name}`);
  return id;
}

const ID = {
  enforced: idOf(LIMIT_ADMISSION.limitEnforced),
  notEarly: idOf(LIMIT_EARLY.limitNotEarly),
  perKey: idOf(LIMIT_PER_KEY.perKey),
  reset: idOf(LIMIT_ADMISSION.reset),
} as const;

/** Requests that make the difference between a limit for all keys and one that is too low by one. */
const TELLING = 3;

/** Announcements of one reset may differ a little (ruling 12). */
function isClose(a: number | null, b: number | null): boolean {
  return a !== null && b !== null && Math.abs(a - b) <= RESET_TOLERANCE_MS;
}

const NOTHING: Opinion = { judged: [], finding: null };

const MESSAGES = {
  reset: () => 'A key that was refused is refused again after the announced reset',
  perKey: (own: number, others: number) =>
    `A key with ${own} requests of its own is refused after ${others} requests of other keys`,
  notEarly: (own: number) => `A key is refused after ${own} requests within one window length`,
} as const;
