import { numberOf, type Exchange, type KeyRole } from '../spec/exchange.ts';
import type { Finding } from '../spec/finding.ts';
import { Secrets } from '../har/secrets.ts';
import type { Results } from '../report/model/results.ts';
import { requirementOf } from '../requirements/catalogue.ts';
import { factsOf } from '../run/check/check.ts';
import { eventOf, type RunEvent } from '../run/events.ts';
import { trafficResults, type TrafficSettings } from '../run/check/traffic-results.ts';
import type { Target } from '../target/target.ts';
import { cut, plural } from '../text/text.ts';
import { KeyBook, type KeyLine } from './key-book.ts';
import { LiveJudge } from './live-judge.ts';
import { observer } from './observer.ts';
import type { RawExchange } from './raw-exchange.ts';
import { Store, type WatchCounts } from './store.ts';

/** Settings of the judge. Plain data, so that it can be sent to a thread. */
export interface WatchJudgeOptions {
  readonly target: Target;
  readonly settings: TrafficSettings;
  readonly output: string;
}

/** Data of the live page: plain JSON. */
export type Snapshot = ReturnType<WatchJudge['snapshot']>;

/** Maximum number of findings and of keys on the page, and length of its texts. */
const MOST_RECENT = 40;
const MOST_KEYS = 30;
const MOST_TEXT = 400;

/** Converts traffic from any source to exchanges, judges them, and saves the results for a later process. */
export class WatchJudge {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly #options: WatchJudgeOptions;
  readonly #emit: (event: RunEvent) => void;
  readonly #observe: ReturnType<typeof observer>;
  readonly #judge: LiveJudge;
  readonly #keys: KeyBook;
  #recent: readonly ReturnType<typeof recentFinding>[];
  readonly #outcomes: Map<string, string>;
  readonly #counts: WatchCounts;
  #results: Results | null = null;

