import { numberOf, type Exchange } from '../spec/exchange.ts';
import type { Finding } from '../spec/finding.ts';
import { secretsIn } from '../har/secrets.ts';
import type { NamedFile, Results } from '../report/model/results.ts';
import { requirementOf } from '../requirements/catalogue.ts';
import { factsOf } from '../run/check/check.ts';
import { keyBook, type KeyBook, type KeyLine } from '../run/check/key-book.ts';
import { eventOf, type RunEvent } from '../run/events.ts';
import { trafficResults, type TrafficSettings } from '../run/check/traffic-results.ts';
import type { Target } from '../target/target.ts';
import { cut, plural } from '../text/text.ts';
import { liveJudge } from './live-judge.ts';
import { observer } from './observer.ts';
import type { RawExchange } from './raw-exchange.ts';
import { openStore, type WatchCounts } from './store.ts';

/** Settings of the judge. Plain data, so that it can be sent to a thread. */
export interface WatchJudgeOptions {
  readonly target: Target;
  readonly named: NamedFile;
  readonly settings: TrafficSettings;
  readonly output: string;
}

/** Data of the live page: plain JSON. */
export type Snapshot = ReturnType<WatchJudge['snapshot']>;

/** Maximum number of findings and of keys on the page, and length of its texts. */
const MOST_RECENT = 40;
const MOST_KEYS = 30;
const MOST_TEXT = 400;

/** The judge of a watch. */
export type WatchJudge = ReturnType<typeof watchJudge>;

/**
 * Converts traffic from any source to exchanges, judges them, and saves the results for a later process.
 * @throws WatchError if the state of an earlier watch cannot be used, or nothing can be written
 */
export function watchJudge(options: WatchJudgeOptions, emit: (event: RunEvent) => void) {
  const { target, named, output, settings } = options;
  const { baseUrl, envelope } = target;
  const store = openStore(output, baseUrl);
  const { state, ring } = store;
  const secrets = secretsIn({
    keyHeader: target.auth.header,
    keys: target.keys,
    showHeaders: settings.showHeaders,
    baseUrl,
    recent: true,
    salt: state?.salt,
  });
  const observe = observer(baseUrl, secrets);
  const facts = factsOf(target);
  const { forbidden } = facts;
  const judge = liveJudge(facts);
  const { ledger } = judge;
  const book = keyBook(secrets.issued, state?.keys, state?.forgotten);
  const counts: WatchCounts = {
    since: new Date().toISOString(),
    number: 0,
    passed: 0,
    statuses: {},
    leftOut: {},
    ...state?.counts,
    taken: state === null ? 0 : state.counts.taken + 1,
  };
  if (state !== null) ledger.restore(state.ledger, store.evidence());
  const known = [...ledger.requirements.values()].flatMap(({ findings }) => findings);
  let recent = known.slice(-MOST_RECENT).map((finding) => recentFinding(finding, null));

  /** Messages about keys that seem to be in other headers than the key header. */
  const keysElsewhere = (): readonly string[] =>
    secrets.keysElsewhere((header) => `--key-header ${header}`);
  let cached: Results | null = null;
  const results = (): Results => {
    const endedAt = new Date().toISOString();
    if (cached !== null) return { ...cached, endedAt };
    const notes = notesOf(counts, ledger.judged, book, keysElsewhere());
    const judged = trafficResults(ledger, settings, {
      target: { baseUrl, envelope, ...named },
      profile: 'watched',
      book,
      notes,
      facts: { forbidden },
    });
    // The first exchange may be long after the start of the watch.
    cached = { ...judged, startedAt: counts.since };
    return { ...cached, endedAt };
  };
  const outcomes = new Map(results().requirements.map(({ id, outcome }) => [id, outcome]));

  const pass = (number: number, status: number): void => {
    const { statuses } = counts;
    counts.passed += 1;
    counts.number = Math.max(counts.number, number);
    const name = status === 429 ? '429' : `${Math.floor(status / 100)}xx`;
    statuses[name] = (statuses[name] ?? 0) + 1;
  };
  const leave = (reason: string, count: number): void => {
    counts.leftOut[reason] = (counts.leftOut[reason] ?? 0) + count;
    cached = null;
  };
  const judgeLater = (exchange: Exchange, client: string, now: number): void => {
    book.take(exchange, client);
    judge.take(exchange, now);
  };
  /** Emits events for findings and changed outcomes, and saves the state. */
  const told = (findings: readonly Finding[]): void => {
    cached = null;
    const at = new Date().toISOString();
    for (const finding of findings) {
      const { requirement, message, expected, actual, pointer, exchange } = finding;
      const { level } = requirementOf(requirement);
      const found = { requirement, level, check: null, message };
      emit(eventOf('finding', { ...found, expected, actual, pointer, exchange }));
    }
    const newest = findings.map((finding) => recentFinding(finding, at)).toReversed();
    recent = [...newest, ...recent].slice(0, MOST_RECENT);
    for (const { id, outcome, reason } of results().requirements) {
      if (outcomes.get(id) === outcome) continue;
      outcomes.set(id, outcome);
      emit(eventOf('outcome', { requirement: id, check: null, outcome, reason }));
    }
    const { salt } = secrets;
    const { forgotten } = book;
    const saved = { salt, ledger: ledger.dump(), counts, keys: book.lines(), forgotten };
    store.save(saved, ledger.newlyKept());
  };
  /** Exchanges are missing at this point: exchanges before and after it are not compared. */
  const gap = (): void => told(judge.gap());
  /** Judges all waiting exchanges, and saves the state. */
  const finish = (): void => {
    if (judge.waiting() > 0) told(judge.judge());
  };
  return {
    store,
    secrets,
    keysElsewhere,
    results,
    gap,
    finish,
    /**
     * Judges exchanges that an earlier process received but did not judge.
     * @returns the highest request `number` so far; how often the watch was restarted (`taken`); how many exchanges were
     * `judged` in total; how many of them these are, and whether a line was incomplete (`takenUp`)
     */
    takeUp(now: number) {
      const { exchanges, isTorn } = ring.since(state?.judged ?? { segment: 0, bytes: 0 });
      for (const exchange of exchanges) {
        pass(numberOf(exchange.id), exchange.response?.status ?? 0);
        judgeLater(exchange, '', now);
      }
      // What passed in between is unknown. From now on the fingerprints of keys are final.
      gap();
      const { number, taken } = counts;
      const takenUp = { exchanges: exchanges.length, torn: isTorn };
      return { number, taken, judged: ledger.judged, takenUp };
    },
    /** Adds an exchange. @throws the file system error if it cannot be saved */
    take(raw: RawExchange, now: number): void {
      const exchange = observe(raw);
      pass(raw.number, raw.status);
      if (typeof exchange === 'string') {
        leave(exchange, 1);
        return;
      }
      ring.append(exchange);
      judgeLater(exchange, raw.client, now);
    },
    miss(reason: string, count: number): void {
      counts.passed += count;
      leave(reason, count);
    },
    tick(now: number): void {
      if (judge.isDue(now)) finish();
    },
    snapshot() {
      const { verdict, sentence, requests } = results();
      const { since, passed, statuses, leftOut } = counts;
      const waiting = judge.waiting();
      const reasons = Object.entries(leftOut).map(([reason, count]) => ({ reason, count }));
      return {
        at: new Date().toISOString(),
        since,
        baseUrl,
        verdict,
        sentence,
        exchanges: {
          passed,
          judged: requests.total - waiting,
          waiting,
          leftOut: reasons.toSorted((a, b) => b.count - a.count),
        },
        statuses,
        findings: recent,
        keys: book.lines().slice(0, MOST_KEYS),
      };
    },
    /** A saved exchange as JSON; null for an unknown id. */
    evidence(id: string): string | null {
      const exchange = ledger.kept.get(id);
      return exchange === undefined ? null : JSON.stringify(exchange, null, 2);
    },
  };
}

