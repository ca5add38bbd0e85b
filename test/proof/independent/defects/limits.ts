import type { Hooks } from '../conduct/hooks.ts';

import type { Call } from '../core/call.ts';
import type { Defect } from './defect.ts';
import { plain, subtle, said } from './tools.ts';

/** Changes headers by name; undefined takes one away. */
function header(
  name: string,
  change: (was: string, call: Call, status: number) => string | undefined,
): Hooks {
  const full = `X-RateLimit-${name}`;
  return {
    headers: (call, reply) => {
      const was = reply.headers[full];
      if (was === undefined) return;
      const value = change(was, call, reply.status);
      if (value === undefined) delete reply.headers[full];
      else reply.headers[full] = value;
    },
  };
}

const COUNTING: readonly Defect[] = [
  plain('limit-19', 'The twentieth request of a minute is refused.', { limits: { requests: 19 } }),
  plain('limit-21', 'The twenty-first request of a minute is admitted.', {
    limits: { requests: 21 },
  }),
  plain('limit-30', 'Thirty requests a minute are admitted.', { limits: { requests: 30 } }),
  plain('limit-none', 'There is no limit.', { limits: { requests: 1_000_000 } }),
  plain('limit-10', 'Ten requests a minute are admitted.', { limits: { requests: 10 } }),
  plain('limit-shared', 'All keys share one count.', { countedAs: () => 'all' }),
  subtle('limit-shared-two', 'The first two keys share one count.', {
    countedAs: (_call, key) => (/-(one|two)$/.test(key) ? 'both' : key),
  }),
  plain('limit-per-path', 'Every path has a count of its own.', {
    countedAs: (call, key) => `${key} ${call.pathname}`,
  }),
  subtle('limit-per-area', 'News and everything else are counted apart.', {
    countedAs: (call, key) => `${key} ${call.pathname.startsWith('/news')}`,
  }),
  subtle('limit-etfs-apart', 'ETFs are counted apart.', {
    countedAs: (call, key) => `${key} ${call.pathname.startsWith('/etfs')}`,
  }),
  subtle('limit-per-query', 'Requests with parameters are not counted.', {
    countedAs: (call, key) => (call.query.size > 0 ? undefined : key),
  }),
  subtle('limit-hot-free', 'Hot news are not counted.', {
    countedAs: (call, key) => (call.pathname === '/news/hot' ? undefined : key),
  }),
  subtle('limit-analyses-free', 'GET /analyses is not counted.', {
    countedAs: (call, key) => (call.pathname === '/analyses' ? undefined : key),
  }),
  plain('limit-window-30', 'The window ends after 30 seconds.', { limits: { windowMs: 30_000 } }),
  plain('limit-window-120', 'The window ends after two minutes.', {
    limits: { windowMs: 120_000 },
  }),
  plain('limit-reset-not-kept', 'The window goes on for half a minute after the announced reset.', {
    limits: { windowMs: 90_000 },
    ...header('Reset', (was) => said(Number(was) - 30_000)),
  }),
  plain('limit-reset-too-late', 'The window ends half a minute before the announced reset.', {
    limits: { windowMs: 30_000 },
    ...header('Reset', (was) => said(Number(was) + 30_000)),
  }),
  subtle('limit-later-windows', 'From the second window on 25 requests are admitted.', later(25)),
  subtle('limit-later-fewer', 'From the second window on 15 requests are admitted.', later(15)),
  subtle('limit-double-page', 'Requests of page 2 count twice.', {
    limiter: (inner) => inner,
    countedAs: (_call, key) => key,
    ...doubled(),
  }),
];

function doubled(): Hooks {
  let next = false;
  return {
    countedAs: (call, key) => {
      next = call.query.get('page') === '2';
      return key;
    },
    limiter: (inner) => ({
      take: (key, now) => {
        if (next) inner.take(key, now);
        return inner.take(key, now);
      },
    }),
  };
}

