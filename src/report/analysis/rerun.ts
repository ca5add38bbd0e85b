import { shellQuote } from '../../text/curl.ts';
import { comparedWith } from './compared-with.ts';
import type { Results } from '../model/results.ts';

/** What to rerun; everything by default. */
export interface Rerun {
  /** A requirement, together with those whose requests it needs. */
  readonly id?: string;
  /** Exactly these requirements. */
  readonly ids?: readonly string[];
  /** Overrides the profile of the run. */
  readonly profile?: 'full';
  /** True when the command must name a target file. */
  readonly file?: boolean;
  /** Case of a property (`--path`): only its requests are sent. */
  readonly path?: string | null | undefined;
}

/** Placeholder for a target file whose name was not recorded. */
export const TARGET_FILE = 'FILE';

/** Roles of keys that need no target file. */
const PLAIN_ROLES: ReadonlySet<string> = new Set(['valid', 'unknown', 'none']);

/** True when the run needed a target file whose name was not recorded. */
function lacksFile(results: Results): boolean {
  return results.target.file === undefined && neededTargetFile(results);
}

/** How Assay was called. Results files are untrusted: only known commands are repeated. */
const commandIn = ({ tool: { command } }: Results): string =>
  command === 'npx assay' ? command : 'assay';

/** The options that select the target of the run; none for the embedded reference server. */
export function targetWords(results: Results, needsFile = lacksFile(results)): readonly string[] {
  const { reference, file, baseUrl, baseUrlGiven } = results.target;
  if (reference) return [];
  const address = ['--base-url', shellQuote(baseUrl)];
  if (file !== undefined) {
    return ['--target', shellQuote(file), ...(baseUrlGiven === true ? address : [])];
  }
  return needsFile ? ['--target', TARGET_FILE] : address;
}

/** True when the run used settings that only a target file can give. */
export function neededTargetFile({ target, settings }: Results): boolean {
  const roles = Object.entries(target.keys).filter(([, prints]) => prints.length > 0);
  return (
    roles.some(([role]) => !PLAIN_ROLES.has(role)) ||
    target.envelope !== null ||
    Object.keys(settings?.fixtures ?? {}).length > 0 ||
    (settings?.keyHeader ?? 'X-API-KEY').toLowerCase() !== 'x-api-key'
  );
}

/**
 * The command that reruns checks on the same target with the same seed and profile. It contains no key: keys come from the
 * target file or from `ASSAY_API_KEY`.
 */
export function rerunCommand(
  results: Results,
  { id, ids = [], path, ...more }: Rerun = {},
): string {
  const { profile, seed } = results;
  // Properties only run in the full profile.
  const depth = path === null || path === undefined ? (more.profile ?? profile) : 'full';
  const words = [commandIn(results), 'run', ...targetWords(results, more.file)];
  if (depth !== 'standard' && PROFILES.has(depth)) words.push('--profile', depth);
  words.push('--seed', String(seed));
  if (path !== null && path !== undefined) words.push('--path', shellQuote(path));
  // A case of a property needs nothing else.
  const isDrawn = path !== null && path !== undefined;
  const named = id === undefined ? ids : isDrawn ? [id] : withAskers(results, id);
  for (const one of named) words.push('--only', shellQuote(one));
  return words.join(' ');
}

/** The command that resumes an interrupted run; `FOLDER` is its output folder. */
export const resumeCommand = (results: Results): string =>
  [commandIn(results), 'run', ...targetWords(results), '--resume FOLDER'].join(' ');

/** The command that diagnoses connection and keys. */
export const doctorCommand = (results: Results): string =>
  [commandIn(results), 'doctor', ...targetWords(results)].join(' ');

/** Other requirements named for their requests. */
const MOST_ASKERS = 3;

/**
 * A requirement, and those whose checks sent the requests that show its findings: alone, it might not send the request that
 * fails.
 */
export function withAskers({ requirements, exchanges }: Results, id: string): readonly string[] {
  const own = requirements.find((one) => one.id === id);
  if (own === undefined || own.findings.length === 0) return [id];
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const missing = new Set(
    own.findings.flatMap((finding) => [
      ...(finding.exchange === null ? [] : [finding.exchange]),
      ...comparedWith(finding, byId).map((exchange) => exchange.id),
    ]),
  );
  const ids = [id];
  for (const one of [own, ...requirements]) {
    const asked = one.checks.flatMap((check) => check.exchanges).filter((at) => missing.has(at));
    for (const at of asked) missing.delete(at);
    if (asked.length > 0 && one !== own && ids.length <= MOST_ASKERS) ids.push(one.id);
  }
  return ids;
}

/** Values of `--profile`; load runs have another profile. */
const PROFILES: ReadonlySet<string> = new Set(['smoke', 'standard', 'full']);

/** What to fill in before a rerun command works; null when nothing. */
export function rerunNote(results: Results): string | null {
  if (results.target.reference || results.target.file !== undefined) return null;
  return lacksFile(results)
    ? `Replace ${TARGET_FILE} with the target file of this run.`
    : 'Set ASSAY_API_KEY to the key.';
}
