import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Results } from '../report/model/results.ts';
import { JOURNAL_FILE } from '../run/journal/journal.ts';
import { readJournal } from '../run/journal/read-journal.ts';
import { isObject } from '../text/json-value.ts';
import { spentIn, spentInFull, type Reservation, type Spent } from './account.ts';
import type { RunEntry } from './state.ts';

/** The results of a finished run whose process died before it booked them. */
export async function finishedIn(folder: string): Promise<Results | null> {
  try {
    const text = await readFile(path.join(folder, 'results.json'), 'utf8');
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || !Array.isArray(value['requirements'])) return null;
    return value['verdict'] === 'interrupted' ? null : (value as unknown as Results);
  } catch {
    return null;
  }
}

/**
 * Cost of a run from its journal, which has every request before it is sent. The whole reservation if the journal
 * cannot be read.
 */
export async function spentBy(
  folder: string,
  reserved: Reservation,
): Promise<{ spent: Readonly<Record<string, Spent>>; sent: RunEntry['requests'] }> {
  const file = path.join(folder, JOURNAL_FILE);
  // Without a journal nothing was sent.
  if (!existsSync(file)) return { spent: {}, sent: { valid: 0, restricted: 0 } };
  try {
    const { known, header } = await readJournal(file);
    const of = (role: string): number => known.exchanges.filter((one) => one.role === role).length;
    const sent = { valid: of('valid'), restricted: of('restricted') };
    return { spent: spentIn(known.exchanges, header.keys, reserved.keys), sent };
  } catch {
    const { valid, restricted } = reserved;
    return { spent: spentInFull(reserved), sent: { valid, restricted } };
  }
}
