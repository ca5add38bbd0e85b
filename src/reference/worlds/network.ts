import { bits, stream, unit } from '../data/prng.ts';
import { onAnswer, withHeader } from '../vocabulary.ts';
import { changing, dimension, rarely, type Choice, type Dimension } from './dimension.ts';

/** Every answer takes `latencyMs`, give or take a third. */
const slow =
  (latencyMs: number) =>
  (seed: number): Choice => {
    const source = stream(seed, 'latency');
    let count = 0;
    return {
      latencyMs,
      change: {
        hooks: {
          answer: (answer) => ({
            ...answer,
            delayMs: Math.round(latencyMs * (0.67 + 0.66 * unit(source, (count += 1)))),
          }),
        },
      },
    };
  };

/** About one request in `every` loses its connection; never two in a row. */
const resets =
  (when: 'before' | 'after', every: number) =>
  (seed: number): Choice => {
    const source = stream(seed, 'reset');
    let last = 0;
    return {
      network: {
        reset(count) {
          if (count - last < 5 || bits(source, count) % every !== 0) return undefined;
          last = count;
          return when;
        },
      },
    };
  };

/** The way between client and service. */
export const NETWORK_DIMENSIONS: readonly Dimension[] = [
  rarely(
    dimension('latency', 'none', {
      '5-ms': slow(5),
      '40-ms': slow(40),
      '150-ms': slow(150),
      '800-ms': slow(800),
    }),
  ),
  dimension('connections', 'kept', {
    'kept-for-a-second': { network: { keepAliveMs: 1000 } },
    'kept-for-50-ms': { network: { keepAliveMs: 50 } },
    'closed-each-time': changing({
      hooks: onAnswer(
        () => true,
        (answer) => withHeader(answer, 'connection', 'close'),
      ),
    }),
    'reset-now-and-then': resets('before', 60),
    'reset-after-counting': resets('after', 60),
  }),
  dimension('other-headers', 'none', {
    'of-a-proxy': changing({
      hooks: onAnswer(
        () => true,
        (answer, { now }) => ({
          ...answer,
          headers: {
            ...answer.headers,
            via: '1.1 edge',
            vary: 'Accept-Encoding, Origin',
            'x-request-id': `req-${now}`,
            'cache-control': 'no-store',
            'access-control-allow-origin': '*',
            'strict-transport-security': 'max-age=63072000',
            server: 'edge',
            'set-cookie': 'route=a1; Path=/; HttpOnly',
          },
        }),
      ),
    }),
  }),
];
