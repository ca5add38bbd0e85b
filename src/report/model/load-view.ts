import type { LoadResult } from './load-results.ts';

/** A type as data: a type name (`?` allows null), an object of fields, or an array with the item type. */
type Shape = string | readonly [Shape] | { readonly [field: string]: Shape };

/** The fields of a load result that the report reads. */
const LOAD: Shape = {
  scenario: 'string',
  title: 'string',
  outcome: 'string',
  reason: 'string',
  command: 'string',
  k6: { version: 'string', source: 'string' },
  startedAt: 'string',
  endedAt: 'string',
  limits: { requests: 'number', windowMs: 'number' },
  requests: {
    sent: 'number',
    admitted: 'number',
    refused: 'number',
    other: 'number',
    failed: 'number',
  },
  requirements: [
    {
      id: 'string',
      level: 'string',
      title: 'string',
      outcome: 'string',
      judged: 'number',
      findings: [{ message: 'string', expected: 'string', actual: 'string' }],
      total: 'number',
    },
  ],
  readings: [{ question: 'string', answer: 'string' }],
  windows: [
    {
      key: 'string',
      resetAt: 'number?',
      from: 'number',
      to: 'number',
      admitted: 'number',
      refused: 'number',
      remaining: ['number?'],
    },
  ],
  latency: [
    {
      endpoint: 'string',
      status: 'string',
      count: 'number',
      min: 'number',
      p50: 'number',
      p95: 'number',
      p99: 'number',
      max: 'number',
      bucketed: 'boolean',
    },
  ],
  health: {
    vus: 'number',
    dropped: 'number',
    iterations: 'number',
    spreadMs: 'number?',
    lateMs: 'number?',
    recorded: 'number',
  },
  notes: ['string'],
};

/** Optional fields, which older versions did not write. */
const ALSO: Readonly<Record<string, Shape>> = {
  windowsInAll: 'number',
  course: {
    from: 'number',
    stepMs: 'number',
    every: { admitted: 'number', refused: 'number' },
    sent: ['number'],
    answered: ['number'],
    p50: ['number?'],
    p95: ['number?'],
    p99: ['number?'],
  },
};
/** Maximum points of a series, as in the schema. */
const POINTS = 240;

/** True when the course can be drawn. */
function isDrawn({ course }: LoadResult): boolean {
  if (course === undefined) return true;
  const { stepMs, sent, answered, p50, p95, p99 } = course;
  return (
    stepMs > 0 &&
    Number.isFinite(stepMs) &&
    [sent, answered, p50, p95, p99].every(
      ({ length }) => length === sent.length && length > 0 && length <= POINTS,
    )
  );
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}

function fits(value: unknown, shape: Shape): boolean {
  if (typeof shape === 'string') {
    return shape.endsWith('?')
      ? value === null || typeof value === shape.slice(0, -1)
      : typeof value === shape;
  }
  if (isList(shape)) return Array.isArray(value) && value.every((item) => fits(item, shape[0]));
  if (typeof value !== 'object' || value === null) return false;
  const record = value as Readonly<Record<string, unknown>>;
  return Object.entries(shape).every(([field, inner]) => fits(record[field], inner));
}

/** Load results that this version can read, and how many it cannot. Checks every field: anyone may write a results file. */
export function readLoad(load: readonly unknown[]): {
  readonly results: readonly LoadResult[];
  readonly unreadable: number;
} {
  const results = load.filter(
    (one): one is LoadResult =>
      fits(one, LOAD) &&
      Object.entries(ALSO).every(([field, shape]) => {
        const value = (one as Readonly<Record<string, unknown>>)[field];
        return value === undefined || fits(value, shape);
      }) &&
      isDrawn(one as LoadResult),
  );
  return { results, unreadable: load.length - results.length };
}
