import type { Readable } from 'node:stream';
import type { Exchange } from '../spec/exchange.ts';
import type { Finding } from '../spec/finding.ts';
import { RecordingError } from '../har/errors.ts';
import { recordReader } from '../har/read-recording.ts';
import { secretsIn } from '../har/secrets.ts';
import type { Results } from '../report/model/results.ts';
import { factsOf, KEY_IN_TARGET_FILE } from '../run/check/check.ts';
import { keyBook } from '../run/check/key-book.ts';
import { trafficResults, type TrafficSettings } from '../run/check/traffic-results.ts';
import type { Target } from '../target/target.ts';
import { parsedJson } from '../text/json-value.ts';
import { linesOf } from '../text/lines.ts';
import { liveJudge } from './live-judge.ts';

export interface FollowOptions extends TrafficSettings {
  readonly baseUrl: string;
  readonly target?: Target | undefined;
  /** Stops; what has arrived is judged. */
  readonly signal: AbortSignal;
  readonly onFinding: (finding: Finding) => void;
}

/** Judged traffic. */
export interface Followed {
  readonly results: Results;
  /** Credentials that must not be in any artifact. */
  readonly secrets: readonly { readonly name: string; readonly value: string }[];
}

const TICK_MS = 250;
const MOST_LINE = 32 * 1024 * 1024;

/**
 * Judges recorded traffic as a possibly endless stream of lines, one exchange or HAR entry each, in bounded memory.
 * @throws RecordingError if it has no exchange of the service
 */
export async function follow(input: Readable, options: FollowOptions): Promise<Followed> {
  const { baseUrl, target, signal } = options;
  const secrets = secretsIn({
    keyHeader: target?.auth.header,
    keys: target?.keys,
    showHeaders: options.showHeaders,
    baseUrl,
    recent: true,
  });
  const facts = factsOf(target);
  const judge = liveJudge(facts);
  const book = keyBook(secrets.issued);
  const read = recordReader(baseUrl.replace(/\/+$/, ''), secrets);
  const leftOut = new Map<string, number>();
  let lines = 0;
  /** The exchange in a line, or why it is ignored. */
  const entryIn = (line: string): Exchange | string => {
    const value = parsedJson(line);
    if (value === undefined) return 'the line is not JSON';
    const entry = read({ entry: lines, value });
    if (entry.kind === 'exchange') return entry.exchange;
    judge.ledger.leave(entry.endpoint, entry.reason);
    return entry.reason;
  };
  const tick = (): void => {
    if (judge.isDue(Date.now())) for (const one of judge.judge()) options.onFinding(one);
  };
  const timer = setInterval(tick, TICK_MS);
  const onAbort = (): void => void input.destroy();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const bytes = input as AsyncIterable<Buffer>;
    for await (const line of linesOf(bytes, MOST_LINE, () => new TextDecoder())) {
      if (line !== null && line.trim() === '') continue;
      lines += 1;
      const entry = line === null ? 'the line is too long' : entryIn(line);
      if (typeof entry === 'string') {
        leftOut.set(entry, (leftOut.get(entry) ?? 0) + 1);
        continue;
      }
      judge.take({ ...entry, id: `x${lines}` }, Date.now());
      book.take(entry, '');
      tick();
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    clearInterval(timer);
    signal.removeEventListener('abort', onAbort);
  }
  for (const one of judge.judge()) options.onFinding(one);
  const { judged } = judge.ledger;
  if (judged === 0) throw nothing(lines, leftOut, baseUrl);
  const elsewhere = secrets.keysElsewhere(KEY_IN_TARGET_FILE);
  const results = trafficResults(judge.ledger, options, {
    target: { baseUrl, envelope: target?.envelope ?? null },
    profile: 'recorded',
    book,
    facts: { forbidden: facts.forbidden },
    notes: [
      `Recorded traffic was judged as it arrived: ${judged} of ${lines} lines. No requests were sent. Verified means that every recorded response satisfies the requirement.`,
      ...[...leftOut].map(([reason, count]) => `Skipped ${count}: ${reason}.`),
      ...elsewhere,
    ],
  });
  return { results, secrets: secrets.listed() };
}

function nothing(
  lines: number,
  leftOut: ReadonlyMap<string, number>,
  baseUrl: string,
): RecordingError {
  const reasons = [...leftOut].slice(0, 3).map(([reason, count]) => `${count}: ${reason}`);
  return new RecordingError(
    lines === 0
      ? 'Standard input was empty.'
      : `None of ${lines} lines can be judged (${reasons.join('; ')}); base URL ${baseUrl}.`,
    'Pass one exchange or HAR entry per line; see docs/recorded-traffic.md.',
  );
}
