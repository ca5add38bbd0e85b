import { wholeNumber } from '../../../suites/8-limits/answers.ts';
import type { JudgeContext } from './context.ts';
import { fixedWindowOf } from './context.ts';
import { groupBy, isAdmitted, isRefused, type KeyedRow } from './keyed.ts';
import type { Ledger } from './ledger.ts';

/** The requests of one key that were due at the same moment. */
interface Burst {
  readonly key: number;
  readonly step: number;
  readonly rows: readonly KeyedRow[];
  readonly admitted: number;
  /** When the first request was sent and the last answer was there. */
  readonly from: number;
  readonly to: number;
}

/** The bursts of a scenario, in the order of time. */
function burstsOf(rows: readonly KeyedRow[]): Burst[] {
  const due = rows.filter(({ phase }) => phase === 'burst');
  return [...groupBy(due, ({ key, step }) => `${key} ${step}`).values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    return [
      {
        key: first.key,
        step: first.step,
        rows: group,
        admitted: group.filter(isAdmitted).length,
        from: first.t0,
        to: group.reduce((latest, { t1 }) => Math.max(latest, t1), first.t1),
      },
    ];
  });
}

/** True when some of the burst may have fallen behind an edge of fixed windows: then its count says nothing. */
function straddles({ rows, from, to }: Burst, context: JudgeContext): boolean {
  const resets = rows.flatMap(({ reset }) => wholeNumber(reset ?? undefined) ?? []);
  resets.sort((a, b) => a - b);
  // Where edges are not where they were thought to be, the announced resets show it.
  if (resets.some((reset, index) => reset - (resets[index - 1] ?? reset) > context.windowMs / 2)) {
    return true;
  }
  const [earliest, latest] = [from - context.toleranceMs, to + context.toleranceMs];
  return (
    fixedWindowOf(context, earliest) !== fixedWindowOf(context, latest) ||
    latest - earliest > context.windowMs
  );
}

/** A burst into a fresh window: exactly the limit is admitted when at least that many come (§8, ruling 13). */
export function judgeBursts(
  rows: readonly KeyedRow[],
  context: JudgeContext,
  ledger: Ledger,
): void {
  const { limit } = context;
  const bursts = burstsOf(rows);
  const several = new Set(bursts.map(({ key }) => key)).size > 1;
  const previous = new Map<number, Burst>();
  let left = 0;
  for (const burst of bursts) {
    const { admitted } = burst;
    const sent = burst.rows.length;
    const where = `key ${burst.key + 1}, burst ${burst.step + 1}`;
    const expected = `exactly ${Math.min(limit, sent)} of ${sent}`;
    const actual = `${admitted} admitted`;
    const before = previous.get(burst.key);
    previous.set(burst.key, burst);
    if (admitted > limit) {
      // More than the limit is too much on either side of an edge only beyond twice the limit.
      if (straddles(burst, context) && admitted <= 2 * limit) left += 1;
      else {
        const message = `${where}: more requests were admitted than the limit`;
        ledger.found('8/limit-enforced', null, { message, expected, actual });
      }
      continue;
    }
    const early = admitted < Math.min(limit, sent);
    if (straddles(burst, context) || (early && mayHold(before, burst, context))) {
      left += 1;
      continue;
    }
    if (sent > limit) ledger.judged('8/limit-enforced');
    ledger.expect('8/limit-not-early', null, !early, () => ({
      message: `${where}: requests within the limit were refused`,
      expected,
      actual,
    }));
    if (!several) continue;
    ledger.expect('8/per-key', null, !early, () => ({
      message: `${where}: fewer requests were admitted than the key has a right to while other keys were used`,
      expected,
      actual,
    }));
  }
  if (left > 0) {
    ledger.notes.push(
      `${left} of ${bursts.length} bursts were not surely inside one fresh window and were left out.`,
    );
  }
}

/**
 * True when the burst before may still take places: in a window that slides, or in a weighted counter, which counts the
 * window before by the share of it that is not over yet (ruling 13). It may seem to be off by a request or two.
 */
function mayHold(before: Burst | undefined, burst: Burst, context: JudgeContext): boolean {
  const { limit, windowMs, toleranceMs, freshAt } = context;
  if (before === undefined) return false;
  if (before.to + windowMs + toleranceMs >= burst.from) return true;
  const since = fixedWindowOf(context, burst.from) - fixedWindowOf(context, before.from);
  // A burst that takes its time is given places while it lasts.
  const leftAt = (time: number): number =>
    limit - before.admitted * (1 - (((time - freshAt) / windowMs) % 1));
  return (
    since === 1 &&
    burst.admitted >= leftAt(burst.from) - 2 &&
    burst.admitted <= leftAt(burst.to) + 2
  );
}

/** Bursts on both sides of an edge: at most the limit on either side (§8, ruling 13). */
export function judgeEdges(
  rows: readonly KeyedRow[],
  { limit }: JudgeContext,
  ledger: Ledger,
): void {
  const edges = groupBy(
    rows.filter(({ phase }) => phase === 'edge'),
    ({ step }) => step,
  );
  for (const [step, group] of edges) {
    const admitted = group.filter(isAdmitted).length;
    const actual = `${admitted} admitted`;
    ledger.expect('8/limit-enforced', null, admitted <= 2 * limit, () => ({
      message: `Edge ${step + 1}: more requests were admitted than two windows allow`,
      expected: `at most ${2 * limit} of ${group.length}`,
      actual,
    }));
    ledger.expect('8/limit-not-early', null, admitted >= limit, () => ({
      message: `Edge ${step + 1}: requests within the limit were refused`,
      expected: `at least ${limit} of ${group.length}`,
      actual,
    }));
  }
}

/** A good key that asks for a plain list is admitted or refused with 429; no other refusal is stated (§8). */
export function judgeStatuses(rows: readonly KeyedRow[], ledger: Ledger): void {
  for (const row of rows) {
    if (isAdmitted(row) || isRefused(row) || row.status >= 500) continue;
    ledger.found('8/limit-enforced', null, {
      message: 'A request of a good key was refused with another status than 429',
      expected: 'status 200 or 429',
      actual: `status ${row.status}`,
    });
  }
}

/** A key that keeps to its limit is not refused while another one is flooded (§8). */
export function judgeSteadyKey(rows: readonly KeyedRow[], ledger: Ledger): void {
  const steady = rows.filter(({ phase }) => phase === 'steady');
  const refused = steady.filter(isRefused).length;
  if (steady.length === 0) return;
  ledger.expect('8/per-key', null, refused === 0, () => ({
    message: 'A key that kept to its limit was refused while another key was flooded',
    expected: `none of ${steady.length} requests refused`,
    actual: `${refused} refused`,
  }));
}
