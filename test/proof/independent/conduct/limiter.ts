import { MINUTE } from '../core/clock.ts';
import { hashOf } from '../core/random.ts';
import type { World } from '../worlds/world.ts';

/** What a defect may change about the counting. */
export interface LimiterSettings {
  readonly requests: number;
  readonly windowMs: number;
}

/** The answer of the limiter to one request. */
export interface Ticket {
  readonly admitted: boolean;
  readonly remaining: number;
  /** When the window ends, epoch ms. */
  readonly reset: number;
}

/** Counts the requests of every key. */
export interface Limiter {
  take(key: string, now: number): Ticket;
}

interface Window {
  start: number;
  used: number;
}

/** Windows that begin with the first request, or with the clock. */
function windows(
  settings: LimiterSettings,
  startOf: (key: string, now: number) => number,
): Limiter {
  const open = new Map<string, Window>();
  const { requests, windowMs } = settings;
  return {
    take: (key, now) => {
      let window = open.get(key);
      if (window === undefined || now >= window.start + windowMs) {
        window = { start: startOf(key, now), used: 0 };
        open.set(key, window);
      }
      const admitted = window.used < requests;
      if (admitted) window.used += 1;
      return { admitted, remaining: requests - window.used, reset: window.start + windowMs };
    },
  };
}

/** A log of the last minute; the reset is the moment at which the next request would be admitted or the oldest leaves. */
function sliding({ requests, windowMs }: LimiterSettings, countsRefused: boolean): Limiter {
  const logs = new Map<string, number[]>();
  return {
    take: (key, now) => {
      const log = (logs.get(key) ?? []).filter((time) => time > now - windowMs);
      const admitted = log.length < requests;
      if (admitted || countsRefused) log.push(now);
      logs.set(key, log);
      const first = log[Math.max(0, log.length - requests)] ?? now;
      return { admitted, remaining: Math.max(0, requests - log.length), reset: first + windowMs };
    },
  };
}

/** Twenty tokens; they come back one by one once the bucket was emptied, and all of them at the announced reset. */
function bucket({ requests, windowMs }: LimiterSettings): Limiter {
  const buckets = new Map<string, { tokens: number; reset: number }>();
  return {
    take: (key, now) => {
      let one = buckets.get(key);
      if (one === undefined || now >= one.reset) one = { tokens: requests, reset: now + windowMs };
      const admitted = one.tokens >= 1;
      if (admitted) one.tokens -= 1;
      buckets.set(key, one);
      return { admitted, remaining: Math.floor(one.tokens), reset: one.reset };
    },
  };
}

/** The limiter of a world. */
export function limiterOf(world: World, settings: LimiterSettings): Limiter {
  const { windowMs } = settings;
  return world.of('limiter', {
    fixed: windows(settings, (_key, now) => now),
    aligned: windows(settings, (_key, now) => now - (now % windowMs)),
    'aligned-by-key': windows(
      settings,
      (key, now) => now - ((now + (hashOf(key) % windowMs)) % windowMs),
    ),
    sliding: sliding(settings, false),
    'sliding-counts-refused': sliding(settings, true),
    bucket: bucket(settings),
  });
}

/** Settings as the specification states them. */
export const STATED: LimiterSettings = { requests: 20, windowMs: MINUTE };
