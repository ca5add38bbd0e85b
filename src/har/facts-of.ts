import type { EarlierRow, Facts } from '../judge/facts.ts';
import { isObject } from '../text/json-value.ts';
import { listOf, member, numberOf, textOf } from './values.ts';

/**
 * Validates the facts that a run has recorded. Null when they are missing or invalid: then the exchanges are judged
 * like any other traffic.
 */
export function factsOf(value: unknown): Facts | null {
  const limits = member(value, 'limits');
  const [requests, windowMs, monthlyQuota] = ['requests', 'windowMs', 'monthlyQuota'].map((name) =>
    positive(member(limits, name)),
  );
  const envelope = member(value, 'envelope') ?? null;
  if (requests === undefined || windowMs === undefined || monthlyQuota === undefined) return null;
  if (envelope !== null && typeof envelope !== 'string') return null;
  const quotaLeft = numberOf(member(value, 'quotaLeft'));
  const quotaUnseen = numberOf(member(value, 'quotaUnseen'));
  const earlier = listOf(member(value, 'earlierRows')).flatMap(earlierRow);
  const exchanges = textsOf(member(value, 'exchanges'));
  const [doubtfulIds, discoveredIds] = ['doubtfulIds', 'discoveredIds'].map((name) =>
    member(value, name),
  );
  return {
    limits: { requests, windowMs, monthlyQuota },
    envelope,
    unknownIds: idsOf(member(value, 'unknownIds')),
    malformedCurrencyIds: textsOf(member(value, 'malformedCurrencyIds')),
    forbidden: textsOf(member(value, 'forbidden')),
    ...(exchanges.length === 0 ? {} : { exchanges }),
    ...(doubtfulIds === undefined ? {} : { doubtfulIds: idsOf(doubtfulIds) }),
    ...(discoveredIds === undefined ? {} : { discoveredIds: idsOf(discoveredIds) }),
    ...(quotaLeft === undefined ? {} : { quotaLeft }),
    ...(quotaUnseen === undefined ? {} : { quotaUnseen }),
    ...(member(value, 'clockTold') === true ? { clockTold: true } : {}),
    ...(earlier.length === 0 ? {} : { earlierRows: earlier }),
  };
}

const positive = (value: unknown): number | undefined => {
  const number = numberOf(value);
  return number !== undefined && number > 0 ? number : undefined;
};

const textsOf = (value: unknown): readonly string[] =>
  listOf(value).flatMap((one) => textOf(one) ?? []);

function earlierRow(value: unknown): readonly EarlierRow[] {
  const [ticker, date, run] = ['ticker', 'date', 'run'].map((name) => textOf(member(value, name)));
  const seenAt = numberOf(member(value, 'seenAt'));
  if (ticker === undefined || run === undefined || seenAt === undefined) return [];
  return /^\d{4}-\d{2}-\d{2}$/.test(date ?? '') ? [{ ticker, date: date ?? '', seenAt, run }] : [];
}

function idsOf(value: unknown): Record<string, readonly string[]> {
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).map(([name, ids]) => [name, textsOf(ids)] as const),
  );
}
