import { JournalError } from './journal/journal.ts';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { numberOf, type Exchange, type KeyRole } from '../spec/exchange.ts';
import { KEY_HEADER } from '../spec/limits.ts';
import { openRecording } from '../har/read-recording.ts';
import { reasonOf } from '../http/record/journal-writer.ts';
import type { KnownRun } from '../http/record/known-answers.ts';
import { placeholderKeys } from '../http/record/recorded-key-ring.ts';
import type { NamedFile, Results, RunSettings } from '../report/model/results.ts';
import { factsOf } from '../har/facts-of.ts';
import type { Facts } from '../judge/facts.ts';
import { PROFILES } from '../ask/profiles.ts';
import { TARGET_DEFAULTS, type Target } from '../target/target.ts';
import { readJournal } from './journal/read-journal.ts';
import { resultsIn } from './results-file.ts';
import { fixturesOf } from './settings.ts';

/** A recorded run with everything needed to judge it again; what the recording does not say is null. */
type RecordedRun = ReturnType<typeof recordedRun>;

interface Description extends NamedFile, Pick<KnownRun, 'keys' | 'waitedMs'> {
  readonly baseUrl: string;
  readonly envelope: string | null;
  readonly reference: boolean;
  readonly profile: string | null;
  readonly seed: number | null;
  readonly startedAt: string | null;
  readonly settings: RunSettings | null;
}

/**
 * Reads the recording of a run: its results.json, exchanges.har or journal, or a HAR of another tool.
 * @throws JournalError or RecordingError for an invalid file
 */
export async function readRecordedRun(file: string): Promise<RecordedRun> {
  const head = await headOf(file);
  if (head.startsWith('{"journal":')) {
    const { header, known } = await readJournal(file, 'replay');
    return recordedRun({ ...header, waitedMs: known.waitedMs }, known.exchanges, null);
  }
  if (/^\s*\{\s*"schemaVersion"/.test(head)) return fromResults(file);
  return fromTraffic(file);
}

async function headOf(file: string): Promise<string> {
  try {
    const [head = ''] = await createReadStream(file, { end: 255, encoding: 'latin1' }).toArray();
    return String(head);
  } catch (cause) {
    throw new JournalError(
      `The recording ${file} cannot be read: ${reasonOf(cause)}.`,
      'Pass the results.json, exchanges.har or journal.ndjson of an earlier run.',
      { cause },
    );
  }
}

async function fromResults(file: string): Promise<RecordedRun> {
  const refused = (message: string, hint: string) => new JournalError(message, hint);
  const instead = 'Pass the exchanges.har of the same run.';
  const results = resultsIn(file, await readFile(file), refused, instead);
  const { exchanges, requests, target } = results;
  if (exchanges.length < requests.total && results.verdict !== 'interrupted') {
    throw new JournalError(
      `${file} contains only ${exchanges.length} of the ${requests.total} exchanges of its run.`,
      'Pass the exchanges.har of the same run, which contains all of them.',
    );
  }
  const { settings = null, facts } = results;
  const description = { ...results, ...target, settings, waitedMs: requests.waitedMs };
  return recordedRun(description, exchanges, factsOf(facts));
}

async function fromTraffic(file: string): Promise<RecordedRun> {
  const recording = await openRecording(file);
  const exchanges: Exchange[] = [];
  for await (const entry of recording.read()) {
    if (entry.kind === 'exchange') exchanges.push(entry.exchange);
  }
  const run = describedIn(recording.run);
  const description: Description = {
    profile: null,
    seed: null,
    startedAt: null,
    settings: null,
    waitedMs: 0,
    ...run,
    ...namedIn(run?.target),
    baseUrl: recording.baseUrl,
    envelope: recording.facts?.envelope ?? null,
    reference: run?.target?.reference === true,
    keys: run?.target?.keys ?? keysIn(exchanges),
  };
  return recordedRun(description, exchanges, recording.facts, !recording.own);
}

type Described = Partial<
  Pick<Results, 'profile' | 'seed' | 'startedAt' | 'target' | 'settings'>
> & {
  readonly waitedMs?: number;
};

/** The description of a run in a HAR written by Assay, validated. */
function describedIn(run: unknown): Described | null {
  const plain: unknown = run === undefined ? null : JSON.parse(JSON.stringify(run));
  if (typeof plain !== 'object' || plain === null) return null;
  const described = plain as Described;
  const { profile, seed, startedAt, target, settings, waitedMs } = described;
  const isSound =
    typeof profile === 'string' &&
    Number.isInteger(seed) &&
    !Number.isNaN(Date.parse(startedAt ?? '')) &&
    typeof target?.keys === 'object' &&
    typeof settings?.limits?.windowMs === 'number' &&
    Array.isArray(settings.only) &&
    Array.isArray(settings.skip) &&
    Number.isFinite(waitedMs);
  return isSound ? described : null;
}

function keysIn(exchanges: readonly Exchange[]): KnownRun['keys'] {
  const keys: Partial<Record<KeyRole, string[]>> = {};
  for (const { role, key } of exchanges) {
    if (role === 'none') continue;
    const known = (keys[role] ??= []);
    const fingerprint = key ?? `recorded ${role}`;
    if (!known.includes(fingerprint)) known.push(fingerprint);
  }
  return keys;
}

function recordedRun(
  description: Description,
  unordered: readonly Exchange[],
  facts: Facts | null,
  foreign = false,
) {
  const { settings, keys, baseUrl, profile } = description;
  const exchanges = unordered.toSorted((a, b) => numberOf(a.id) - numberOf(b.id));
  const [first] = exchanges;
  const { restricted, nearQuota, ...others } = placeholderKeys(keys);
  const remaining = settings?.quotaLeft ?? facts?.quotaLeft ?? null;
  const forbidden = settings?.forbidden ?? facts?.forbidden ?? [];
  const { waitedMs } = description;
  const replay = { mode: 'replay', advances: 0, salt: null } as const;
  const known: KnownRun = { ...replay, exchanges, waitedMs, keys, foreign };
  return {
    known,
    // With placeholders for the keys; nothing is sent.
    target: {
      baseUrl,
      auth: { header: settings?.keyHeader ?? KEY_HEADER },
      keys: {
        ...others,
        ...(restricted && { restricted: { ...restricted, forbidden } }),
        ...(nearQuota && remaining !== null && { nearQuota: { ...nearQuota, remaining } }),
      },
      fixtures: settings === null ? {} : fixturesOf(settings),
      limits: settings?.limits ?? facts?.limits ?? TARGET_DEFAULTS.limits,
      envelope: description.envelope,
      http: TARGET_DEFAULTS.http,
      ...(settings?.clockControl === true ? { clock: { control: baseUrl } } : {}),
    } satisfies Target,
    reference: description.reference,
    named: namedIn(description),
    profile: PROFILES.find((one) => one === profile) ?? null,
    seed: description.seed,
    settings,
    // At the end of the recorded run.
    facts,
    recordedAt: new Date(description.startedAt ?? first?.sentAt ?? 0),
  };
}

/** The target file in a description; invalid values are ignored. */
function namedIn({ file, baseUrlGiven }: NamedFile = {}): NamedFile {
  if (typeof file !== 'string' || file === '') return {};
  return baseUrlGiven === true ? { file, baseUrlGiven } : { file };
}
