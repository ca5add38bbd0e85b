import { PAGE_FIELDS, pathsOf, RESOURCE_NAMES } from '../../spec/resources.ts';
import { bits, stream, unit } from '../data/prng.ts';
import { isArray, isObject } from '../json.ts';
import type { Json } from '../world.ts';
import { onAnswer, withHeader } from '../vocabulary.ts';
import { dimension, rarely, variant, type Choice, type Dimension } from './choice.ts';

/** Around all bodies (ruling 21). */
export const ENVELOPE: readonly Dimension[] = [
  dimension('envelope', 'none', {
    'wrapped-body': variant('4', 'Successful bodies are wrapped in code, message and data', {
      envelope: 'data',
      body: (value) => ({ code: 0, message: 'success', data: value }),
    }),
  }),
];

/** Fields of type Integer or Long, whose numbers keep their plain form whatever others look like. */
const WHOLE: ReadonlySet<string> = new Set([
  ...RESOURCE_NAMES.flatMap((resource) =>
    pathsOf(
      resource,
      'longMs',
      'longTime',
      'anyTimestamp',
      'long',
      'integer',
      'newsCategory',
      'blueVerified',
    ).map((path) => path.slice(path.lastIndexOf('/') + 1)),
  ),
  ...PAGE_FIELDS.map(({ path }) => path.slice(1)),
  'code',
  'limit',
  'retry_after',
]);

/** JSON with numbers as `write` has them. */
function written(value: Json, write: (value: number) => string, name = ''): string {
  if (typeof value === 'number') return WHOLE.has(name) ? String(value) : write(value);
  if (isArray(value)) return `[${value.map((one) => written(one, write, name)).join(',')}]`;
  if (isObject(value)) {
    const members = Object.entries(value).map(
      ([key, one]) => `${JSON.stringify(key)}:${written(one, write, key)}`,
    );
    return `{${members.join(',')}}`;
  }
  return JSON.stringify(value);
}

const numbers = (write: (value: number) => string): Choice =>
  onAnswer(
    ({ status, text }) => status === 200 && text === undefined,
    (answer) => ({ ...answer, text: written(answer.value, write) }),
  );

/** How bodies are written out; nothing that changes a body may come after these. */
export const WRITING: readonly Dimension[] = [
  dimension('numbers', 'plain', {
    'with-a-zero': numbers((value) => (Number.isInteger(value) ? `${value}.0` : String(value))),
    exponents: numbers((value) => value.toExponential()),
    'capital-exponents': numbers((value) => value.toExponential().toUpperCase()),
  }),
  dimension('bodies', 'compact', {
    indented: onAnswer(
      ({ text }) => text === undefined,
      (answer) => ({ ...answer, text: `${JSON.stringify(answer.value, null, 2)}\n` }),
    ),
    escaped: onAnswer(
      ({ text }) => text === undefined,
      (answer) => ({
        ...answer,
        text: JSON.stringify(answer.value).replaceAll(
          /[^\0-~]/g,
          (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
        ),
      }),
    ),
  }),
];

/** Every answer takes `latencyMs`, give or take a third. */
const slow =
  (latencyMs: number) =>
  (seed: number): Choice => {
    const source = stream(seed, 'latency');
    let count = 0;
    return {
      latencyMs,
      answer: (answer) => ({
        ...answer,
        delayMs: Math.round(latencyMs * (0.67 + 0.66 * unit(source, (count += 1)))),
      }),
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
export const TRANSPORT: readonly Dimension[] = [
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
    'closed-each-time': { answer: (answer) => withHeader(answer, 'connection', 'close') },
    'reset-now-and-then': resets('before', 60),
    'reset-after-counting': resets('after', 60),
  }),
  dimension('other-headers', 'none', {
    'of-a-proxy': {
      answer: (answer, { now }) => ({
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
    },
  }),
  dimension('content-type', 'with-charset', {
    'plain-json-type': variant('1', 'The content type is application/json without a charset', {
      answer: (answer) => withHeader(answer, 'content-type', 'application/json'),
    }),
    'problem-json-errors': variant(
      '7',
      'Errors have the content type application/problem+json',
      onAnswer(
        (answer) => answer.status >= 400,
        (answer) => withHeader(answer, 'content-type', 'application/problem+json'),
      ),
    ),
  }),
];
