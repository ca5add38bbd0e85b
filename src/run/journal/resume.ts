import path from 'node:path';
import { SPEC_SHA256 } from '../../requirements/clauses.ts';
import { isObject } from '../../text/json-value.ts';
import { cut, plural } from '../../text/text.ts';
import type { KnownRun } from '../../http/record/known-answers.ts';
import {
  JournalError,
  journalHeader,
  JOURNAL_FILE,
  type JournalHeader,
  type HeaderOptions,
} from './journal.ts';
import { readJournal, type ReadJournal } from './read-journal.ts';
import { toolVersion } from '../version.ts';

/** Default maximum age of an interrupted run to resume, ms. */
export const RESUME_MAX_AGE_MS = 30 * 60_000;

/**
 * Reads the journal of an interrupted run and checks that it can be resumed: same version, same specification, and
 * recent, because live data changes and old answers do not match new ones.
 * @throws JournalError
 */
export async function readInterrupted(
  folder: string,
  options: { readonly maxAgeMs?: number | undefined; readonly now: number },
): Promise<ReadJournal & { readonly file: string }> {
  const file = path.basename(folder) === JOURNAL_FILE ? folder : path.join(folder, JOURNAL_FILE);
  const read = await readJournal(file);
  const { header, lastAt } = read;
  if (header.tool !== toolVersion() || header.spec !== SPEC_SHA256) {
    throw new JournalError(
      header.tool === toolVersion()
        ? `${file} was written for a different version of the specification.`
        : `${file} was written by Assay ${header.tool}; this is ${toolVersion()}, whose checks may differ.`,
      'Resume with the version that wrote the journal, judge the recorded part with --replay, or start a new run.',
    );
  }
  if (header.reference) {
    throw new JournalError(
      'The interrupted run used the embedded reference server, which ended with it.',
      'Start a new run; it takes seconds. Runs against `assay serve` can be resumed.',
    );
  }
  const { maxAgeMs = RESUME_MAX_AGE_MS, now } = options;
  const age = now - lastAt;
  if (age > maxAgeMs) {
    throw new JournalError(
      `The run in ${folder} was interrupted ${minutes(age)} ago, more than ${minutes(maxAgeMs)}: live data has changed, so old and new responses cannot be compared.`,
      'Start a new run, judge the recorded part with --replay, or raise --resume-max-age if the data is static.',
    );
  }
  return { ...read, file };
}

const minutes = (ms: number): string => plural(Math.max(1, Math.round(ms / 60_000)), 'minute');

/**
 * Checks that the settings match those of the interrupted run.
 * @throws JournalError listing every difference
 */
export function mustFit(
  { header }: ReadJournal,
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
    `The interrupted run cannot be resumed with different settings: ${differences.join('; ')}.`,
    'Use the same settings and keys, or start a new run without --resume.',
  );
}

function* compare(then: JournalHeader, now: JournalHeader): Generator<string> {
  const described = ({ baseUrl, envelope, profile, seed, settings }: JournalHeader) =>
    Object.entries({ baseUrl, envelope, profile, seed, ...settings });
  const before = new Map<string, unknown>(described(then));
  const differs = (a: unknown, b: unknown): boolean => JSON.stringify(a) !== JSON.stringify(b);
  for (const [name, value] of described(now)) {
    const was = before.get(name);
    if (differs(sorted(was), sorted(value))) {
      yield `${name} was ${shown(was)} and is now ${shown(value)}`;
    }
  }
  for (const role of ['valid', 'disabled', 'expired', 'restricted', 'nearQuota'] as const) {
    const [a, b] = [then.keys[role] ?? [], now.keys[role] ?? []];
    if (!differs(a, b)) continue;
    yield a.length === b.length
      ? `keys.${role} has changed`
      : `keys.${role} had ${plural(a.length, 'key')}; it now has ${b.length}`;
  }
  if (then.headers !== now.headers) yield 'http.headers differ';
}

/** Sorts members, because their order is irrelevant. */
function sorted(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const shown = (value: unknown): string => cut(JSON.stringify(value), 80);

/** Counts the requests that a resumed run reuses and those it repeats. */
export function countKnown({ exchanges }: KnownRun): { known: number; again: number } {
  const again = exchanges.filter(({ purpose }) => purpose === 'interrupted').length;
  return { known: exchanges.length - again, again };
}
