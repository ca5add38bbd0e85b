import { NOT_SEEN_YET } from '../spec/cause.ts';
import { numberOf, type KeyRole } from '../spec/exchange.ts';
import type { Finding } from '../spec/finding.ts';
import { Secrets } from '../har/secrets.ts';
import type { SecretsGate } from '../fs/secrets-gate.ts';
import type { Results } from '../report/model/results.ts';
import { requirementOf } from '../requirements/catalogue.ts';
import { factsOf } from '../run/check/check.ts';
import type { RunEvent } from '../run/events.ts';
import { toolVersion } from '../run/version.ts';
import { watchEvent } from '../run/watch-events.ts';
import { SPEC_SHA256 } from '../requirements/clauses.ts';
import { trafficResults, type TrafficSettings } from '../run/check/traffic-results.ts';
import type { Target } from '../target/target.ts';
import { KeyBook } from './key-book.ts';
import { LiveJudge } from './live-judge.ts';
import { Observer } from './observer.ts';
import type { RawExchange } from './raw-exchange.ts';
import { recentFinding, type RecentFinding, type Snapshot } from './snapshot.ts';
import type { RingPosition } from './ring.ts';
import { Store, type WatchCounts, type WatchState } from './store.ts';
import { notesOf } from './watch-notes.ts';

/** Settings of the judge. Plain data, so that it can be sent to a thread. */
export interface WatchJudgeOptions {
  readonly target: Target;
  readonly settings: TrafficSettings;
  /** Output folder; the state is in a subfolder. */
  readonly output: string;
}

/** Maximum number of findings and of keys on the page. */
const MOST_RECENT = 40;
const MOST_KEYS = 30;

/** Converts traffic from any source to exchanges, judges them, and saves the results for a later process. */
export class WatchJudge {
  /** A message about the state of an earlier watch, if any. */
  readonly said: string | null;
  readonly #options: WatchJudgeOptions;
  readonly #emit: (event: RunEvent) => void;
  readonly #secrets: Secrets;
  readonly #observer: Observer;
  readonly #judge: LiveJudge;
  readonly #keys = new KeyBook();
  readonly #store: Store;
  readonly #recent: RecentFinding[] = [];
  readonly #outcomes = new Map<string, string>();
  readonly #counts: WatchCounts;
  #results: Results | null = null;
  readonly #position: RingPosition;

