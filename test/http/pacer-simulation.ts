import { pacerOf, type Pacer } from '../../src/http/pace/pacer.ts';
import type { AcquireOptions, PlannedWait } from '../../src/http/pace/pacer.ts';
import { runClock } from '../../src/http/pace/run-clock.ts';
import { SkewEstimate } from '../../src/http/pace/skew.ts';
import { LimiterModel } from './limiter-model.ts';
import type { Announces, LimiterKind } from './limiter-model.ts';
import { VirtualTime } from './virtual-time.ts';

/** A target, its clock and the network. */
export interface Scenario {
  readonly kind: LimiterKind;
  readonly announces: Announces;
  readonly requests: number;
  readonly windowMs: number;
  readonly keys: number;
  /** True for a target that counts all keys together, in violation of §8. */
  readonly together?: boolean;
  /** Target's clock minus local clock, ms. */
  readonly skewMs: number;
  /** Offset of `Date` from the target's clock, ms; null for no `Date`. Default: 0. */
  readonly dateOffMs?: number | null;
  /** One-way latencies, used in turn. */
  readonly latencies: readonly number[];
  /** How far into a window the run starts. */
  readonly phase: number;
}

/** The usual target: windows of a minute, honest headers, one key. */
export const BASE: Scenario = {
  kind: 'aligned',
  announces: 'truth',
  requests: 20,
  windowMs: 60_000,
  keys: 1,
  skewMs: 0,
  latencies: [20],
  phase: 30_000,
};

/** A pacer in front of a simulated target. */
export class Simulation {
  readonly time: VirtualTime;
  readonly pacer: Pacer;
  readonly limiters: readonly LimiterModel[];
  readonly waits: PlannedWait[] = [];
  readonly start: number;
  readonly #scenario: Scenario;
  readonly #skew = new SkewEstimate();
  #sent = 0;

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
    this.start = 1_750_000_000_000 - (1_750_000_000_000 % scenario.windowMs) + scenario.phase;
    this.time = new VirtualTime(this.start);
    this.limiters = Array.from({ length: scenario.keys }, () => new LimiterModel(scenario));
    this.pacer = pacerOf({
      requests: scenario.requests,
      windowMs: scenario.windowMs,
      keys: { valid: scenario.keys },
      clock: runClock({ now: this.time.now, sleep: this.time.sleep }),
      skewMs: () => this.#skew.ms,
      onWait: (wait) => this.waits.push(wait),
    });
  }

  async send(options: Partial<AcquireOptions> = {}): Promise<number> {
    const lease = await this.pacer.acquire({ role: 'valid', ...options });
    const { latencies, skewMs, dateOffMs = 0 } = this.#scenario;
    const latency = latencies[this.#sent % latencies.length] ?? 0;
    this.#sent += 1;
    const sentAt = this.time.now();
    await this.time.sleep(latency);
    const targetNow = this.time.now() + skewMs;
    const counted = this.#scenario.together === true ? 0 : lease.keyIndex;
    const answer = this.limiters[counted]?.handle(targetNow);
    if (answer === undefined) throw new Error('no such key');
    await this.time.sleep(latency);
    const date = dateOffMs === null ? undefined : new Date(targetNow + dateOffMs).toUTCString();
    this.#skew.observe(date, sentAt, this.time.now());
    lease.settle(answer);
    return answer.status;
  }

  /** Sends `count` requests by `workers` at a time, each after its gap. */
  async sendMany(count: number, workers: number, gaps: readonly number[] = [0]): Promise<void> {
    let next = 0;
    const worker = async (): Promise<void> => {
      while (next < count) {
        next += 1;
        await this.time.sleep(gaps[next % gaps.length] ?? 0);
        await this.send();
      }
    };
    await this.time.run(Promise.all(Array.from({ length: workers }, worker)).then(() => undefined));
  }

  get refused(): number {
    return this.limiters.reduce((sum, limiter) => sum + limiter.refused, 0);
  }

  get elapsed(): number {
    return this.time.now() - this.start;
  }
}
