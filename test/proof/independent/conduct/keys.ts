import { hashOf } from '../core/random.ts';
import type { World } from '../worlds/world.ts';

/** What a key may do. */
export interface KeyRing {
  readonly valid: readonly string[];
  readonly disabled: string;
  readonly expired: string;
  readonly restricted: string;
  readonly nearQuota: string;
}

export const QUOTA = 100_000;
/** What is left to the key near its quota when the service starts. */
export const QUOTA_LEFT = 5;

const FORBIDDEN: Readonly<Record<string, readonly string[]>> = {
  news: ['/news', '/news/featured', '/news/hot', '/news/search'],
  etfs: ['/etfs/summary-history', '/etfs/{ticker}/history'],
  many: [
    '/news',
    '/currencies/{currency_id}',
    '/crypto-stocks',
    '/analyses',
    '/macro/events/{event}/history',
  ],
};

/** The keys of a world. */
export function keysOf(world: World): KeyRing {
  const key = (name: string): string =>
    `ik-${hashOf(`${world.seed} ${name} a`).toString(36)}${hashOf(`${world.seed} ${name} b`).toString(36)}-${name}`;
  return {
    valid: [key('one'), key('two'), key('three')],
    disabled: key('off'),
    expired: key('old'),
    restricted: key('narrow'),
    nearQuota: key('last'),
  };
}

/** Path templates that the restricted key may not call. */
export function forbidden(world: World): readonly string[] {
  return FORBIDDEN[world.choice('restricted-to')] ?? [];
}

export type Status = 'good' | 'unknown' | 'expired';

/** Whether a key may be used at all. Keys are compared as they are: no trimming, no folding. */
export function statusOf(keys: KeyRing, key: string | undefined): Status {
  if (key === keys.expired) return 'expired';
  const good = key !== undefined && [...keys.valid, keys.restricted, keys.nearQuota].includes(key);
  return good ? 'good' : 'unknown';
}
