import { ENDPOINT_PATHS, endpoint as factsOf } from '../../spec/endpoints.ts';
import type { EndpointPath } from '../../spec/endpoints.ts';
import type { Answer, Context, Hooks } from '../hooks.ts';
import { counting, enforced } from '../../../suites/8-limits/faults/limiter-faults.ts';
import {
  afterReset,
  isRateRefusal,
  onAdmission,
  onAnswer,
  onDetails,
  withHeader,
} from '../vocabulary.ts';
import { entriesOf, faultsBy, nameOf, slugOf } from './operator.ts';
import type { OperatorEntry, OperatorFault } from './operator.ts';

const HEADERS = ['limit', 'remaining', 'reset'] as const;
type Header = (typeof HEADERS)[number];
const nameIn = (header: Header): string => `x-ratelimit-${header}`;

type Which = (answer: Answer, context: Context) => boolean;

/** The responses on which a header is changed. */
const ANSWERS: readonly (readonly [name: string, says: string, which: Which])[] = [
  ['everywhere', '', () => true],
  ['on-refusals', ' on refusals of the limiter', isRateRefusal],
  ['on-admitted', ' on admitted requests', (answer) => answer.status !== 429],
  [
    'on-errors',
    ' on errors of admitted requests',
    (answer) => answer.status >= 400 && answer.status !== 429,
  ],
  ['after-reset', ' after the first reset', (_answer, context) => afterReset(context)],
];

/** A defect of the value of a header; undefined removes it. */
type Rewrite = readonly [
  name: string,
  says: string,
  change: (value: string, context: Context) => string | undefined,
];

const add =
  (step: number): Rewrite[2] =>
  (value) =>
    String(Number(value) + step);

const COMMON: readonly Rewrite[] = [
  ['empty', 'is empty', () => ''],
  ['text', 'is not a number', () => 'n/a'],
  ['fraction', 'has a decimal point', (value) => `${value}.5`],
  ['negative', 'is negative', (value) => `-${value === '0' ? '1' : value}`],
];

const REWRITES: Readonly<Record<Header, readonly Rewrite[]>> = {
  limit: [
    ...COMMON,
    ['one-more', 'is one too many', add(1)],
    ['one-less', 'is one too few', add(-1)],
    ['with-window', 'also contains the window', (value) => `${value};w=60`],
    ['other', 'is 100', () => '100'],
  ],
  remaining: [
    ...COMMON,
    ['one-more', 'is one too many', add(1)],
    ['constant', 'is constant', () => '7'],
    ['used', 'counts up', (value) => String(20 - Number(value))],
  ],
  reset: [
    ...COMMON,
    ['seconds', 'is in seconds', (value) => String(Math.floor(Number(value) / 1000))],
    [
      'wait',
      'is the time left, in milliseconds',
      (value, { now }) => String(Math.max(1, Number(value) - now)),
    ],
    [
      'wait-seconds',
      'is the time left, in seconds',
      (value, { now }) => String(Math.ceil((Number(value) - now) / 1000)),
    ],
    ['date', 'is a date', (value) => new Date(Number(value)).toISOString()],
    ['past', 'is in the past', (_value, { now }) => String(now - 5000)],
    ['a-window-late', 'is one window too late', add(60_000)],
    ['constant', 'is constant', () => '1700000000000'],
  ],
};

const rewriting = (header: Header, change: Rewrite[2], which: Which): Hooks =>
  onAnswer(
    (answer, context) => nameIn(header) in answer.headers && which(answer, context),
    (answer, context) => {
      const name = nameIn(header);
      return withHeader(answer, name, change(answer.headers[name] ?? '', context));
    },
  );

function headerEntries(header: Header): readonly OperatorEntry[] {
  const title = `X-RateLimit-${header.slice(0, 1).toUpperCase()}${header.slice(1)}`;
  return [
    {
      at: `${header}/missing-on-refusals`,
      title: `${title} is missing on refusals of the limiter`,
      hooks: rewriting(header, () => undefined, isRateRefusal),
    },
    ...REWRITES[header].flatMap(([name, says, change]) =>
      ANSWERS.map(([where, on, which]): OperatorEntry => ({
        at: `${header}/${name}/${where}`,
        title: `${title} ${says}${on}`,
        hooks: rewriting(header, change, which),
      })),
    ),
  ];
}

