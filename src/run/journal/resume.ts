import path from 'node:path';
import { SPEC_SHA256 } from '../../requirements/clauses.ts';
import { isObject } from '../../text/json-value.ts';
import { plural } from '../../text/text.ts';
import type { KnownRun } from '../../http/record/known-answers.ts';
import type { JournalHeader } from './journal.ts';
import { journalHeader, JOURNAL_FILE, type HeaderOptions } from './journal.ts';
import { JournalError } from './journal-errors.ts';
import { readJournal, type ReadJournal } from './read-journal.ts';
import { toolVersion } from '../version.ts';

/** Age up to which an interrupted run is taken up, ms: 30 minutes by default. */
export const RESUME_MAX_AGE_MS = 30 * 60_000;

/** An interrupted run whose journal was read and can be taken up by this version. */
export interface Interrupted extends ReadJournal {
  readonly file: string;
}

/**
 * Reads the journal of an interrupted run, and sees to it that going on makes sense: written by this version, for this
 * specification, and not too long ago. Data moves: what was asked an hour ago and what is asked now do not agree.
 * @throws JournalError with the way out
 */
export async function readInterrupted(
  folder: string,
  options: { readonly maxAgeMs?: number | undefined; readonly now: number },
): Promise<Interrupted> {
  const file = path.basename(folder) === JOURNAL_FILE ? folder : path.join(folder, JOURNAL_FILE);
  const read = await readJournal(file);
  const { header, lastAt } = read;
  if (header.tool !== toolVersion() || header.spec !== SPEC_SHA256) {
    throw new JournalError(
      header.tool === toolVersion()
        ? `${file} was written for another version of the specification.`
        : `${file} was written by Assay ${header.tool}; this is ${toolVersion()}, and its checks may ask something else.`,
      'Go on with the version that wrote it, judge what is there with --replay, or start a new run.',
    );
  }
  if (header.reference) {
    throw new JournalError(
      'The interrupted run was one against the embedded reference server, which ended with it.',
      'Start a new run; it takes seconds. To take runs up again, run against `assay serve`.',
    );
  }
  const { maxAgeMs = RESUME_MAX_AGE_MS, now } = options;
  const age = now - lastAt;
  if (age > maxAgeMs) {
    throw new JournalError(
      `The run in ${folder} was interrupted ${minutes(age)} ago, longer than ${minutes(maxAgeMs)}: live data has moved since then, and answers of then and now would be compared.`,
      'Start a new run, judge what is there with --replay, or raise --resume-max-age when the data stands still.',
    );
  }
  return { ...read, file };
}

const minutes = (ms: number): string => plural(Math.max(1, Math.round(ms / 60_000)), 'minute');

/**
 * Sees to it that a run would ask what the interrupted one asked.
 * @throws JournalError that names every difference
 */
export function mustFit(
  { header }: Interrupted,
  now: Omit<HeaderOptions, 'salt' | 'startedAt' | 'reference'>,
): void {
  const wanted = journalHeader({
    ...now,
    reference: false,
    salt: header.salt,
    startedAt: new Date(header.startedAt),
  });
  const differences = [...compare(header, wanted)];
  if (differences.length === 0) return;
  throw new JournalError(
    `The interrupted run cannot be taken up with other settings: ${differences.join('; ')}.`,
    'Give the same settings and keys as then, or start a new run without --resume.',
  );
}

function* compare(then: JournalHeader, now: JournalHeader): Generator<string> {
  const differs = (a: unknown, b: unknown): boolean => JSON.stringify(a) !== JSON.stringify(b);
  const pair = (name: string, a: unknown, b: unknown): string =>
    `${name} was ${shown(a)} and is ${shown(b)}`;
  for (const name of ['baseUrl', 'envelope', 'profile', 'seed'] as const) {
    if (differs(then[name], now[name])) yield pair(name, then[name], now[name]);
  }
  for (const name of Object.keys(now.settings) as (keyof JournalHeader['settings'])[]) {
    const [a, b] = [then.settings[name], now.settings[name]];
    if (differs(sorted(a), sorted(b))) yield pair(name, a, b);
  }
  for (const role of ['valid', 'disabled', 'expired', 'restricted', 'nearQuota'] as const) {
    const [a, b] = [then.keys[role] ?? [], now.keys[role] ?? []];
    if (!differs(a, b)) continue;
    yield a.length === b.length
      ? `keys.${role} is another key`
      : `keys.${role} had ${plural(a.length, 'key')} and has ${b.length}`;
  }
  if (then.headers !== now.headers) yield 'http.headers are others';
}

/** Members of an object by name: their order in a file means nothing. */
function sorted(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** Requests that a resumed run does not send, and those that it sends again. */
export function countKnown({ exchanges }: KnownRun): { known: number; again: number } {
  const again = exchanges.filter(({ purpose }) => purpose === 'interrupted').length;
  return { known: exchanges.length - again, again };
}
