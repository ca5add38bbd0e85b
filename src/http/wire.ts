import type { Exchange, KeyRole } from '../spec/exchange.ts';
import { isFromCache } from '../judge/origin/from-cache.ts';
import { TargetError } from '../target/errors.ts';
import type { KeyRing } from '../target/keys.ts';
import type { Target } from '../target/target.ts';
import { Client, type ClientAnswer, localClient } from './client.ts';
import { SessionError } from './errors.ts';
import { inCase } from './key-header.ts';
import { clockControl, RunClock } from './pace/run-clock.ts';
import { type Settlement, rateAnnouncement } from './pace/key-window.ts';
import { Pacer, type Lease } from './pace/pacer.ts';
import { SkewEstimate } from './pace/skew.ts';
import type { KnownRun } from './record/known-answers.ts';
import type { Recorder, Recording } from './record/recorder.ts';
import { isPaced, PACED_ROLES, type Plan, type SessionOptions } from './session-options.ts';

export interface WireOptions extends SessionOptions {
  readonly ring: KeyRing;
  readonly recorder: Recorder;
  readonly signal: AbortSignal;
  /** True while a key is used up before others. */
  readonly first: (role: KeyRole, keyIndex: number) => boolean;
  readonly onSent: (role: KeyRole) => void;
  /** Resolves when nothing is in flight. */
  readonly quiet: () => Promise<void>;
}

/** Assumed latency of an interrupted request, ms. */
const UNSEEN_MS = 1000;

/**
 * The part of a session that needs a network and a clock: sends single requests and records them, in the journal before
 * and after. Replays do not have it.
 */
export class Wire {
  readonly #target: Target;
  readonly #options: WireOptions;
  readonly #skew = new SkewEstimate();
  readonly #client: Pick<Client, 'send' | 'close'>;
  readonly #clock: RunClock;
  /** Gives permission to send, as soon as the limit of a key permits. */
  readonly pacer: Pacer;
  #begun: Promise<void> | null = null;