/** A finding on the page. @param at null for one of an earlier process */
function recentFinding({ requirement, exchange, ...finding }: Finding, at: string | null) {
  return {
    at,
    requirement: requirement as string,
    level: requirementOf(requirement).level,
    message: cut(finding.message, MOST_TEXT),
    expected: cut(finding.expected, MOST_TEXT),
    actual: cut(finding.actual, MOST_TEXT),
    exchange,
  };
}

const NAMED = 10;

/**
 * Notes on how the report was made.
 * @param elsewhere messages about keys that seem to be in other headers than the key header
 */
function notesOf(
  { passed, since, taken, leftOut }: WatchCounts,
  judged: number,
  book: KeyBook,
  elsewhere: readonly string[],
): string[] {
  const { forgotten } = book;
  const keys = book.lines();
  const notes = [
    `Client traffic has been watched since ${since}: ${judged} of ${passed} requests were judged. No requests were added. Verified means that every judged response satisfies the requirement.`,
  ];
  if (taken > 0)
    notes.push(`The watch was restarted ${plural(taken, 'time')}; earlier results are included.`);
  for (const [reason, count] of Object.entries(leftOut).toSorted((a, b) => b[1] - a[1])) {
    notes.push(`${count} not judged: ${reason}.`);
  }
  notes.push(
    'Keys may be in use elsewhere, or may have been revoked. Therefore refused keys, early refusals by the limiter, and requirements that need every request made with a key were not judged.',
  );
  notes.push(...elsewhere);
  if (keys.length > 0) {
    notes.push(
      `Key roles are from the target file, or inferred from the responses. ${keys.slice(0, NAMED).map(keyText).join('; ')}${keys.length > NAMED ? `; and ${keys.length - NAMED} more` : ''}.`,
    );
  }
  if (forgotten > 0) {
    notes.push(
      `${plural(forgotten, 'key')} without recent requests ${forgotten === 1 ? 'was' : 'were'} dropped from the statistics.`,
    );
  }
  return notes;
}

function keyText({ key, role, isTold, requests, limited, clients }: KeyLine): string {
  const how = isTold ? 'from the target file' : 'inferred';
  return `${key}: ${role} (${how}), ${plural(requests, 'request')}, ${limited} refused by the limiter, from ${plural(clients, 'address', 'addresses')}`;
}
