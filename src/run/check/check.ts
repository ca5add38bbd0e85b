import { numberOf } from '../../spec/exchange.ts';
import { RecordingError } from '../../har/errors.ts';
import { openRecording, type Recording } from '../../har/read-recording.ts';
import type { Results } from '../../report/model/results.ts';
import { DEFAULT_FACTS, type Facts } from '../../judge/facts.ts';
import type { Target } from '../../target/target.ts';
import { RecordedJudge } from './check-judge.ts';
import { keyBook } from './key-book.ts';
import { trafficResults, type TrafficSettings } from './traffic-results.ts';

export interface CheckOptions extends TrafficSettings {
  /** Recordings. Each is assumed to come from one recorder with one clock. */
  readonly files: readonly string[];
  /** Base URL of the service; default: guessed from the entries. */
  readonly baseUrl?: string | undefined;
  /** Target settings: key roles, limits, envelope, fixtures. */
  readonly target?: Target | undefined;
}

/** Counts of entries: read = judged + ignored. */
export interface Tally {
  readonly read: number;
  readonly judged: number;
  /** Entries that were ignored for the same reason, with position and URL of the first one. */
  readonly leftOut: readonly {
    readonly reason: string;
    readonly count: number;
    readonly example: string;
  }[];
  readonly recordings: readonly Recording[];
}

/**
 * Judges recorded traffic by the rules of a run, without sending requests.
 * @throws RecordingError when a file cannot be read or contains no traffic of the service
 */
export async function check(options: CheckOptions): Promise<{ results: Results; tally: Tally }> {
  const { files, target, baseUrl, showHeaders } = options;
  const recordings: Recording[] = [];
  for (const file of files) {
    const known = { defaultBaseUrl: target?.baseUrl, keyHeader: target?.auth.header };
    const asked = { ...known, baseUrl, keys: target?.keys, showHeaders };
    recordings.push(await openRecording(file, asked));
  }
  const judge = new RecordedJudge();
  const issued = new Set(recordings.flatMap((one) => [...one.issued]));
  const book = keyBook(issued);
  const leftOut = new Map<string, Tally['leftOut'][number]>();
  let read = 0;
  let offset = 0;
  for (const recording of recordings) {
    const facts = withEnvelope(recording.facts ?? factsOf(target), target);
    let most = 0;
    for await (const item of recording.read()) {
      read += 1;
      if (item.kind === 'skipped') {
        const { reason, entry, what, endpoint } = item;
        judge.leave(endpoint, reason);
        const example = `entry ${entry} of ${recording.path}${what === '' ? '' : `, ${what}`}`;
        const known = leftOut.get(reason) ?? { reason, count: 0, example };
        leftOut.set(reason, { ...known, count: known.count + 1 });
        continue;
      }
      const number = numberOf(item.exchange.id);
      most = Math.max(most, number);
      const exchange =
        offset === 0 ? item.exchange : { ...item.exchange, id: `x${offset + number}` };
      judge.take(exchange, facts);
      // A run knows the roles of its keys.
      if (recording.facts !== null && exchange.key !== null) issued.add(exchange.key);
      book.take(exchange, '');
    }
    judge.flush(facts);
    offset += Math.max(most, recording.entries);
  }
  const tally: Tally = {
    read,
    judged: judge.judged,
    leftOut: [...leftOut.values()].toSorted((a, b) => b.count - a.count),
    recordings,
  };
  if (judge.judged === 0) throw nothingLeft(tally);
  const complete = recordings.every(({ facts }) => facts !== null);
  const [first] = recordings;
  const results = trafficResults(judge, options, {
    target: {
      baseUrl: first?.baseUrl ?? '',
      envelope: target?.envelope ?? first?.facts?.envelope ?? null,
    },
    profile: 'recorded',
    book,
    notes: notesOf(tally, complete),
    facts:
      complete && recordings.length === 1 && first?.facts
        ? withEnvelope(first.facts, target)
        : { forbidden: recordings.flatMap((one) => (one.facts ?? factsOf(target)).forbidden) },
  });
  return { results, tally };
}

function nothingLeft({ recordings, leftOut, read }: Tally): RecordingError {
  const reasons = leftOut.slice(0, 3).map(({ reason, count }) => `${count}: ${reason}`);
  const base = [...new Set(recordings.map(({ baseUrl }) => baseUrl))].join(', ');
  return new RecordingError(
    `${read === 1 ? 'The only entry cannot' : `None of the ${read} entries can`} be judged (${reasons.join('; ')}); base URL ${base}.`,
    'Set the base URL of the service with --base-url, and record requests with headers and bodies; see docs/recorded-traffic.md.',
  );
}

/** How to set the key header for recorded traffic. */
export const KEY_IN_TARGET_FILE = (header: string): string =>
  `auth.header: ${header} in a target file (--target FILE)`;

/** A recording of a run knows its facts, but to judge the content of wrapped bodies is a later decision (ruling 21). */
const withEnvelope = (facts: Facts, target: Target | undefined): Facts => ({
  ...facts,
  envelope: target?.envelope ?? facts.envelope,
});

/** Facts about recorded traffic: only what the target file says. */
export function factsOf(target: Target | undefined): Facts {
  if (target === undefined) return { ...DEFAULT_FACTS, partial: true };
  const { unknownCurrencyId, malformedCurrencyId, exchanges, unknownIds = {} } = target.fixtures;
  return {
    limits: target.limits,
    envelope: target.envelope,
    unknownIds: {
      ...Object.fromEntries(Object.entries(unknownIds).map(([name, id]) => [name, [id]])),
      ...(unknownCurrencyId !== undefined && { currency_id: [unknownCurrencyId] }),
    },
    malformedCurrencyIds: malformedCurrencyId === undefined ? [] : [malformedCurrencyId],
    forbidden: target.keys.restricted?.forbidden ?? [],
    ...(exchanges && { exchanges }),
    partial: true,
  };
}

function notesOf(tally: Tally, complete: boolean): string[] {
  const notes = [
    `Judged ${tally.judged} of ${tally.read} recorded entries without sending requests. Verified means that every recorded response meets the requirement.`,
  ];
  for (const { path, creator, baseUrl, guessed, entries } of tally.recordings) {
    const by = creator === null ? '' : `, written by ${creator}`;
    const how = guessed === null ? '' : ', guessed from the entries';
    const rest = guessed?.others ?? [];
    const others = rest.length === 0 ? '' : `; could also be ${rest.join(', ')}`;
    notes.push(`${path}: ${entries} entries${by}; base URL ${baseUrl}${how}${others}.`);
  }
  for (const { reason, count, example } of tally.leftOut) {
    notes.push(`Ignored ${count}: ${reason} (first: ${example}).`);
  }
  const elsewhere = tally.recordings.flatMap((one) => one.keysElsewhere(KEY_IN_TARGET_FILE));
  notes.push(...new Set(elsewhere));
  if (!complete) {
    notes.push(
      'Other clients may have used the keys, and keys may have been revoked. Therefore rejected keys, early 429s and requirements that need every request made with a key were not judged.',
    );
  }
  return notes;
}