  constructor(target: Target, options: WireOptions) {
    const { known, time, signal, ring } = options;
    this.#target = target;
    this.#options = options;
    const now = (): number => this.#clock.preciseNow();
    this.#client =
      target.service === undefined
        ? new Client({ http: target.http, now })
        : localClient(target.service, now);
    this.#clock = new RunClock({
      ...time,
      ...(target.clock && { advance: clockControl(target.clock.control, this.#client) }),
      onAdvance: (at, sentAt, receivedAt) => this.#skew.observeExact(at, sentAt, receivedAt),
    });
    this.pacer = new Pacer({
      requests: target.limits.requests,
      windowMs: target.limits.windowMs,
      keys: Object.fromEntries(PACED_ROLES.map((role) => [role, ring.keys(role).length])),
      clock: this.#clock,
      skewMs: () => this.#skew.ms,
      ofOneKey: options.concurrency,
      quiet: (options.concurrency ?? 1) > 1 ? options.quiet : undefined,
      onWait: options.onWait,
      first: options.first,
      signal,
    });
    if (known !== undefined && !this.#clock.controlled) this.#restore(known);
  }

  /**
   * Restores rate-limit windows and clock skew from an earlier part of the run. Otherwise a run resumed within a minute
   * would get 429s.
   */
  #restore({ exchanges }: KnownRun): void {
    const prints = this.#options.ring.fingerprints();
    const inOrder = exchanges.toSorted((a, b) => a.receivedAt - b.receivedAt);
    for (const { response, sentAt, receivedAt } of inOrder) {
      this.#skew.observe(response?.headers['date'], sentAt, receivedAt);
    }
    for (const exchange of inOrder) {
      const { role, key, error, sentAt, receivedAt } = exchange;
      if (!isPaced(role) || key === null) continue;
      const at = error?.kind === 'aborted' ? sentAt + UNSEEN_MS : receivedAt;
      const keyIndex = (prints[role] ?? []).indexOf(key);
      this.pacer.remember(role, keyIndex, at, settlementOf(exchange));
    }
  }

  /** Time spent waiting for windows, including an earlier part of the run, ms. */
  get waitedMs(): number {
    return Math.round(this.pacer.waitedMs) + (this.#options.known?.waitedMs ?? 0);
  }

  /** Estimated time of the target, epoch ms. */
  targetNow(): number {
    return Math.round(this.#clock.now() + this.#skew.ms);
  }

  /**
   * Called before the first request. Gets the time of a test target with a controlled clock, which may differ from
   * ours: not every response has a `Date`, and an interrupted advance may or may not have happened. A resumed run
   * begins in new windows there.
   */
  async begin(): Promise<void> {
    if (!this.#clock.controlled) return;
    // Errors are ignored here; the following request shows whether the target responds.
    const { known } = this.#options;
    const ms = known === undefined ? 0 : 2 * this.#target.limits.windowMs;
    this.#begun ??= this.#clock.advance(ms).then(
      () => undefined,
      () => undefined,
    );
    await this.#begun;
  }

  /**
   * @throws SessionError when request or answer cannot be written to the journal, or when the gateway token cannot be
   * refreshed; an unwritten request is not sent
   */
  async send(
    plan: Plan,
    { keyIndex, settle }: Lease,
    part: Pick<Recording, 'attempt' | 'sequence'>,
  ): Promise<Exchange> {
    const { ring, recorder, journal, signal, onSent } = this.#options;
    const { target, method, role, purpose } = plan;
    const key = ring.keys(role)[keyIndex] ?? null;
    let id = '';
    let headers: Record<string, string> = {};
    const recording = (answer: ClientAnswer): Recording => ({
      id,
      target,
      method,
      headers,
      role,
      key,
      answer,
      ...part,
      purpose,
      skewMs: this.#skew.ms + this.#clock.advancedMs,
    });
    try {
      await this.#refreshToken();
      headers = this.#headers(plan, key);
      id = recorder.nextId();
      if (journal !== undefined) {
        const exchange = recorder.draft(recording(unanswered(this.#clock.localNow())));
        journal.write({ type: 'sent', exchange, waitedMs: this.waitedMs });
      }
    } catch (error) {
      settle(null);
      throw error;
    }
    onSent(role);
    const sentAt = this.#clock.now();
    const { origin, requestPath } = target;
    const answer = await this.#client.send({ method, origin, requestPath, headers, signal });
    const { response } = answer;
    if (response !== null && !isFromCache(response.headers)) {
      this.#skew.observe(response.headers['date'], sentAt, this.#clock.now());
    }
    const exchange = recorder.record(recording(answer));
    settle(settlementOf(exchange));
    journal?.write({ type: 'answer', exchange, waitedMs: this.waitedMs });
    return exchange;
  }

  async #refreshToken(): Promise<void> {
    try {
      await this.#target.http.bearer?.refresh();
    } catch (error) {
      if (!(error instanceof TargetError)) throw error;
      throw new SessionError('ASSAY_NO_TOKEN', error.message, error.hint);
    }
  }

  /** Names are case-insensitive; a configured key header never replaces that of the role. */
  #headers({ target, options }: Plan, key: string | null): Record<string, string> {
    const { http, auth } = this.#target;
    const sent = options.emptyKey === true ? '' : key;
    const configured = Object.entries(http.headers).filter(
      ([name]) => name.toLowerCase() !== auth.header.toLowerCase(),
    );
    const headers = [
      ['host', new URL(target.origin).host],
      ['accept', 'application/json'],
      // Compressed responses are decompressed anyway, but requesting them would only cost time.
      ['accept-encoding', 'identity'],
      ['user-agent', 'assay'],
      ...configured,
      ...(sent === null ? [] : [[inCase(auth.header, options.headerCase), sent] as const]),
      ...Object.entries(options.headers ?? {}),
    ] as const;
    const byName = new Map(headers.map(([name, value]) => [name.toLowerCase(), [name, value]]));
    return Object.fromEntries(byName.values()) as Record<string, string>;
  }

  /** Advances the clock of a test target for a check. @throws TargetError without `clock.control`. */
  async advance(ms: number, sequence: number | undefined): Promise<void> {
    await this.begin();
    await this.#clock.advance(ms);
    this.#options.journal?.write({ type: 'advance', sequence });
  }

  async pause(ms: number): Promise<void> {
    await this.#clock.pause(ms, this.#options.signal);
  }

  /** A planned wait, by advancing the target's clock if possible. */
  async wait(role: KeyRole, ms: number): Promise<void> {
    this.#options.onWait?.({ role, untilMs: this.#clock.localNow() + ms, ms });
    await this.#clock.wait(ms, this.#options.signal);
  }

  async close(): Promise<void> {
    await this.#client.close();
    this.#options.journal?.close();
  }
}

/** What an exchange says about the window of its key; null without an answer. */
function settlementOf({ response }: Exchange): Settlement | null {
  return response && { status: response.status, announced: rateAnnouncement(response.headers) };
}

/** Placeholder for a pending answer. */
function unanswered(now: number): ClientAnswer {
  const error = {
    kind: 'aborted',
    message: 'the run was interrupted before the response arrived',
  } as const;
  return { sentAt: now, receivedAt: now, response: null, error, oddities: [] };
}