const admitting = (actual: number): Hooks => ({
  limiter: (settings) => enforced(settings, actual),
});

/** Gives each request of an endpoint its own bucket. */
function uncounted(path: EndpointPath): Hooks {
  let requests = 0;
  return {
    bucket(bucket, { endpoint }) {
      if (endpoint !== path) return bucket;
      requests += 1;
      return `${bucket} ${requests}`;
    },
  };
}

const entry = entriesOf('', '');

const LIMITS: readonly OperatorEntry[] = [
  ...[1, 10, 15, 19, 21, 22, 25, 40, 60].map((actual) =>
    entry(
      `limit/${actual}-admitted`,
      `The limiter admits ${actual} requests per window and announces 20`,
      admitting(actual),
    ),
  ),
  entry('limit/none', 'The limiter never refuses a request', admitting(Number.MAX_SAFE_INTEGER)),
  ...Object.entries({ half: 0.5, 'three-quarters': 0.75, double: 2, triple: 3 }).map(
    ([name, factor]) =>
      entry(
        `window/${name}`,
        `The limiter counts in windows of ${factor} times the announced length`,
        { limiter: (settings) => counting(settings, settings.windowMs * factor) },
      ),
  ),
  entry('bucket/one-for-all', 'All keys are counted together', { bucket: () => 'everyone' }),
  entry('bucket/by-endpoint', 'Every endpoint is counted separately', {
    bucket: (bucket, { endpoint }) => `${bucket} ${endpoint ?? ''}`,
  }),
  entry('bucket/by-section', 'Every area is counted separately', {
    bucket: (bucket, { endpoint }) => `${bucket} ${endpoint?.split('/')[1] ?? ''}`,
  }),
  entry('bucket/by-query', 'Every query is counted separately', {
    bucket: (bucket, { query }) => `${bucket} ${[...query].join(' ')}`,
  }),
  ...ENDPOINT_PATHS.map((path) =>
    entry(`uncounted/${slugOf(path)}`, `${nameOf(path)} is not counted`, uncounted(path)),
  ),
];

/** Defects of the body of the limiter's refusal. */
const REFUSALS: readonly OperatorEntry[] = (
  [
    ['limit-other', 'details.limit is 100', { limit: 100 }],
    ['limit-text', 'details.limit is a string', { limit: '20' }],
    ['window-other', 'details.window is 1m', { window: '1m' }],
    ['window-number', 'details.window is a number', { window: 60 }],
    ['retry-text', 'details.retry_after is a string', { retry_after: '30' }],
    ['retry-fraction', 'details.retry_after has a fraction', { retry_after: 12.5 }],
    ['retry-negative', 'details.retry_after is negative', { retry_after: -1 }],
  ] as const
).map(([name, says, change]) => ({
  at: name,
  title: `The limiter's refusal: ${says}`,
  // The specification requires an integer, of either sign.
  ...(name === 'retry-negative' && { level: 'should' as const }),
  hooks: onDetails('tooManyRequests', (details) =>
    details['retry_after'] === undefined ? details : { ...details, ...change },
  ),
}));

/** Admitted requests that are missing in the headers, by endpoint. */
const BY_ENDPOINT: readonly OperatorFault[] = ENDPOINT_PATHS.filter(
  (path) => factsOf(path).section !== '4.7',
).flatMap((path) =>
  faultsBy('rate-header', path, [
    {
      at: `${slugOf(path)}/remaining-one-more`,
      title: `${nameOf(path)} is counted, but X-RateLimit-Remaining does not show it`,
      hooks: onAdmission(
        (admission) =>
          admission.admitted ? { ...admission, remaining: admission.remaining + 1 } : admission,
        ({ endpoint }) => endpoint === path,
      ),
    },
  ]),
);

/** Headers and counting of the limiter (§8). */
export const limiterOperators = (): readonly OperatorFault[] => [
  ...faultsBy('rate-header', null, HEADERS.flatMap(headerEntries)),
  ...BY_ENDPOINT,
  ...faultsBy('limiter', null, LIMITS),
  ...faultsBy('rate-refusal', null, REFUSALS),
];