  /** @throws WatchError if the state of an earlier watch cannot be used, or nothing can be written */
  constructor(options: WatchJudgeOptions, emit: (event: RunEvent) => void) {
    const { target } = options;
    this.#options = options;
    this.#emit = emit;
    const { store, state, said } = Store.open(options.output, target.baseUrl);
    this.#store = store;
    this.said = said;
    this.#secrets = new Secrets({
      keyHeader: target.auth.header,
      keys: target.keys,
      showHeaders: options.settings.showHeaders,
      baseUrl: target.baseUrl,
      recent: true,
      salt: state?.salt,
    });
    this.#observer = new Observer(target.baseUrl, this.#secrets);
    this.#judge = new LiveJudge(factsOf(target));
    this.#counts = {
      since: state?.since ?? new Date().toISOString(),
      taken: state === null ? 0 : state.taken + 1,
      number: state?.number ?? 0,
      passed: state?.passed ?? 0,
      byRole: { ...state?.byRole },
      statuses: { ...state?.statuses },
      leftOut: { ...state?.leftOut },
    };
    this.#position = state?.judged ?? { segment: 0, bytes: 0 };
    if (state !== null) this.#restore(state);
    for (const { id, outcome } of this.results().requirements) this.#outcomes.set(id, outcome);
  }

  /**
   * Judges exchanges that an earlier process received but did not judge.
   * @returns the state of the earlier process, the number of these exchanges, and whether a line was incomplete
   */
  takeUp(now: number): {
    /** The highest request number so far. */
    readonly number: number;
    /** Number of restarts with the state of an earlier process. */
    readonly taken: number;
    /** Number of exchanges that were judged, including the following. */
    readonly judged: number;
    readonly takenUp: { readonly exchanges: number; readonly torn: boolean };
  } {
    let [exchanges, torn] = [0, false];
    const onTorn = (): void => void (torn = true);
    for (const exchange of this.#store.ring.since(this.#position, onTorn)) {
      exchanges += 1;
      this.#counts.number = Math.max(this.#counts.number, numberOf(exchange.id));
      this.#count(exchange.role, exchange.response?.status ?? 0);
      this.#counts.passed += 1;
      this.#keys.take(exchange, '');
      this.#judge.take(exchange, now);
    }
    // What passed in between is unknown. From now on the fingerprints of keys are final.
    this.gap();
    const { number, taken } = this.#counts;
    return { number, taken, judged: this.#judge.ledger.judged, takenUp: { exchanges, torn } };
  }

  /** Adds an exchange. @throws the file system error if it cannot be saved */
  take(raw: RawExchange, now: number): void {
    this.#counts.passed += 1;
    this.#counts.number = Math.max(this.#counts.number, raw.number);
    const observed = this.#observer.observe(raw);
    if ('leftOut' in observed) {
      this.#leave(observed.leftOut, 1);
      this.#count(null, raw.status);
      return;
    }
    const { exchange } = observed;
    this.#count(exchange.role, raw.status);
    this.#store.ring.append(exchange);
    this.#keys.take(exchange, raw.client);
    this.#judge.take(exchange, now);
  }

  /** Counts an exchange that is not judged. */
  miss(reason: string, count: number): void {
    this.#counts.passed += count;
    this.#leave(reason, count);
  }

  /** Exchanges are missing at this point: exchanges before and after it are not compared. */
  gap(): void {
    this.#told(this.#judge.gap());
    this.#save();
  }

  /** Judges due exchanges. True if there were any. */
  tick(now: number): boolean {
    if (!this.#judge.isDue(now)) return false;
    this.#judgeNow();
    return true;
  }

  /** Judges all waiting exchanges, and saves the state. */
  finish(): void {
    this.#judgeNow();
    this.#store.ring.close();
  }

  /** The current results. */
  results(): Results {
    this.#results ??= trafficResults(this.#judge.ledger, this.#options.settings, {
      target: {
        baseUrl: this.#options.target.baseUrl,
        envelope: this.#options.target.envelope,
        keys: this.#fingerprints(),
        reference: false,
      },
      profile: 'watched',
      requests: { total: this.#judge.ledger.judged, byRole: this.#counts.byRole, waitedMs: 0 },
      notes: notesOf({
        settings: this.#options.settings,
        counts: this.#counts,
        ledger: this.#judge.ledger,
        keys: this.#keys,
        elsewhere: this.keysElsewhere(),
      }),
      unseen: NOT_SEEN_YET,
      called: 'watched traffic',
    });
    return this.#results;
  }

  /** Data of the live page. */
  snapshot(): Snapshot {
    const { verdict, sentence, summary, requests, target } = this.results();
    const { since, passed, statuses, leftOut } = this.#counts;
    const { waiting } = this.#judge;
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
        leftOut: Object.entries(leftOut)
          .map(([reason, count]) => ({ reason, count }))
          .toSorted((a, b) => b.count - a.count),
      },
      statuses,
      coverage: summary,
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
    return this.#secrets.keysElsewhere((header) => `--key-header ${header}`);
  }

  /** The most recent credentials, which must not be in any artifact. */
  secrets(): readonly { readonly name: string; readonly value: string }[] {
    return this.#secrets.listed();
  }

  /** Deletes saved data that contains a secret. */
  sweep(gate: SecretsGate): Promise<void> {
    return this.#store.sweep(gate);
  }

  #leave(reason: string, count: number): void {
    const { leftOut } = this.#counts;
    leftOut[reason] = (leftOut[reason] ?? 0) + count;
    this.#results = null;
  }

  #judgeNow(): void {
    if (this.#judge.waiting === 0) return;
    this.#told(this.#judge.judge());
    this.#save();
  }

  #told(findings: readonly Finding[]): void {
    this.#results = null;
    const at = new Date().toISOString();
    for (const finding of findings) {
      this.#recent.unshift(recentFinding(finding, at));
      const { requirement, message, expected, actual, pointer, exchange } = finding;
      const { level } = requirementOf(requirement);
      const found = { requirement, level, check: null, message };
      this.#emit(watchEvent('finding', { ...found, expected, actual, pointer, exchange }));
    }
    this.#recent.length = Math.min(this.#recent.length, MOST_RECENT);
    for (const { id, outcome, reason } of this.results().requirements) {
      if (this.#outcomes.get(id) === outcome) continue;
      this.#outcomes.set(id, outcome);
      this.#emit(watchEvent('outcome', { requirement: id, check: null, outcome, reason }));
    }
  }

  #count(role: KeyRole | null, status: number): void {
    const { byRole, statuses } = this.#counts;
    if (role !== null) byRole[role] = (byRole[role] ?? 0) + 1;
    const group = `${Math.floor(status / 100)}xx`;
    const name = status === 429 ? '429' : group;
    statuses[name] = (statuses[name] ?? 0) + 1;
  }

  #fingerprints(): Results['target']['keys'] {
    const keys: Partial<Record<KeyRole, string[]>> = {};
    for (const { key, role } of this.#keys.lines()) keys[role] = [...(keys[role] ?? []), key];
    return keys;
  }

  #save(): void {
    const { ledger } = this.#judge;
    const state: WatchState = {
      watch: 1,
      tool: toolVersion(),
      spec: SPEC_SHA256,
      baseUrl: this.#options.target.baseUrl,
      salt: this.#secrets.salt,
      judged: this.#store.ring.position,
      ledger: ledger.dump(),
      ...this.#counts,
      keys: this.#keys.lines(),
      forgotten: this.#keys.forgotten,
    };
    this.#store.save(state, ledger.newlyKept());
  }

  #restore(state: WatchState): void {
    this.#judge.ledger.restore(state.ledger, this.#store.evidence());
    this.#keys.restore(state.keys, state.forgotten);
    const found = [...this.#judge.ledger.requirements.values()].flatMap(({ findings }) => findings);
    for (const finding of found.slice(-MOST_RECENT)) {
      this.#recent.push(recentFinding(finding, null));
    }
  }
}
