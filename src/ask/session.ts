import { AsyncLocalStorage } from 'node:async_hooks';
import { missingSetting, notSelected, type UntestedCause } from '../spec/cause.ts';
import type { FixtureKind } from '../spec/endpoints.ts';
import type { Exchange, KeyRole } from '../spec/exchange.ts';
import type { Exclusivity } from './check.ts';
import type { Need } from './need.ts';
import { SessionError } from '../http/errors.ts';
import { journalWriter } from '../http/record/journal-writer.ts';
import type { RequestOptions } from '../http/session-options.ts';
import { openSession, type Session } from '../http/session.ts';
import { Accepted, type Context } from '../judge/context.ts';
import type { EarlierRow, Facts } from '../judge/facts.ts';
import { deriveUnknown, type FixtureAnswer } from '../target/discover.ts';
import type { Target } from '../target/target.ts';
import { serviceWatch } from './service-watch.ts';
import { knownIds } from './known-ids.ts';
import { CONCURRENCY, type SuiteInput } from './input.ts';
import { Untested } from './outcome.ts';
import { boundsOf } from './profiles.ts';

/** Identifiers that do not exist, for each kind except currencies, which are derived from known ones. */
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

/**
 * Maximum number of keys of which a full run tests the limit. Each costs one request, and fewer are left without a
 * restricted key.
 */
const mostProbed = ({ profile, target: { keys } }: SuiteInput): number =>
  profile !== 'full' ? 1 : keys.restricted === undefined ? 3 : 8;

/** Errors that end the run. */
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

interface KeyNeed {
  readonly has: (target: Target) => boolean;
  readonly reason: string;
  readonly cause: UntestedCause;
}

const keyOf = (
  role: 'disabled' | 'expired' | 'restricted' | 'nearQuota',
  called: string,
): KeyNeed => ({
  has: ({ keys }) => keys[role] !== undefined,
  reason: `needs ${called}: set keys.${role}`,
  cause: missingSetting(`keys.${role}`),
});

const KEY_NEEDS: Readonly<Partial<Record<Need, KeyNeed>>> = {
  'second-key': {
    has: ({ keys }) => keys.valid.length > 1,
    reason: 'needs a second valid key: add one to keys.valid',
    cause: missingSetting('keys.valid'),
  },
  'disabled-key': keyOf('disabled', 'a disabled key'),
  'expired-key': keyOf('expired', 'an expired key'),
  'restricted-key': keyOf('restricted', 'a key without access to at least one endpoint'),
  'near-quota-key': keyOf('nearQuota', 'a key near its monthly quota'),
};

/** The first key that a requirement needs and the target does not have or spare; undefined when there is none. */
export function missingKey(
  needs: readonly Need[],
  target: Target,
): Pick<KeyNeed, 'reason' | 'cause'> | undefined {
  if (needs.includes('near-quota-key') && target.sparesNearQuota === true)
    return { reason: 'the monitor does not use the near-quota key', cause: notSelected('skip') };
  return needs.flatMap((need) => KEY_NEEDS[need] ?? []).find(({ has }) => !has(target));
}

/** State of a session. */
export interface SessionState {
  readonly total: number;
  readonly byRole: Readonly<Partial<Record<KeyRole, number>>>;
  readonly waitedMs: number;
  readonly facts: Facts;
  /** Existing fixtures by kind, in the order of the default seed. */
  readonly shown: Readonly<Partial<Record<FixtureKind, readonly string[]>>>;
  /** Fingerprints of keys by role. */
  readonly keys: Readonly<Partial<Record<KeyRole, readonly string[]>>>;
  /** True once an answer came from the service. */
  readonly isThere: boolean;
  /** Set when the run must end: unreachable, keys rejected, … */
  readonly fatal: {
    readonly code: string;
    readonly message: string;
    readonly hint: string;
  } | null;
}

/** The check that sends a request. */
export interface Asker {
  /** Position in the order of the run. */
  readonly position: number;
  /** When it asks; undefined when it asks ahead. */
  readonly asks?: Exclusivity | undefined;
}

