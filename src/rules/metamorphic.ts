import type { Criterion } from './criterion.ts';
import { decimalOf, sameFigure } from './decimals.ts';
import { show, type Judgement, type Rule } from './judgement.ts';
import { sameList } from './relations.ts';
import { askedRange, isSettledIn, PART_PARAMETERS, SERIES, type SeriesFacts } from './series.ts';
import { place } from './transport.ts';
import { isObject, type View } from './view.ts';

/** Answers further apart than this are not compared: a figure of the past may have been corrected in between, ms. */
const NEAR_MS = 600_000;

/** What is asked for beyond the plain request, and so what a part of the series may be wrong about. */
function criterionOf(series: SeriesFacts, view: View): Criterion | undefined {
  const range = askedRange(series, view);
  if (range !== null) return range && series.judges.range;
  return view.query.has('limit') ? series.limit?.judges.part : undefined;
}

interface Row {
  readonly pointer: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Records that can no longer change, by what they stand for. Those that share an identity are left out. */
function settledRows(series: SeriesFacts, view: View): ReadonlyMap<string, Row> {
  const rows = new Map<string, Row>();
  const twice = new Set<string>();
  for (const { value, pointer } of view.records) {
    const identity = series.identityOf(value);
    const time = series.timeOf(value);
    if (identity === undefined || time === undefined || !isObject(value)) continue;
    if (!isSettledIn(series, time, view.now)) continue;
    if (rows.has(identity)) twice.add(identity);
    rows.set(identity, { pointer, fields: value });
  }
  for (const identity of twice) rows.delete(identity);
  return rows;
}

const optional = <T>(value: T | undefined): T[] => (value === undefined ? [] : [value]);

/** Series whose records of the past stand still: texts and counts of news go on changing. */
const STILL = SERIES.filter(({ window }) => window !== 'news');

/**
 * Ruling 22: a part of a series, chosen by a limit or a range, has the records of the series, so what two answers both
 * have is the same in both. Only days of the past are compared, with the plain answer of the same minutes.
 */
const sameRecords: Rule = {
  name: 'same-records',
  judges: STILL.flatMap(({ judges, limit }) => [judges.range, ...optional(limit?.judges.part)]),
  all(views, context, into) {
    for (const series of STILL) {
      for (const group of sameList(views, series.endpoint, PART_PARAMETERS, context)) {
        const plain = group.filter(
          (view) => !PART_PARAMETERS.some((name) => view.query.has(name)) && view.ok,
        );
        for (const view of group) judgePart(series, view, plain, into);
      }
    }
  },
};

function judgePart(series: SeriesFacts, view: View, plain: readonly View[], into: Judgement): void {
  const criterion = criterionOf(series, view);
  const [whole] = plain
    .filter((other) => Math.abs(other.now - view.now) <= NEAR_MS)
    .toSorted((a, b) => Math.abs(a.now - view.now) - Math.abs(b.now - view.now));
  if (criterion === undefined || whole === undefined || !view.ok) return;
  const rows = settledRows(series, view);
  for (const [identity, known] of settledRows(series, whole)) {
    const row = rows.get(identity);
    if (row === undefined) continue;
    into.judged(criterion, view);
    const field = Object.keys(known.fields).find((name) =>
      differs(known.fields[name], row.fields[name]),
    );
    if (field === undefined) continue;
    into.found(criterion, view, {
      message: `${place(view)} gives a different ${field} for the ${series.record} of ${identity} than the plain answer`,
      expected: `${show(known.fields[field])}, as in ${whole.exchange.id}`,
      actual: show(row.fields[field]),
      pointer: `${row.pointer}/${field}`,
    });
    return;
  }
}

/** True for two figures or texts that are not the same. What is null may have been settled in between. */
function differs(a: unknown, b: unknown): boolean {
  const [one, other] = [decimalOf(a), decimalOf(b)];
  if (one !== undefined && other !== undefined) return !sameFigure(a, b);
  return typeof a === 'string' && typeof b === 'string' && a !== b;
}

/** Relations between answers to different requests that no other rule looks at. */
export const METAMORPHIC_RULES: readonly Rule[] = [sameRecords];
