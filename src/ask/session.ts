import { AsyncLocalStorage } from 'node:async_hooks';
import { missingSetting, NEEDS_TIME, type UntestedCause } from '../spec/cause.ts';
import type { FixtureKind } from '../spec/endpoints.ts';
import type { Exchange, KeyRole } from '../spec/exchange.ts';
import type { Moment } from './moment.ts';
import type { Need } from './need.ts';
import { SessionError } from '../http/errors.ts';
import { JournalWriter } from '../http/record/journal-writer.ts';
import { createSession, type RequestOptions, type Session } from '../http/session.ts';
import { acceptQuery, idsIn, withDoubts, type Context } from '../judge/context.ts';
import { isOfCache } from '../judge/view.ts';
import type { EarlierRow, Facts } from '../judge/facts.ts';
import { deriveUnknown, type FixtureAnswer } from '../target/discover.ts';
import type { Target } from '../target/target.ts';
import { turned } from '../target/turn.ts';
import { ServiceWatch } from './service-watch.ts';
import { KnownIds } from './known-ids.ts';
import { CONCURRENCY, type SuiteInput } from './input.ts';
import { Untested } from './outcome.ts';
import { boundsOf } from './profiles.ts';

/** Identifiers that no target has, for each kind but currencies, whose form is taken from the known ones. */
const INVENTED: Readonly<Record<string, readonly string[]>> = {
  ticker: ['ZZASSAYZZ', 'QXASSAYQX'],
  stock_ticker: ['ZZASSAYZZ', 'QXASSAYQX'],
  index_ticker: ['ZZASSAYZZ', 'QXASSAYQX'],
  event: ['zz-assay-no-such-event', 'qx-assay-no-such-event'],
  chart_name: ['zz_assay_no_such_chart', 'qx_assay_no_such_chart'],
  project_id: ['999999999999999999', '988888888888888889'],
  sector_name: ['zz-assay-no-such-sector', 'qx-assay-no-such-sector'],
  path: ['/zz-assay/no-such-endpoint'],
};

/** Errors after which no further request makes sense. */
const FATAL: ReadonlySet<string> = new Set([
  'ASSAY_TARGET_UNREACHABLE',
  'ASSAY_KEYS_REJECTED',
  'ASSAY_TARGET_THROTTLED',
  'ASSAY_TARGET_UNAVAILABLE',
  'ASSAY_JOURNAL',
  'ASSAY_NO_TOKEN',
  'ASSAY_TARGET_FAILS',
  'ASSAY_TARGET_HANGS',
  'ASSAY_TARGET_REFUSES',
  'ASSAY_NOT_THIS_SERVICE',
]);

const KEY_NEEDS: Readonly<
  Partial<
    Record<
      Need,
      {
        readonly has: (target: Target, earlierRows: readonly EarlierRow[]) => boolean;
        readonly reason: string;
        readonly cause: UntestedCause;
      }
    >
  >
> = {
  'second-key': {
    has: ({ keys }) => keys.valid.length > 1,
    reason: 'needs a second valid key: add one to keys.valid',
    cause: missingSetting('keys.valid'),
  },
  'disabled-key': {
    has: ({ keys }) => keys.disabled !== undefined,
    reason: 'needs a disabled key: set keys.disabled',
    cause: missingSetting('keys.disabled'),
  },
  'expired-key': {
    has: ({ keys }) => keys.expired !== undefined,
    reason: 'needs an expired key: set keys.expired',
    cause: missingSetting('keys.expired'),
  },
  'restricted-key': {
    has: ({ keys }) => keys.restricted !== undefined,
    reason: 'needs a key without access to some endpoint: set keys.restricted',
    cause: missingSetting('keys.restricted'),
  },
  'near-quota-key': {
    has: ({ keys }) => keys.nearQuota !== undefined,
    reason: 'needs a key close to its monthly quota: set keys.nearQuota',
    cause: missingSetting('keys.nearQuota'),
  },
  clock: {
    has: ({ clock }, earlierRows) => clock !== undefined || earlierRows.length > 0,
    reason:
      'needs a day to pass on the target: run again tomorrow with an --output beside this one, or set clock.control of a test target',
    cause: NEEDS_TIME,
  },
};