/**
 * The current asker, shared by all sessions: every AsyncLocalStorage slows down all promises for the life of the
 * process.
 */
const ASKER = new AsyncLocalStorage<Asker>();

/**
 * The session shared by all checks, so that answers are reused and the pacing sees every request.
 */
export class SuiteSession {
  readonly http: Session;
  readonly target: Target;
  readonly seed: number;
  readonly path: string | null;
  /** Rows that earlier runs of the same target saw unsettled. */
  readonly earlierRows: readonly EarlierRow[];
  /** Maximum number of checks that ask in parallel. */
  readonly concurrency: number;
  readonly #tell: SuiteInput['tell'];
  readonly #unknownIds: Record<string, string[]> = {};
  readonly #malformed: string[] = [];
  readonly #doubtful: Record<string, string[]> = {};
  readonly #accepted = new Accepted();
  readonly #knownIds: ReturnType<typeof knownIds>;
  readonly #judged = new Set<string>();
  /** Position of the first check that used an exchange, by exchange id. */
  readonly #askedAt = new Map<string, number>();
  readonly #watch: ReturnType<typeof serviceWatch>;
  #fatal: SessionError | null = null;
  /** Requests with the near-quota key without an answer that can be judged, which may have counted. */
  #unseenOfQuota = 0;
  #facts: Facts | undefined;

