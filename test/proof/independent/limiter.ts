import { hashOf } from './core.ts';
import type { World } from './world.ts';

/** What a defect may change about the counting. */
export interface LimiterSettings {
  readonly requests: number;
  readonly windowMs: number;
}

/** The answer to one request; `reset` is when the window ends, epoch ms. */
export interface Ticket {
  readonly admitted: boolean;
  readonly remaining: number;
  readonly reset: number;
}

/** Counts the requests of every key. */
export type Limiter = (key: string, now: number) => Ticket;

/** The limiter of a world. */
export function limiterOf(world: World, { requests, windowMs }: LimiterSettings): Limiter {
  /** Windows that begin with the first request, or with the clock. */
  const windows = (startOf: (now: number, key: string) => number): Limiter => {
    const open = new Map<string, { start: number; used: number }>();
    return (key, now) => {
      let window = open.get(key);
      if (window === undefined || now >= window.start + windowMs) {
        window = { start: startOf(now, key), used: 0 };
        open.set(key, window);
      }
      const admitted = window.used < requests;
      if (admitted) window.used += 1;
      return { admitted, remaining: requests - window.used, reset: window.start + windowMs };
    };
  };
  /** A log of the last minute; the reset is when the next request would be admitted or the oldest leaves. */
  const sliding = (countsRefused: boolean): Limiter => {
    const logs = new Map<string, number[]>();
    return (key, now) => {
      const log = (logs.get(key) ?? []).filter((time) => time > now - windowMs);
      const admitted = log.length < requests;
      if (admitted || countsRefused) log.push(now);
      logs.set(key, log);
      const first = log[Math.max(0, log.length - requests)] ?? now;
      return { admitted, remaining: Math.max(0, requests - log.length), reset: first + windowMs };
    };
  };
  return world.of('limiter', {
    fixed: windows((now) => now),
    aligned: windows((now) => now - (now % windowMs)),
    'aligned-by-key': windows((now, key) => now - ((now + (hashOf(key) % windowMs)) % windowMs)),
    sliding: sliding(false),
    'sliding-counts-refused': sliding(true),
    // Twenty tokens that all come back at the announced reset: from outside, a window.
    bucket: windows((now) => now),
  });
}
