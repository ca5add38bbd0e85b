import { secretsOf } from './http/secrets.ts';
import { SecretsGate } from './report/secrets-gate.ts';
import type { Results } from './report/results.ts';
import { FORMATS, type Format } from './report/formats.ts';
import type { Specification } from './report/quotations.ts';
import { readSpecification } from './report/specification.ts';
import { writeReports } from './report/write.ts';
import { startEmbedded } from './run/embedded.ts';
import { check as checkRecordings } from './run/check.ts';
import { checkOptions } from './run/check-options.ts';
import { OptionError } from './run/option-error.ts';
import { whileHolding } from './run/output-lock.ts';
import { run as runSuites } from './run/run.ts';
import type { FailOn } from './report/gate.ts';
import { readWaivers } from './run/waivers.ts';
import type { Profile } from './ask/profiles.ts';
import { REQUIREMENT_TEXTS } from './requirements/texts.ts';
import { loadTarget } from './target/resolve-target.ts';
import type { Target } from './target/target.ts';

export type { Exchange, ExchangeRequest, ExchangeResponse } from './contract/exchange.ts';
export type { RequirementId } from './contract/requirement-id.ts';
export { REQUIREMENTS, type Requirement } from './requirements/catalogue.ts';
export type {
  Outcome,
  ReadingResult,
  RequirementResult,
  Results,
  ResultFinding,
  Verdict,
} from './report/results.ts';
import { DEFAULT_SEED } from './target/turn.ts';
export type { FailOn, Format, Profile };

/** What `run` and `check` have in common. */
export interface JudgeOptions {
  /** Base URL of the service. */
  readonly baseUrl?: string;
  /** Path of a target file. */
  readonly target?: string;
  /** Keys that are valid; better left to the environment (`ASSAY_API_KEY`) or the target file. */
  readonly apiKeys?: readonly string[];
  /** File with one valid key a line. */
  readonly keyFile?: string;
  /** Ids, prefixes (`4.3`) or globs of the requirements to judge; all by default. */
  readonly only?: readonly string[];
  /** The same, left out. */
  readonly skip?: readonly string[];
  /** What makes `exitCode` 1 beyond violated musts. */
  readonly failOn?: readonly FailOn[];
  /** Path of a waiver file. */
  readonly waivers?: string;
  /** Path of the Markdown file of the specification, which the HTML report then quotes. */
  readonly spec?: string;
  /** Folder that the reports are written to; none by default. */
  readonly output?: string;
  /** Reports to write; all that fit into one folder by default. */
  readonly formats?: readonly Format[];
}

/** Settings of a run, as `assay run` takes them by flag. */
export interface RunOptions extends JudgeOptions {
  /** `standard` by default. */
  readonly profile?: Profile;
  /** Seed of everything drawn by chance; 1 by default. */
  readonly seed?: number;
  /** Bound on requests with valid keys. */
  readonly maxRequests?: number;
  /** Most requests at a time; 6 by default. With 1, each waits for the answer to the one before. */
  readonly concurrency?: number;
  /** Stops the run; what was judged by then is in the results. */
  readonly signal?: AbortSignal;
}

/**
 * Runs the conformance suites against a target: the embedded reference server, when neither `baseUrl` nor `target` nor
 * the environment names one. Violations are in the results, not thrown.
 * @throws Error with `code` and `hint` when settings cannot be used
 */
export async function run(options: RunOptions = {}): Promise<Results> {
  checkOptions('run', options);
  return inFolder(options, () => runHere(options));
}

async function runHere(options: RunOptions): Promise<Results> {
  // Before anything is sent: a file that cannot be used must not cost requests.
  const specification = quotedBy(options);
  const named = targetOf(options);
  const embedded = named === null ? await startEmbedded() : null;
  const target = named ?? embedded?.target;
  if (target === undefined) throw new Error('There is no target.');
  try {
    const results = await runSuites({
      target,
      reference: embedded !== null,
      profile: options.profile ?? 'standard',
      seed: options.seed ?? DEFAULT_SEED,
      maxRequests: options.maxRequests ?? null,
      ...(options.concurrency === undefined ? {} : { concurrency: options.concurrency }),
      ...judged(options),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    return await written(results, options, target, specification);
  } finally {
    await embedded?.close();
  }
}

/**
 * Judges recorded traffic (HAR, NDJSON of exchanges, `results.json`) with the same rules. Nothing is sent.
 * @throws Error with `code` and `hint` when options cannot be used; RecordingError when a file cannot be read or holds nothing of the service
 */
export async function check(
  files: readonly string[],
  options: JudgeOptions = {},
): Promise<Results> {
  checkOptions('check', options);
  if (!Array.isArray(files) || files.length === 0) {
    throw new OptionError('check() takes a list of files.', "For example check(['browser.har']).");
  }
  return inFolder(options, async () => {
    const specification = quotedBy(options);
    const target = targetOf(options, false);
    const { results } = await checkRecordings({
      files,
      baseUrl: options.baseUrl,
      target: target ?? undefined,
      ...judged(options),
    });
    return written(results, options, target, specification);
  });
}

function quotedBy({ spec }: JudgeOptions): Specification | undefined {
  return spec === undefined ? undefined : readSpecification(spec);
}

/** Nobody else writes into the folder of the reports meanwhile. */
function inFolder({ output }: JudgeOptions, work: () => Promise<Results>): Promise<Results> {
  return output === undefined ? work() : whileHolding(output, 'a program', work);
}

function targetOf(
  { baseUrl, target, apiKeys, keyFile }: JudgeOptions,
  requireKey = true,
): Target | null {
  const { ASSAY_BASE_URL, ASSAY_TARGET } = process.env;
  if (![baseUrl, target, ASSAY_BASE_URL, ASSAY_TARGET].some(Boolean)) return null;
  return loadTarget({
    flags: { baseUrl, target, apiKeys, keyFile },
    requireKey,
    reserved: REQUIREMENT_TEXTS,
  });
}

function judged(options: JudgeOptions) {
  return {
    only: options.only ?? [],
    skip: options.skip ?? [],
    failOn: options.failOn ?? (['must'] as const),
    ...(options.waivers === undefined ? {} : { waivers: readWaivers(options.waivers) }),
  };
}

async function written(
  results: Results,
  { output, formats }: JudgeOptions,
  target: Target | null,
  specification: Specification | undefined,
): Promise<Results> {
  if (output === undefined) return results;
  await writeReports(results, output, formats ?? FORMATS.filter((name) => name !== 'html-dir'), {
    ...(target === null ? {} : { gate: new SecretsGate(secretsOf(target)) }),
    ...(specification === undefined ? {} : { specification }),
  });
  return results;
}
