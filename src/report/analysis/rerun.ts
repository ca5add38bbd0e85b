import { shellQuote } from '../../text/curl.ts';
import { besideOf } from './beside.ts';
import type { Results } from '../model/results.ts';

/** What is to be judged again; everything when nothing is named. */
export interface Rerun {
  readonly id?: string;
  /** Requirements that are all of it: those beside them are not asked along. */
  readonly ids?: readonly string[];
  /** Another profile than that of the run. */
  readonly profile?: 'full';
  /** True when a target file has to be named: what is missing stands in one. */
  readonly file?: boolean;
  /** Case that a property drew (`--path`): only its requests are sent. */
  readonly path?: string | null | undefined;
}

/** Stands for the target file in the results of a run that did not record its name. */
export const TARGET_FILE = 'FILE';

/** Roles of keys that need no target file. */
const PLAIN_ROLES: ReadonlySet<string> = new Set(['valid', 'unknown', 'none']);

/** True when the target file has to be filled in: it was needed, and its name is not on record. */
function lacksFile(results: Results): boolean {
  return results.target.file === undefined && neededTargetFile(results);
}

/** How Assay is called where the run was made. Results are read from files too: nothing but what is known is a command. */
const commandIn = ({ tool: { command } }: Results): string =>
  command === 'npx assay' ? command : 'assay';

/** The options that name the target of the run again; none for the embedded reference server. */
export function targetWords(results: Results, needsFile = lacksFile(results)): readonly string[] {
  const { reference, file, baseUrl, baseUrlGiven } = results.target;
  if (reference) return [];
  const address = ['--base-url', shellQuote(baseUrl)];
  if (file !== undefined) {
    return ['--target', shellQuote(file), ...(baseUrlGiven === true ? address : [])];
  }
  return needsFile ? ['--target', TARGET_FILE] : address;
}

/** True when the run had what only a target file can give: further keys, fixtures, limits or an envelope. */
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
 * The command that judges the same target again with the same seed and profile. It names no key: keys come from the
 * target file or from `ASSAY_API_KEY`.
 */
export function rerunCommand(
  results: Results,
  { id, ids = [], path, ...more }: Rerun = {},
): string {
  const { profile, seed } = results;
  // A case of a property is only drawn in the full profile.
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

/** The command that takes up a run that was interrupted; `FOLDER` stands for that of its reports. */
export const resumeCommand = (results: Results): string =>
  [commandIn(results), 'run', ...targetWords(results), '--resume FOLDER'].join(' ');

/** The command that says what is reachable and which keys work. */
export const doctorCommand = (results: Results): string =>
  [commandIn(results), 'doctor', ...targetWords(results)].join(' ');

/** Requirements whose requests are named beside one that did not ask for what it was found in itself. */
const MOST_ASKERS = 3;

/**
 * A requirement, and those whose checks asked for the answers that it was found wrong in where its own did not: named
 * alone, it would ask for something else, and the answer that is wrong would not come.
 */
export function withAskers({ requirements, exchanges }: Results, id: string): readonly string[] {
  const own = requirements.find((one) => one.id === id);
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const missing = new Set(
    (own?.findings ?? []).flatMap((finding) => [
      ...(finding.exchange === null ? [] : [finding.exchange]),
      ...besideOf(finding, byId).map((exchange) => exchange.id),
    ]),
  );
  const ids = [id];
  for (const one of own === undefined ? [] : [own, ...requirements]) {
    const asked = one.checks.flatMap((check) => check.exchanges).filter((at) => missing.has(at));
    for (const at of asked) missing.delete(at);
    if (asked.length > 0 && one !== own && ids.length <= MOST_ASKERS) ids.push(one.id);
  }
  return ids;
}

/** Profiles that `--profile` takes; others, such as that of a load run, are no run of the suites. */
const PROFILES: ReadonlySet<string> = new Set(['smoke', 'standard', 'full']);

/** What has to be filled in before a rerun command works, in one sentence; null when nothing. */
export function rerunNote(results: Results): string | null {
  // A file that was named brings its keys along.
  if (results.target.reference || results.target.file !== undefined) return null;
  return lacksFile(results)
    ? `${TARGET_FILE} stands for the target file of this run.`
    : 'The key comes from ASSAY_API_KEY.';
}
