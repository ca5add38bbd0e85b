import type { Exchange, KeyRole } from '../spec/exchange.ts';
import type { KeyRing } from '../target/keys.ts';
import type { Target } from '../target/target.ts';
import { Client } from './client.ts';
import { clockControl } from './pace/clock-control.ts';
import { LocalClient } from './local-client.ts';
import { Pacer } from './pace/pacer.ts';
import type { AcquireOptions, KeyCapacity, Lease, Pin } from './pace/pacer.ts';
import type { Recorder } from './record/recorder.ts';
import { RunClock } from './pace/run-clock.ts';
import { Sender } from './sender.ts';
import type { Sending } from './sender.ts';
import { PACED_ROLES } from './session-options.ts';
import type { Plan, SessionOptions } from './session-options.ts';
import { SkewEstimate } from './pace/skew.ts';
import { restorePacing } from './record/restore-pacing.ts';

export interface WireOptions extends SessionOptions {
  readonly ring: KeyRing;
  readonly recorder: Recorder;
  readonly signal: AbortSignal;
  /** True while the keys of a role are used up one after the other instead of evenly. */
  readonly inTurn: (role: KeyRole) => boolean;
  /** Called when a request is sent. */
  readonly onSent: (role: KeyRole) => void;
  /** Resolves when nothing is in flight. */
  readonly quiet: () => Promise<void>;
}

/** The part of a session that needs a network and a clock. Replays do not have it. */
export class Wire {
  readonly #options: WireOptions;
  readonly #skew = new SkewEstimate();
  readonly #client: Pick<Client, 'send' | 'close'>;
  readonly #clock: RunClock;
  readonly #pacer: Pacer;
  readonly #sender: Sender;
  /** Pins of the pacer behind the returned pins. */
  readonly #pins = new WeakMap<Pin, Pin>();
  #begun: Promise<void> | null = null;
  /** True during an advance by a check, which writes to the journal itself. */
  #stepping = false;

  constructor(target: Target, options: WireOptions) {
    const { known, time, maxBodyBytes, journal = null, signal, ring } = options;
    this.#options = options;
    const localNow = (): number => this.#clock.localNow();
    this.#client =
      target.service === undefined
        ? new Client({
            http: target.http,
            now: localNow,
            ...(maxBodyBytes === undefined ? {} : { maxBodyBytes }),
          })
        : new LocalClient(target.service, localNow);
    this.#clock = new RunClock({
      ...time,
      ...(target.clock && { advance: clockControl(target.clock.control, this.#client) }),
      onAdvance: (now, sentAt, receivedAt) => {
        this.#skew.observeExact(now, sentAt, receivedAt);
        if (!this.#stepping) this.#noteAdvance('window');
      },
      advancedMs: known?.advancedMs,
    });
    this.#pacer = new Pacer({
      requests: target.limits.requests,
      windowMs: target.limits.windowMs,
      keys: Object.fromEntries(PACED_ROLES.map((role) => [role, ring.keys(role).length])),
      clock: this.#clock,
      skew: () => this.#skew,
      ofOneKey: options.concurrency,
      quiet: (options.concurrency ?? 1) > 1 ? options.quiet : undefined,
      onWait: options.onWait,
      inTurn: options.inTurn,
      signal,
    });
    this.#sender = new Sender({
      target,
      ring,
      client: this.#client,
      clock: this.#clock,
      skew: this.#skew,
      recorder: options.recorder,
      journal,
      signal,
      userAgent: options.userAgent ?? 'assay',
      onSent: options.onSent,
      state: () => ({ advancedMs: this.#clock.advancedMs, waitedMs: Math.round(this.waitedMs) }),
    });
    if (known !== undefined) {
      const readDates = !this.#clock.controlled;
      restorePacing(known, { pacer: this.#pacer, skew: this.#skew, ring, readDates });
    }
  }

  /** Time spent waiting for windows, including an earlier part of the run, ms. */
  get waitedMs(): number {
    return this.#pacer.waitedMs + (this.#options.known?.waitedMs ?? 0);
  }

  /** Estimated time of the target, epoch ms. */
  targetNow(): number {
    return Math.round(this.#clock.now() + this.#skew.ms);
  }

  /**
   * Called before the first request. Gets the time of a test target with a controlled clock, which may differ from
   * ours: not every response has a `Date`, and an interrupted advance may or may not have happened.
   */
  async begin(): Promise<void> {
    if (!this.#clock.controlled) return;
    // Errors are ignored here; the following request shows whether the target responds.
    this.#begun ??= this.#clock.advance(0).then(
      () => undefined,
      () => undefined,
    );
    await this.#begun;
  }

  /** Acquires permission to send one request, as soon as the limit of a key permits. */
  async acquire(options: AcquireOptions): Promise<Lease> {
    const { pin } = options;
    if (pin === undefined) return this.#pacer.acquire(options);
    const real = this.#pins.get(pin);
    // A pin of recorded exchanges has no real pin: continue without it.
    if (real === undefined)
      return this.#pacer.acquire({ ...options, pin: undefined, keyIndex: pin.keyIndex });
    return this.#pacer.acquire({ ...options, pin: real });
  }

  /** Takes a key out of the pool. `onRelease` is called once when it is released. */
  async pin(role: KeyRole, keyIndex: number | undefined, onRelease: () => void): Promise<Pin> {
    const real = await this.#pacer.pin(role, keyIndex);
    let held = true;
    const pin: Pin = {
      role: real.role,
      keyIndex: real.keyIndex,
      capacity: () => real.capacity(),
      release: () => {
        real.release();
        if (held) onRelease();
        held = false;
      },
    };
    this.#pins.set(pin, real);
    return pin;
  }

  /** Maximum number of parallel requests per key. */
  get ofOneKey(): number {
    return this.#pacer.ofOneKey;
  }

  capacity(role: KeyRole): KeyCapacity[] {
    return this.#pacer.capacity(role);
  }

  async send(plan: Plan, sending: Sending): Promise<Exchange> {
    return this.#sender.send(plan, sending);
  }

  /** Advances the clock of a test target for a check. @throws TargetError without `clock.control`. */
  async advance(ms: number, sequence: number | undefined): Promise<void> {
    await this.begin();
    this.#stepping = true;
    try {
      await this.#clock.advance(ms);
    } finally {
      this.#stepping = false;
    }
    this.#noteAdvance('check', sequence);
  }

  /** Waits in real time. */
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

  #noteAdvance(by: 'check' | 'window', sequence?: number): void {
    this.#options.journal?.write({
      type: 'advance',
      advancedMs: this.#clock.advancedMs,
      by,
      ...(sequence === undefined ? {} : { sequence }),
    });
  }
}