  /** @throws WatchError if the state of an earlier watch cannot be used, or nothing can be written */
  constructor(options: WatchJudgeOptions, emit: (event: RunEvent) => void) {
    const { target, output, settings } = options;
    this.#options = options;
    this.#emit = emit;
    this.store = new Store(output, target.baseUrl);
    const { state } = this.store;
    this.secrets = new Secrets({
      keyHeader: target.auth.header,
      keys: target.keys,
      showHeaders: settings.showHeaders,
      baseUrl: target.baseUrl,
      recent: true,
      salt: state?.salt,
    });
    this.#observe = observer(target.baseUrl, this.secrets);
    this.#judge = new LiveJudge(factsOf(target));
    this.#keys = new KeyBook(state?.keys, state?.forgotten);
    this.#counts = {
      since: new Date().toISOString(),
      number: 0,
      passed: 0,
      statuses: {},
      leftOut: {},
      ...state?.counts,
      taken: state === null ? 0 : state.counts.taken + 1,
    };
    const { ledger } = this.#judge;
    if (state !== null) ledger.restore(state.ledger, this.store.evidence());
    const known = [...ledger.requirements.values()].flatMap(({ findings }) => findings);
    this.#recent = known.slice(-MOST_RECENT).map((finding) => recentFinding(finding, null));
    this.#outcomes = new Map(this.results().requirements.map(({ id, outcome }) => [id, outcome]));
  }

  /**
   * Judges exchanges that an earlier process received but did not judge.
   * @returns the highest request `number` so far; how often the watch was restarted (`taken`); how many exchanges were
   * `judged` in total; how many of them these are, and whether a line was incomplete (`takenUp`)
   */
  takeUp(now: number) {
    const { ring, state } = this.store;
    const { exchanges, isTorn } = ring.since(state?.judged ?? { segment: 0, bytes: 0 });
    for (const exchange of exchanges) {
      this.#pass(numberOf(exchange.id), exchange.response?.status ?? 0);
      this.#judgeLater(exchange, '', now);
    }
    // What passed in between is unknown. From now on the fingerprints of keys are final.
    this.gap();
    const { number, taken } = this.#counts;
    const takenUp = { exchanges: exchanges.length, torn: isTorn };
    return { number, taken, judged: this.#judge.ledger.judged, takenUp };
  }

  /** Adds an exchange. @throws the file system error if it cannot be saved */
  take(raw: RawExchange, now: number): void {
    const exchange = this.#observe(raw);
    this.#pass(raw.number, raw.status);
    if (typeof exchange === 'string') {
      this.#leave(exchange, 1);
      return;
    }
    this.store.ring.append(exchange);
    this.#judgeLater(exchange, raw.client, now);
  }

  /** Counts an exchange that is not judged. */
  miss(reason: string, count: number): void {
    this.#counts.passed += count;
    this.#leave(reason, count);
  }

  /** Exchanges are missing at this point: exchanges before and after it are not compared. */
  gap(): void {
    this.#told(this.#judge.gap());
  }

  tick(now: number): void {
    if (this.#judge.isDue(now)) this.finish();
  }

  /** Judges all waiting exchanges, and saves the state. */
  finish(): void {
    if (this.#judge.waiting > 0) this.#told(this.#judge.judge());
  }

  results(): Results {
    const { target, settings } = this.#options;
    const [counts, book, { ledger }] = [this.#counts, this.#keys, this.#judge];
    const keys: Partial<Record<KeyRole, string[]>> = {};
    for (const { key, role } of book.lines()) (keys[role] ??= []).push(key);
    this.#results ??= trafficResults(ledger, settings, {
      target,
      profile: 'watched',
      keys,
      notes: notesOf(counts, ledger.judged, book, this.keysElsewhere()),
    });
    return this.#results;
  }

  snapshot() {
    const { verdict, sentence, requests, target } = this.results();
    const { since, passed, statuses, leftOut } = this.#counts;
    const { waiting } = this.#judge;
    const reasons = Object.entries(leftOut).map(([reason, count]) => ({ reason, count }));
    return {
      at: new Date().toISOString(),
      since,
      baseUrl: target.baseUrl,
      verdict,
      sentence,
      exchanges: {
        passed,
        judged: requests.total - waiting,
        waiting,
        leftOut: reasons.toSorted((a, b) => b.count - a.count),
      },
      statuses,
      findings: this.#recent,
      keys: this.#keys.lines().slice(0, MOST_KEYS),
    };
  }

  /** A saved exchange as JSON; null for an unknown id. */
  evidence(id: string): string | null {
    const exchange = this.#judge.ledger.kept.get(id);
    return exchange === undefined ? null : JSON.stringify(exchange, null, 2);
  }

  /** Messages about keys that seem to be in other headers than the key header. */
  keysElsewhere(): readonly string[] {
    return this.secrets.keysElsewhere((header) => `--key-header ${header}`);
  }

  #pass(number: number, status: number): void {
    const { statuses } = this.#counts;
    this.#counts.passed += 1;
    this.#counts.number = Math.max(this.#counts.number, number);
    const name = status === 429 ? '429' : `${Math.floor(status / 100)}xx`;
    statuses[name] = (statuses[name] ?? 0) + 1;
  }

  #leave(reason: string, count: number): void {
    const { leftOut } = this.#counts;
    leftOut[reason] = (leftOut[reason] ?? 0) + count;
    this.#results = null;
  }

  #judgeLater(exchange: Exchange, client: string, now: number): void {
    this.#keys.take(exchange, client);
    this.#judge.take(exchange, now);
  }

  /** Emits events for findings and changed outcomes, and saves the state. */
  #told(findings: readonly Finding[]): void {
    this.#results = null;
    const at = new Date().toISOString();
    for (const finding of findings) {
      const { requirement, message, expected, actual, pointer, exchange } = finding;
      const { level } = requirementOf(requirement);
      const found = { requirement, level, check: null, message };
      this.#emit(eventOf('finding', { ...found, expected, actual, pointer, exchange }));
    }
    const newest = findings.map((finding) => recentFinding(finding, at)).toReversed();
    this.#recent = [...newest, ...this.#recent].slice(0, MOST_RECENT);
    for (const { id, outcome, reason } of this.results().requirements) {
      if (this.#outcomes.get(id) === outcome) continue;
      this.#outcomes.set(id, outcome);
      this.#emit(eventOf('outcome', { requirement: id, check: null, outcome, reason }));
    }
    const { ledger } = this.#judge;
    const state = {
      salt: this.secrets.salt,
      ledger: ledger.dump(),
      counts: this.#counts,
      keys: this.#keys.lines(),
      forgotten: this.#keys.forgotten,
    };
    this.store.save(state, ledger.newlyKept());
  }
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

/** Maximum number of keys that are listed. */
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
    `Client traffic has been watched since ${since}: ${judged} of ${passed} forwarded exchanges were judged. No requests were added. Verified means that every judged response satisfies the requirement.`,
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
