import type { EarlierRow, Facts } from '../judge/facts.ts';
import { fieldsOf, listOf, numberOf, textOf } from './values.ts';

/**
 * Validates the facts that a run has recorded. Null when they are missing or invalid: then the exchanges are judged
 * like any other traffic.
 */
export function factsOf(value: unknown): Facts | null {
  const facts = fieldsOf(value);
  const limits = fieldsOf(facts['limits']);
  const requests = positive(limits['requests']);
  const windowMs = positive(limits['windowMs']);
  const monthlyQuota = positive(limits['monthlyQuota']);
  const { envelope = null, doubtfulIds, discoveredIds } = facts;
  if (requests === undefined || windowMs === undefined || monthlyQuota === undefined) return null;
  if (envelope !== null && typeof envelope !== 'string') return null;
  const quotaLeft = numberOf(facts['quotaLeft']);
  const quotaUnseen = numberOf(facts['quotaUnseen']);
  const earlierRows = listOf(facts['earlierRows']).flatMap(earlierRow);
  const exchanges = textsOf(facts['exchanges']);
  return {
    limits: { requests, windowMs, monthlyQuota },
    envelope,
    unknownIds: idsOf(facts['unknownIds']),
    malformedCurrencyIds: textsOf(facts['malformedCurrencyIds']),
    forbidden: textsOf(facts['forbidden']),
    ...(exchanges.length > 0 && { exchanges }),
    ...(doubtfulIds !== undefined && { doubtfulIds: idsOf(doubtfulIds) }),
    ...(discoveredIds !== undefined && { discoveredIds: idsOf(discoveredIds) }),
    ...(quotaLeft !== undefined && { quotaLeft }),
    ...(quotaUnseen !== undefined && { quotaUnseen }),
    ...(facts['clockTold'] === true && { clockTold: true }),
    ...(earlierRows.length > 0 && { earlierRows }),
  };
}

const positive = (value: unknown): number | undefined =>
  typeof value === 'number' && value > 0 ? numberOf(value) : undefined;

const textsOf = (value: unknown): readonly string[] =>
  listOf(value).flatMap((one) => textOf(one) ?? []);

function earlierRow(value: unknown): readonly EarlierRow[] {
  const fields = fieldsOf(value);
  const [ticker, date = '', run] = [fields['ticker'], fields['date'], fields['run']].map(textOf);
  const seenAt = numberOf(fields['seenAt']);
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(date);
  return ticker !== undefined && run !== undefined && seenAt !== undefined && isDate
    ? [{ ticker, date, seenAt, run }]
    : [];
}

const idsOf = (value: unknown): Record<string, readonly string[]> =>
  Object.fromEntries(Object.entries(fieldsOf(value)).map(([name, ids]) => [name, textsOf(ids)]));