/** Right in the first window of a key, wrong afterwards. */
function later(most: number): Hooks {
  return {
    limits: { requests: 100 },
    limiter: (inner) => {
      const resets = new Map<string, { reset: number; windows: number; used: number }>();
      return {
        take: (key, now) => {
          const { reset } = inner.take(key, now);
          let one = resets.get(key);
          if (one === undefined || one.reset !== reset) {
            one = { reset, windows: (one?.windows ?? 0) + 1, used: 0 };
            resets.set(key, one);
          }
          const allowed = one.windows > 1 ? most : 20;
          const admitted = one.used < allowed;
          if (admitted) one.used += 1;
          return { admitted, remaining: Math.max(0, Math.min(20, allowed) - one.used), reset };
        },
      };
    },
  };
}

const HEADERS: readonly Defect[] = [
  plain(
    'header-limit-100',
    'X-RateLimit-Limit says 100.',
    header('Limit', () => '100'),
  ),
  plain(
    'header-remaining-first',
    'X-RateLimit-Remaining does not count the request itself.',
    header('Remaining', (was) => said(Number(was) + 1)),
  ),
  plain(
    'header-remaining-steady',
    'X-RateLimit-Remaining is always 20.',
    header('Remaining', () => '20'),
  ),
  plain(
    'header-remaining-used',
    'X-RateLimit-Remaining counts up.',
    header('Remaining', (was) => said(20 - Number(was))),
  ),
  subtle(
    'header-remaining-skips',
    'X-RateLimit-Remaining goes down by two.',
    header('Remaining', (was) => said(Math.max(0, 20 - (20 - Number(was)) * 2))),
  ),
  subtle(
    'header-remaining-429',
    'X-RateLimit-Remaining is 1 on the refusal.',
    header('Remaining', (was, _call, status) => (status === 429 ? '1' : was)),
  ),
  subtle(
    'header-remaining-negative',
    'X-RateLimit-Remaining is -1 on the refusal.',
    header('Remaining', (was, _call, status) => (status === 429 ? '-1' : was)),
  ),
  plain(
    'header-remaining-text',
    'X-RateLimit-Remaining is a sentence.',
    header('Remaining', (was) => `${was} of 20`),
  ),
  plain(
    'header-reset-seconds',
    'X-RateLimit-Reset is in seconds.',
    header('Reset', (was) => said(Math.floor(Number(was) / 1000))),
  ),
  plain(
    'header-reset-relative',
    'X-RateLimit-Reset is the time that is left.',
    header('Reset', (was, call) => said(Number(was) - call.now)),
  ),
  plain(
    'header-reset-date',
    'X-RateLimit-Reset is a date.',
    header('Reset', (was) => new Date(Number(was)).toISOString()),
  ),
  plain(
    'header-reset-moves',
    'X-RateLimit-Reset is always a minute ahead, though windows are fixed.',
    header('Reset', (_was, call) => said(call.now + 60_000)),
  ),
  subtle(
    'header-reset-past',
    'X-RateLimit-Reset is the beginning of the window.',
    header('Reset', (was) => said(Number(was) - 60_000)),
  ),
  subtle(
    'header-reset-429',
    'X-RateLimit-Reset of the refusal is in seconds.',
    header('Reset', (was, _call, status) =>
      status === 429 ? said(Math.floor(Number(was) / 1000)) : was,
    ),
  ),
  subtle(
    'header-limit-429',
    'X-RateLimit-Limit of the refusal is 0.',
    header('Limit', (was, _call, status) => (status === 429 ? '0' : was)),
  ),
  ...['Limit', 'Remaining', 'Reset'].map((name) =>
    plain(
      `header-${name.toLowerCase()}-missing`,
      `The refusal has no X-RateLimit-${name}.`,
      header(name, (was, _call, status) => (status === 429 ? undefined : was)),
    ),
  ),
];

/** Defects of counting, and of what the headers say. */
export const LIMIT_DEFECTS: readonly Defect[] = [...COUNTING, ...HEADERS];
