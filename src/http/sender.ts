import type { Exchange, KeyRole } from '../spec/exchange.ts';
import { isFromCache } from '../judge/origin/from-cache.ts';
import type { KeyRing } from '../target/keys.ts';
import { TargetError } from '../target/errors.ts';
import type { Target } from '../target/target.ts';
import { SessionError } from './errors.ts';
import type { Client, ClientAnswer } from './client.ts';
import type { Settlement } from './pace/key-window.ts';
import type { JournalState, JournalWriter } from './record/journal-writer.ts';
import { inCase } from './key-header.ts';
import { rateAnnouncement } from './pace/rate-headers.ts';
import type { Recorder, Recording } from './record/recorder.ts';
import { requestHeaders } from './request-headers.ts';
import type { RunClock } from './pace/run-clock.ts';
import type { Plan } from './session-options.ts';
import type { SkewEstimate } from './pace/skew.ts';

export interface SenderOptions {
  readonly target: Target;
  readonly ring: KeyRing;
  readonly client: Pick<Client, 'send'>;
  readonly clock: RunClock;
  readonly skew: SkewEstimate;
  readonly recorder: Recorder;
  readonly journal: JournalWriter | null;
  readonly signal: AbortSignal;
  readonly userAgent: string;
  /** Called when a request is sent. */
  readonly onSent: (role: KeyRole) => void;
  /** State to write to the journal with each exchange. */
  readonly state: () => JournalState;
}

/** Parameters of one request. */
export interface Sending {
  readonly keyIndex: number;
  readonly attempt: number;
  /** Number of the current sequence, if any. */
  readonly sequence: number | undefined;
  /** Called with the answer for the window of the key, or null. */
  readonly settle: (settlement: Settlement | null) => void;
}

/** Sends single requests and records them in the journal before and after. */
export class Sender {
  readonly #options: SenderOptions;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /**
   * @throws SessionError when request or answer cannot be written to the journal; an unwritten request is not sent.
   * @throws SessionError when the gateway token cannot be refreshed; nothing is sent.
   */
  async send(plan: Plan, sending: Sending): Promise<Exchange> {
    const { ring, client, clock, skew, recorder, journal, signal } = this.#options;
    try {
      await this.#options.target.http.bearer?.refresh();
    } catch (error) {
      sending.settle(null);
      if (!(error instanceof TargetError)) throw error;
      throw new SessionError('ASSAY_NO_TOKEN', error.message, error.hint);
    }
    const { target, method, role } = plan;
    const key = ring.keys(role)[sending.keyIndex] ?? null;
    const headers = this.#headers(plan, key);
    const recording = (answer: ClientAnswer): Recording => ({
      id,
      target,
      method,
      headers,
      role,
      key,
      answer,
      skewMs: skew.ms + clock.advancedMs,
      attempt: sending.attempt,
      sequence: sending.sequence,
      purpose: plan.purpose,
    });
    const id = recorder.nextId();
    if (journal !== null) {
      const exchange = recorder.draft(recording(unanswered(clock.localNow())));
      try {
        journal.write({ type: 'sent', exchange, ...this.#options.state() });
      } catch (error) {
        sending.settle(null);
        throw error;
      }
    }
    this.#options.onSent(role);
    const sentAt = clock.now();
    const { origin, requestPath } = target;
    const answer = await client.send({ method, origin, requestPath, headers, signal });
    const { response } = answer;
    if (response !== null && !isFromCache(response.headers)) {
      skew.observe(response.headers['date'], sentAt, clock.now());
    }
    const exchange = recorder.record(recording(answer));
    sending.settle(settlementOf(exchange));
    journal?.write({ type: 'answer', exchange, ...this.#options.state() });
    return exchange;
  }

  #headers({ target, options }: Plan, key: string | null): Record<string, string> {
    const { http, auth } = this.#options.target;
    return requestHeaders({
      host: new URL(target.origin).host,
      userAgent: this.#options.userAgent,
      configured: http.headers,
      keyHeader: inCase(auth.header, options.headerCase),
      key: options.emptyKey === true ? '' : key,
      extra: options.headers ?? {},
    });
  }
}

/** What an exchange says about the window of its key; null without an answer. */
export function settlementOf({ response }: Exchange): Settlement | null {
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
