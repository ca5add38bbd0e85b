import type { Row } from '../plan.ts';

/** A recorded answer with its headers and body read. */
export interface Answer {
  readonly row: Row;
  /** Index of the key. */
  readonly key: number;
  readonly t0: number;
  readonly t1: number;
  readonly admitted: boolean;
  readonly refused: boolean;
  /** Rate-limit headers (§8) as integers; null when missing or no integer. */
  readonly limit: number | null;
  readonly remaining: number | null;
  readonly reset: number | null;
  /** Parsed body of answers other than 2xx; undefined when it is not JSON. */
  readonly body: unknown;
}

/** The answers to requests that carried a key and got an answer, in the order sent. */
export function answersOf(rows: readonly Row[]): Answer[] {
  return rows.flatMap((row) => {
    if (row.key === null || row.status === 0) return [];
    return [
      {
        row,
        key: row.key,
        t0: row.t0,
        t1: row.t1,
        admitted: row.status >= 200 && row.status < 300,
        refused: row.status === 429,
        limit: integer(row.limit),
        remaining: integer(row.remaining),
        reset: integer(row.reset),
        body: parsed(row.body),
      },
    ];
  });
}

function integer(text: string | null): number | null {
  return text !== null && /^-?\d{1,15}$/.test(text) ? Number(text) : null;
}

function parsed(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Groups by a key, in the order of the first member. */
export function groupBy<Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** An object of JSON, or an empty one. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}