/** Where a session stands. */
export interface SessionState {
  readonly total: number;
  readonly byRole: Readonly<Partial<Record<KeyRole, number>>>;
  readonly waitedMs: number;
  readonly facts: Facts;
  /** What there was to ask for, by kind, in the order of the default seed. */
  readonly shown: Readonly<Partial<Record<FixtureKind, readonly string[]>>>;
  /** Fingerprints of keys by role. */
  readonly keys: Readonly<Partial<Record<KeyRole, readonly string[]>>>;
  /** Set when the run cannot go on: unreachable, or keys rejected. */
  readonly fatal: {
    readonly code: string;
    readonly message: string;
    readonly hint: string;
  } | null;
}

/** Who asks for what is sent. */
export interface Asker {
  /** Place in the order of the run. */
  readonly place: number;
  /** When it asks; undefined when it asks ahead of its turn. */
  readonly asks?: Moment | undefined;
}

/** Who asks, for all sessions: every storage of its own would be looked at with each promise for as long as the process lives. */
const ASKER = new AsyncLocalStorage<Asker>();

/**
 * The one session of a worker: every check of every file sends through it, so that an answer that one check asked for
 * serves all others, and the pacing sees every request.
 */
export class SuiteSession {
  readonly http: Session;
  readonly target: Target;
  readonly seed: number;
  readonly path: string | null;
  /** Rows that earlier runs of the same target saw unsettled. */
  readonly earlierRows: readonly EarlierRow[];
  /** Checks that may ask at a time. */
  readonly concurrency: number;
  readonly #tell: SuiteInput['tell'];
  readonly #unknownIds: Record<string, string[]> = {};
  readonly #malformed: string[] = [];
  readonly #doubtful: Record<string, string[]> = {};
  readonly #accepted = new Set<string>();
  readonly #acceptedKeys = new Set<string>();
  readonly #acceptedIds = new Set<string>();
  readonly #acceptedQueries = new Map<string, Exchange['request']['query'][]>();
  readonly #knownIds: KnownIds;
  readonly #judged = new Set<string>();
  /** Place of the first check in the order of the run that was given an exchange, by its id. */
  readonly #askedAt = new Map<string, number>();
  readonly #watch: ServiceWatch;
  #fatal: SessionError | null = null;
  /** Requests with the key near its quota that got no answer: they may have counted. */
  #unseenOfQuota = 0;
  #facts: Facts | undefined;