  /** @param probeLimit whether requests may be sent to test the rate limiter */
  constructor(input: SuiteInput, probeLimit = true) {
    this.target = input.target;
    this.seed = input.seed;
    this.path = input.path;
    // A replay does not wait for anything.
    this.concurrency = input.known?.mode === 'replay' ? 1 : (input.concurrency ?? CONCURRENCY);
    this.#watch = serviceWatch(input.target.baseUrl);
    this.earlierRows = input.earlierRows ?? [];
    this.#tell = input.tell;
    this.http = openSession(input.target, {
      seed: input.seed,
      known: input.known,
      salt: input.journal?.salt,
      journal: input.journal && journalWriter(input.journal.path),
      ...(input.maxRequests === null ? {} : { maxRequests: input.maxRequests }),
      maxRestricted: input.maxRestricted,
      bounds: boundsOf(input.profile, input.maxRequests, input.known?.mode === 'resume'),
      probeLimit,
      probedKeys: mostProbed(input),
      concurrency: this.concurrency,
      position: () => ASKER.getStore()?.position ?? 0,
      alone: () => (ASKER.getStore()?.asks ?? 'alone') === 'alone',
      onExchange: (exchange) => this.#arrived(exchange),
      onWait: ({ role, untilMs, ms }) => this.#tell?.({ type: 'wait', role, untilMs, ms }),
    });
    this.#knownIds = knownIds(
      async (kind) => this.http.fixtures.get(kind),
      async (path, pathParameters) => this.send(path, { pathParameters, query: [] }),
    );
    const { malformedCurrencyId } = input.target.fixtures;
    if (malformedCurrencyId !== undefined) this.#malformed.push(malformedCurrencyId);
  }

  /** Facts about the target for the rules. */
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

  /** Facts, plus what the answers so far say about the keys. */
  context(): Context {
    return this.#accepted.context(this.facts);
  }

  /**
   * Exchanges so far, in the order sent: all of them for checks that ask alone; for serial checks only those
   * of earlier checks, because which later ones were prefetched depends on timing.
   * @throws TypeError for a check that
   * asks ahead, which is a bug in the check
   */
  get exchanges(): readonly Exchange[] {
    const asker = ASKER.getStore();
    if (asker === undefined || asker.asks === 'alone') return this.http.exchanges;
    if (asker.asks === undefined) {
      throw new TypeError(
        'a check that sends its requests ahead cannot use exchanges of other checks',
      );
    }
    return this.http.exchanges.filter(
      ({ id }) => (this.#askedAt.get(id) ?? asker.position) < asker.position,
    );
  }

  /** Runs work on behalf of an asker, whose position its requests get. */
  async asking<Result>(asker: Asker, work: () => Promise<Result>): Promise<Result> {
    return ASKER.run(asker, work);
  }

  /** Sends a request, or returns the exchange of an equal earlier request. */
  async send(path: string, options: RequestOptions): Promise<Exchange> {
    const exchange = await this.#orEnd(() => this.http.get(path, options));
    this.#noteAsker(exchange);
    return exchange;
  }

  /** Notes an error that ends the run. */
  async #orEnd<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    if (this.#fatal !== null) throw this.#fatal;
    try {
      return await ask();
    } catch (error) {
      if (error instanceof SessionError && FATAL.has(error.code)) this.#fatal ??= error;
      throw error;
    }
  }

  async fixtures(kind: FixtureKind): Promise<FixtureAnswer> {
    const before = this.#knownIds.discoveries();
    const known = await this.#orEnd(() => this.#knownIds.get(kind));
    // Discovered identifiers are part of the facts.
    if (this.#knownIds.discoveries() !== before) this.#facts = undefined;
    return known;
  }

  /** True for an identifier that comes from a list of the target and that no answer has confirmed yet (ruling 11). */
  isUnconfirmed(parameter: string, id: string): boolean {
    const discovered = this.#knownIds.discovered[parameter]?.includes(id) === true;
    return discovered && !this.#accepted.hasId(parameter, id);
  }

  /**
   * Unknown identifiers for a path parameter, or (for `path`) paths that are not endpoints: from the target file, or
   * generated, best one first.
   * @throws Untested when there is no known currency to derive one from
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

  /** An identifier similar to known ones, which may or may not exist. */
  similarId(known: readonly string[], attempt: number): string {
    return deriveUnknown(known, this.seed + attempt);
  }

  /** Tells the rules that an identifier is unknown to the target, so that an error is expected. */
  unknown(parameter: string, id: string): void {
    this.#add((this.#unknownIds[parameter] ??= []), id);
  }

  /** Tells the rules that an id is malformed, after the target has rejected it as such. */
  malformed(currencyId: string): void {
    this.#add(this.#malformed, currencyId);
  }

  /** Tells the rules that the status of an id is unclear, so that no answer to it is wrong. */
  doubtful(parameter: string, id: string): void {
    this.#add((this.#doubtful[parameter] ??= []), id);
  }

  #add(known: string[], id: string): void {
    if (known.includes(id)) return;
    known.push(id);
    this.#facts = undefined;
  }

  /** @throws Untested when the target has no key or clock that a requirement needs */
  async requireKeys(needs: readonly Need[]): Promise<void> {
    if (this.#fatal !== null) throw this.#fatal;
    const missing = missingKey(needs, this.target);
    if (missing !== undefined) throw new Untested(missing.reason, missing.cause);
  }

  /** Records the exchanges that the current check judged. */
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
      isThere: this.#watch.isThere(),
      fatal: fatal && { code: fatal.code, message: fatal.message, hint: fatal.hint },
    };
  }

  async close(): Promise<void> {
    await this.http.close();
  }

  /** An exchange belongs to the first check in the order of the run that uses it. */
  #noteAsker({ id }: Exchange): void {
    const { position } = ASKER.getStore() ?? { position: 0 };
    this.#askedAt.set(id, Math.min(position, this.#askedAt.get(id) ?? position));
  }

  #arrived(exchange: Exchange): void {
    const { role, response } = exchange;
    if (role === 'nearQuota' && (response === null || response.truncated === true)) {
      this.#unseenOfQuota += 1;
      this.#facts = undefined;
    }
    this.#accepted.note(exchange, this.facts);
    const foreign = this.#watch.observe(exchange, this.facts);
    if (foreign !== null) {
      this.#fatal ??= foreign;
      this.http.giveUp(foreign);
    }
    const isGood = role === 'valid' && response !== null && response.status < 300;
    if (isGood && this.#watch.isThere()) this.http.widen();
    this.#tell?.({ type: 'sent', exchange, byRole: this.http.stats().byRole });
  }
}
