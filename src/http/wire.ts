import type { Exchange, KeyRole } from '../spec/exchange.ts';
import { isFromCache } from '../judge/origin/from-cache.ts';
import { TargetError } from '../target/errors.ts';
import type { KeyRing } from '../target/keys.ts';
import type { Target } from '../target/target.ts';
import { localClient, openClient, type ClientAnswer } from './client.ts';
import { SessionError } from './errors.ts';
import { inCase } from './key-header.ts';
import { clockControl, runClock, type RunClock } from './pace/run-clock.ts';
import { type Settlement, rateAnnouncement } from './pace/key-window.ts';
import { pacerOf, type Lease, type Pacer } from './pace/pacer.ts';
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

/** Sends the requests of a session. */
export type Wire = ReturnType<typeof openWire>;

/**
 * The part of a session that needs a network and a clock: sends single requests and records them, in the journal before
 * and after. Replays do not have it.
 */
export function openWire(target: Target, options: WireOptions) {
  const { known, time, signal, ring, recorder, journal } = options;
  const { http, auth, limits } = target;
  const skew = new SkewEstimate();
  const now = (): number => clock.preciseNow();
  const client =
    target.service === undefined ? openClient(http, now) : localClient(target.service, now);
  const clock: RunClock = runClock({
    ...time,
    ...(target.clock && { advance: clockControl(target.clock.control, client) }),
    onAdvance: (at, sentAt, receivedAt) => skew.observeExact(at, sentAt, receivedAt),
  });
  /** Gives permission to send, as soon as the limit of a key permits. */
  const pacer = pacerOf({
    requests: limits.requests,
    windowMs: limits.windowMs,
    keys: Object.fromEntries(PACED_ROLES.map((role) => [role, ring.keys(role).length])),
    clock,
    skewMs: () => skew.ms,
    ofOneKey: options.concurrency,
    quiet: (options.concurrency ?? 1) > 1 ? options.quiet : undefined,
    onWait: options.onWait,
    first: options.first,
    signal,
  });
  if (known !== undefined && !clock.controlled) restore(known, ring, pacer, skew);
  let begun: Promise<void> | null = null;

  /** Time spent waiting for windows, including an earlier part of the run, ms. */
  const waitedMs = (): number => Math.round(pacer.waitedMs) + (known?.waitedMs ?? 0);
  /**
   * Called before the first request. Gets the time of a test target with a controlled clock, which may differ from
   * ours: not every response has a `Date`, and an interrupted advance may or may not have happened. A resumed run
   * begins in new windows there.
   */
  const begin = async (): Promise<void> => {
    if (!clock.controlled) return;
    // Errors are ignored here; the following request shows whether the target responds.
    begun ??= clock.advance(known === undefined ? 0 : 2 * limits.windowMs).then(
      () => undefined,
      () => undefined,
    );
    await begun;
  };
  const refreshToken = async (): Promise<void> => {
    try {
      await http.bearer?.refresh();
    } catch (error) {
      if (!(error instanceof TargetError)) throw error;
      throw new SessionError('ASSAY_NO_TOKEN', error.message, error.hint);
    }
  };
  /** Names are case-insensitive; a configured key header never replaces that of the role. */
  const headersOf = ({ target: to, options: of }: Plan, key: string | null) => {
    const sent = of.emptyKey === true ? '' : key;
    const configured = Object.entries(http.headers).filter(
      ([name]) => name.toLowerCase() !== auth.header.toLowerCase(),
    );
    const headers = [
      ['host', new URL(to.origin).host],
      ['accept', 'application/json'],
      // Compressed responses are decompressed anyway, but requesting them would only cost time.
      ['accept-encoding', 'identity'],
      ['user-agent', 'assay'],
      ...configured,
      ...(sent === null ? [] : [[inCase(auth.header, of.headerCase), sent] as const]),
      ...Object.entries(of.headers ?? {}),
    ] as const;
    const byName = new Map(headers.map(([name, value]) => [name.toLowerCase(), [name, value]]));
    return Object.fromEntries(byName.values()) as Record<string, string>;
  };
  return {
    pacer,
    begin,
    get waitedMs(): number {
      return waitedMs();
    },
    /** Estimated time of the target, epoch ms. */
    targetNow: (): number => Math.round(clock.now() + skew.ms),
    /**
     * @throws SessionError when request or answer cannot be written to the journal, or when the gateway token cannot be
     * refreshed; an unwritten request is not sent
     */
    async send(
      plan: Plan,
      { keyIndex, settle }: Lease,
      part: Pick<Recording, 'attempt' | 'sequence'>,
    ): Promise<Exchange> {
      const { target: to, method, role, purpose } = plan;
      const { origin, requestPath } = to;
      const key = ring.keys(role)[keyIndex] ?? null;
      let id = '';
      let headers: Record<string, string> = {};
      const recording = (answer: ClientAnswer): Recording => ({
        id,
        target: to,
        method,
        headers,
        role,
        key,
        answer,
        ...part,
        purpose,
        skewMs: skew.ms + clock.advancedMs,
      });
      try {
        await refreshToken();
        headers = headersOf(plan, key);
        id = recorder.nextId();
        if (journal !== undefined) {
          const exchange = recorder.draft(recording(unanswered(clock.localNow())));
          journal.write({ type: 'sent', exchange, waitedMs: waitedMs() });
        }
      } catch (error) {
        settle(null);
        throw error;
      }
      options.onSent(role);
      const sentAt = clock.now();
      const answer = await client.send({ method, origin, requestPath, headers, signal });
      const { response } = answer;
      if (response !== null && !isFromCache(response.headers)) {
        skew.observe(response.headers['date'], sentAt, clock.now());
      }
      const exchange = recorder.keep(recorder.draft(recording(answer)));
      settle(settlementOf(exchange));
      journal?.write({ type: 'answer', exchange, waitedMs: waitedMs() });
      return exchange;
    },
    /** Advances the clock of a test target for a check. @throws TargetError without `clock.control`. */
    async advance(ms: number, sequence: number | undefined): Promise<void> {
      await begin();
      await clock.advance(ms);
      journal?.write({ type: 'advance', sequence });
    },
    pause: (ms: number): Promise<void> => clock.pause(ms, signal),
    /** A planned wait, by advancing the target's clock if possible. */
    async wait(role: KeyRole, ms: number): Promise<void> {
      options.onWait?.({ role, untilMs: clock.localNow() + ms, ms });
      await clock.wait(ms, signal);
    },
    async close(): Promise<void> {
      await client.close();
      journal?.close();
    },
  };
}

/**
 * Restores rate-limit windows and clock skew from an earlier part of the run. Otherwise a run resumed within a minute
 * would get 429s.
 */
function restore({ exchanges }: KnownRun, ring: KeyRing, pacer: Pacer, skew: SkewEstimate): void {
  const prints = ring.fingerprints();
  const inOrder = exchanges.toSorted((a, b) => a.receivedAt - b.receivedAt);
  for (const { response, sentAt, receivedAt } of inOrder) {
    skew.observe(response?.headers['date'], sentAt, receivedAt);
  }
  for (const exchange of inOrder) {
    const { role, key, error, sentAt, receivedAt } = exchange;
    if (!isPaced(role) || key === null) continue;
    const at = error?.kind === 'aborted' ? sentAt + UNSEEN_MS : receivedAt;
    const keyIndex = (prints[role] ?? []).indexOf(key);
    pacer.remember(role, keyIndex, at, settlementOf(exchange));
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