  /** @param probeLimit whether requests may be sent to see the limiter refuse one */
  constructor(input: SuiteInput, probeLimit = true) {
    this.target = input.target;
    this.seed = input.seed;
    this.path = input.path;
    // Nothing is waited for where everything is on record.
    this.concurrency = input.known?.mode === 'replay' ? 1 : (input.concurrency ?? CONCURRENCY);
    this.#watch = new ServiceWatch(input.target.baseUrl);
    this.earlierRows = input.earlierRows ?? [];
    this.#tell = input.tell;
    this.http = createSession(input.target, {
      seed: input.seed,
      known: input.known,
      salt: input.journal?.salt,
      journal: input.journal && new JournalWriter(input.journal.path),
      ...(input.maxRequests === null ? {} : { maxRequests: input.maxRequests }),
      maxRestricted: input.maxRestricted,
      bounds: boundsOf(input.profile, input.maxRequests, input.known !== undefined),
      probeLimit,
      concurrency: this.concurrency,
      place: () => ASKER.getStore()?.place ?? 0,
      alone: () => (ASKER.getStore()?.asks ?? 'alone') === 'alone',
      onExchange: (exchange) => this.#arrived(exchange),
      onWait: ({ role, untilMs, ms }) => this.#tell?.({ type: 'wait', role, untilMs, ms }),
    });
    this.#knownIds = new KnownIds(
      async (kind) => this.http.fixtures.get(kind),
      async (path, pathParameters) => this.send(path, { pathParameters, query: [] }),
    );
    const { malformedCurrencyId } = input.target.fixtures;
    if (malformedCurrencyId !== undefined) this.#malformed.push(malformedCurrencyId);
  }

  /** What the rules know of the target. */
  get facts(): Facts {
    this.#facts ??= {
      limits: this.target.limits,
      envelope: this.target.envelope,
      unknownIds: structuredClone(this.#unknownIds),
      malformedCurrencyIds: [...this.#malformed],
      doubtfulIds: structuredClone(this.#doubtful),
      discoveredIds: structuredClone(this.#knownIds.discovered),
      forbidden: this.target.keys.restricted?.forbidden ?? [],
      ...(this.target.fixtures.exchanges && { exchanges: this.target.fixtures.exchanges }),
      ...(this.target.keys.nearQuota && { quotaLeft: this.target.keys.nearQuota.remaining }),
      ...(this.#unseenOfQuota > 0 && { quotaUnseen: this.#unseenOfQuota }),
      ...(this.target.clock !== undefined && { clockTold: true }),
      ...(this.earlierRows.length > 0 && { earlierRows: this.earlierRows }),
    };
    return this.#facts;
  }

  /** Facts plus what the answers so far say about the keys. */
  context(): Context {
    const facts = withDoubts(this.facts, this.#acceptedIds);
    return {
      ...facts,
      accepted: this.#accepted,
      acceptedKeys: this.#acceptedKeys,
      acceptedQueries: this.#acceptedQueries,
    };
  }

  /**
   * Exchanges so far, in the order sent: all of them for those who ask alone; for those who ask in turn what the checks
   * before them were answered, for what others have asked ahead by then is chance.
   * @throws TypeError when it is asked ahead: a mistake of the check
   */
  get exchanges(): readonly Exchange[] {
    const asker = ASKER.getStore();
    if (asker === undefined || asker.asks === 'alone') return this.http.exchanges;
    if (asker.asks === undefined) {
      throw new TypeError('a check that asks ahead of its turn cannot look at what others ask');
    }
    return this.http.exchanges.filter(
      ({ id }) => (this.#askedAt.get(id) ?? asker.place) < asker.place,
    );
  }

  /** Does work for somebody who asks: what it sends takes its place in the order of the run. */
  async asking<Result>(asker: Asker, work: () => Promise<Result>): Promise<Result> {
    return ASKER.run(asker, work);
  }

  /** Sends a request, or gives the answer that the same request got before. */
  async send(path: string, options: RequestOptions): Promise<Exchange> {
    if (this.#fatal !== null) throw this.#fatal;
    try {
      const exchange = await this.http.get(path, options);
      this.#noteAsker(exchange);
      return exchange;
    } catch (error) {
      if (error instanceof SessionError && FATAL.has(error.code)) {
        this.#fatal ??= error;
      }
      throw error;
    }
  }

  async fixtures(kind: FixtureKind): Promise<FixtureAnswer> {
    if (this.#fatal !== null) throw this.#fatal;
    const before = this.#knownIds.discoveries;
    const known = await this.#knownIds.get(kind);
    // Which identifiers the lists show is among the facts.
    if (this.#knownIds.discoveries !== before) this.#facts = undefined;
    return known;
  }

  /** Values in the order in which the seed takes them; see `turned`. */
  turned<Item>(items: readonly Item[]): readonly Item[] {
    return turned(items, this.seed);
  }

  /** True for an identifier that only a list of the target names, and that no answer has confirmed yet (ruling 11). */
  isUnconfirmed(parameter: string, id: string): boolean {
    const discovered = this.#knownIds.discovered[parameter]?.includes(id) === true;
    return discovered && !this.#acceptedIds.has(`${parameter} ${id}`);
  }

  /**
   * Identifiers for a path parameter that the target cannot know, or (for `path`) paths that are no endpoint: those of
   * the target file, which are known to be unknown, or else made up, the best one first.
   * @throws Untested when there is no known currency to model one on
   */
  async unknownIds(
    parameter: string,
  ): Promise<{ readonly ids: readonly [string, ...string[]]; readonly given: boolean }> {
    const named = this.target.fixtures.unknownIds?.[parameter];
    if (named !== undefined) return { ids: [named], given: true };
    const currency = parameter === 'currency_id';
    const answer = currency ? await this.http.fixtures.unknownCurrencyId() : undefined;
    const [first, ...others] = answer?.ids ?? INVENTED[parameter] ?? [];
    if (first === undefined) {
      throw new Untested(
        answer?.reason ?? `no identifier for {${parameter}}`,
        missingSetting('fixtures.unknownCurrencyId'),
      );
    }
    return { ids: [first, ...others], given: answer?.source === 'target file' };
  }

  /** An identifier that looks like known ones and is none of them; whether it exists all the same is not known. */
  similarId(known: readonly string[], attempt: number): string {
    return deriveUnknown(known, this.seed + attempt);
  }

  /** Tells the rules that the target cannot know an identifier, so that a refusal is expected. */
  unknown(parameter: string, id: string): void {
    const known = (this.#unknownIds[parameter] ??= []);
    if (known.includes(id)) return;
    known.push(id);
    this.#facts = undefined;
  }

  /** Tells the rules that an id is malformed, once the target agreed that it is. */
  malformed(currencyId: string): void {
    if (this.#malformed.includes(currencyId)) return;
    this.#malformed.push(currencyId);
    this.#facts = undefined;
  }

  /** Tells the rules that nobody knows what an id is to the target, so that no answer to it is wrong. */
  doubtful(parameter: string, id: string): void {
    const known = (this.#doubtful[parameter] ??= []);
    if (known.includes(id)) return;
    known.push(id);
    this.#facts = undefined;
  }

  /** @throws Untested when the target offers no key or clock that a requirement needs */
  async requireKeys(needs: readonly Need[]): Promise<void> {
    if (this.#fatal !== null) throw this.#fatal;
    for (const need of needs) {
      const rule = KEY_NEEDS[need];
      if (rule !== undefined && !rule.has(this.target, this.earlierRows)) {
        throw new Untested(rule.reason, rule.cause);
      }
    }
  }

  /** Notes exchanges that the running check judged. */
  judged(exchanges: readonly Exchange[]): void {
    for (const { id } of exchanges) this.#judged.add(id);
  }

  takeJudged(): string[] {
    const taken = [...this.#judged];
    this.#judged.clear();
    return taken;
  }

  state(): SessionState {
    const { total, byRole, waitedMs } = this.http.stats();
    const fatal = this.#fatal;
    return {
      total,
      byRole,
      waitedMs,
      facts: this.facts,
      shown: this.#knownIds.shown,
      keys: this.http.keyRing.fingerprints(),
      fatal: fatal && { code: fatal.code, message: fatal.message, hint: fatal.hint },
    };
  }

  async close(): Promise<void> {
    await this.http.close();
  }

  /** Whoever is first in the order of the run has asked for an exchange, although others may have come before. */
  #noteAsker({ id }: Exchange): void {
    const { place } = ASKER.getStore() ?? { place: 0 };
    this.#askedAt.set(id, Math.min(place, this.#askedAt.get(id) ?? place));
  }

  #arrived(exchange: Exchange): void {
    const { key, role, endpoint, response } = exchange;
    if (role === 'nearQuota' && response === null) {
      this.#unseenOfQuota += 1;
      this.#facts = undefined;
    }
    const accepted = response !== null && response.status >= 200 && response.status <= 299;
    if (key !== null && accepted && !isOfCache(exchange, this.facts)) {
      this.#accepted.add(`${key} ${endpoint ?? ''}`);
      this.#acceptedKeys.add(key);
      for (const id of idsIn(exchange)) this.#acceptedIds.add(id);
      acceptQuery(this.#acceptedQueries, exchange);
    }
    const foreign = this.#watch.observe(exchange, this.facts);
    if (foreign !== null) {
      this.#fatal ??= foreign;
      this.http.giveUp(foreign);
    }
    const isGood = role === 'valid' && response !== null && response.status < 300;
    if (isGood && this.#watch.isThere) this.http.widen();
    this.#tell?.({ type: 'sent', exchange, byRole: this.http.stats().byRole });
  }
}
