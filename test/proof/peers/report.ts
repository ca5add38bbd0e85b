import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorObject } from 'ajv/dist/2020.js';
import { DEFECT_KINDS } from '#src/contract/defect-kinds.ts';
import type { DefectKind } from '#src/contract/defect-kinds.ts';

/** What a tool came to on a server with a fault or a variant. */
export interface CaseResult {
  /** Requests as counted at the server. */
  readonly requests: number;
  /** Those of them with a valid key, which are the ones that a limit meters. */
  readonly metered: number;
  /** Failures that it never reported on the clean server, whatever the seed; the first few of `freshCount`. */
  readonly fresh: readonly string[];
  readonly freshCount: number;
  /** Why the run is incomplete, where it is. */
  readonly trouble?: string;
}

/** One run against the clean server. */
export interface CleanRun {
  readonly tool: string;
  readonly seed: number;
  readonly requests: number;
  readonly failures: readonly string[];
  readonly trouble?: string;
}

export interface ToolFacts {
  readonly id: string;
  readonly title: string;
  readonly version: string;
  readonly command: string;
  /** True when the rate limit of the server was lifted for it. */
  readonly open: boolean;
  /** True when it was run against the clean server only. */
  readonly cleanOnly: boolean;
}

export interface FaultCase {
  readonly id: string;
  readonly title: string;
  readonly section: string;
  readonly class: DefectKind;
  readonly subtle: boolean;
  /** By id of the tool. */
  readonly results: Readonly<Record<string, CaseResult>>;
}

export interface VariantCase {
  readonly id: string;
  readonly title: string;
  readonly section: string;
  readonly results: Readonly<Record<string, CaseResult>>;
}

/** The content of `reports/peers.json`. */
export interface PeersReport {
  readonly schemaVersion: 1;
  /** Day of the measurement, YYYY-MM-DD. */
  readonly date: string;
  /** Seed of the samples and of every run against a fault or a variant. */
  readonly seed: number;
  readonly versions: Readonly<Record<string, string>>;
  readonly tools: readonly ToolFacts[];
  /** Faults of the whole catalogue, by class. */
  readonly catalogue: Readonly<Record<DefectKind, number>>;
  readonly clean: readonly CleanRun[];
  readonly faults: readonly FaultCase[];
  readonly variants: readonly VariantCase[];
}

const TEXT = { type: 'string', minLength: 1 };
const COUNT = { type: 'integer', minimum: 0 };
const TEXTS = { type: 'array', items: TEXT, uniqueItems: true };

function record(required: Readonly<Record<string, unknown>>, optional: object = {}): object {
  return {
    type: 'object',
    required: Object.keys(required),
    properties: { ...required, ...optional },
    additionalProperties: false,
  };
}

const RESULTS = {
  type: 'object',
  minProperties: 1,
  additionalProperties: record(
    { requests: COUNT, metered: COUNT, fresh: TEXTS, freshCount: COUNT },
    { trouble: TEXT },
  ),
};
const CASE = { id: TEXT, title: TEXT, section: TEXT };

const SCHEMA = record({
  schemaVersion: { const: 1 },
  date: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
  seed: COUNT,
  versions: { type: 'object', additionalProperties: TEXT },
  tools: {
    type: 'array',
    minItems: 2,
    items: record({
      id: TEXT,
      title: TEXT,
      version: TEXT,
      command: TEXT,
      open: { type: 'boolean' },
      cleanOnly: { type: 'boolean' },
    }),
  },
  catalogue: record(Object.fromEntries(DEFECT_KINDS.map((one) => [one, COUNT]))),
  clean: {
    type: 'array',
    minItems: 1,
    items: record({ tool: TEXT, seed: COUNT, requests: COUNT, failures: TEXTS }, { trouble: TEXT }),
  },
  faults: {
    type: 'array',
    items: record({
      ...CASE,
      class: { enum: DEFECT_KINDS },
      subtle: { type: 'boolean' },
      results: RESULTS,
    }),
  },
  variants: { type: 'array', items: record({ ...CASE, results: RESULTS }) },
});

/**
 * Takes a value for a report.
 * @throws Error that names the first place that is not as it must be
 */
export function readPeersReport(value: unknown): PeersReport {
  const validate = new Ajv2020({ allErrors: false, strictTypes: false }).compile<PeersReport>(
    SCHEMA,
  );
  if (validate(value)) return value;
  const error: ErrorObject | undefined = validate.errors?.[0];
  throw new Error(
    `This is no report of the comparison: ${error?.instancePath ?? ''} ${error?.message ?? ''}. Run npm run bench:peers.`,
  );
}
