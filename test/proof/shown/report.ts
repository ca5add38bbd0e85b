import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorObject } from 'ajv/dist/2020.js';
import { POINTS, type Curve } from './curve.ts';

/** Curves of all tools on the same faults. */
export interface CommonSample {
  /** Ids of the faults that every tool met. */
  readonly faults: readonly string[];
  /** By tool, in the order of `faults`: after how many requests it showed each of them; null when it never did. */
  readonly after: Readonly<Record<string, readonly (number | null)[]>>;
  /** Assay first. */
  readonly curves: readonly Curve[];
  /** Runs that did not end as they should, with the reason. */
  readonly troubles: readonly string[];
}

/** The content of `reports/curve.json`. */
export interface CurveReport {
  readonly schemaVersion: 1;
  /** Day of the measurement, YYYY-MM-DD. */
  readonly date: string;
  /** Seed of the sample, and of the runs of the tools. */
  readonly seed: number;
  readonly versions: Readonly<Record<string, string>>;
  /** Faults that the order of requests was not chosen with, of which the sample was drawn. */
  readonly drawnFrom: number;
  /** Budgets, in requests with a valid key, that `shown` of a curve is about. */
  readonly points: readonly number[];
  /** Tools that cost little, on the whole sample; Assay first. */
  readonly curves: readonly Curve[];
  /** Faults that Assay never showed. */
  readonly never: readonly string[];
  /** All tools, on a part of the sample: a run of a peer takes half a minute. */
  readonly common: CommonSample;
}

const TEXT = { type: 'string', minLength: 1 };
const COUNT = { type: 'integer', minimum: 0 };
const TEXTS = { type: 'array', items: TEXT, uniqueItems: true };

const record = (properties: Readonly<Record<string, unknown>>): object => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
  additionalProperties: false,
});

const CURVES = {
  type: 'array',
  minItems: 2,
  items: record({
    tool: TEXT,
    faults: { type: 'integer', minimum: 1 },
    shown: { type: 'array', items: COUNT, minItems: POINTS.length, maxItems: POINTS.length },
    all: COUNT,
    requests: COUNT,
    apfd: { type: 'number', minimum: 0, maximum: 1 },
  }),
};

const SCHEMA = record({
  schemaVersion: { const: 1 },
  date: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
  seed: COUNT,
  versions: { type: 'object', additionalProperties: TEXT },
  drawnFrom: COUNT,
  points: { const: POINTS },
  curves: CURVES,
  never: TEXTS,
  common: record({
    faults: { ...TEXTS, minItems: 1 },
    after: {
      type: 'object',
      additionalProperties: { type: 'array', items: { type: ['integer', 'null'], minimum: 0 } },
    },
    curves: CURVES,
    troubles: TEXTS,
  }),
});

/**
 * Takes a value for the figures of the curve.
 * @throws Error that names the first place that is not as it must be
 */
export function readCurveReport(value: unknown): CurveReport {
  const validate = new Ajv2020({ allErrors: false, allowUnionTypes: true }).compile<CurveReport>(
    SCHEMA,
  );
  if (validate(value)) return value;
  const error: ErrorObject | undefined = validate.errors?.[0];
  throw new Error(
    `These are no figures of the curve: ${error?.instancePath ?? ''} ${error?.message ?? ''}. Run npm run prove -- --curve --save.`,
  );
}
