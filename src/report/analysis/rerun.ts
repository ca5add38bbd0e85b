import type { UnjudgedGroup } from '../model/unjudged.ts';
import type { Cause } from './causes.ts';
import { sendAgain } from './send-again.ts';
import { shellQuote } from '../../text/curl.ts';
import { comparedWith } from './evidence-text.ts';
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

/** A command with its purpose and the program it starts. */
export type NamedCommand = readonly [label: string, command: string, program: 'curl' | 'assay'];

/** The commands that reproduce a cause: the request, the check, and a single generated case. */
export function commandsOf(results: Results, cause: Cause): readonly NamedCommand[] {
  const { exchange, related, example, scenarios } = cause;
  const { id } = example.requirement;
  const path = example.finding.replay ?? null;
  return [
    ...(exchange === null
      ? []
      : [['Repeat the request: curl', sendAgain(results, id, exchange), 'curl'] as const]),
    ...related.map(
      (one) => ['Send the related request: curl', sendAgain(results, id, one), 'curl'] as const,
    ),
    ...scenarios.map(
      (index) => ['Rerun the load: assay', results.load[index]?.command ?? '', 'assay'] as const,
    ),
    // Recorded traffic is judged again with `assay check`.
    ...(results.profile === 'recorded' || example.scenario !== undefined
      ? []
      : [['Rerun the check: assay', rerunCommand(results, { id }), 'assay'] as const]),
    ...(path === null
      ? []
      : [['Rerun this case only', rerunCommand(results, { id, path }), 'assay'] as const]),
  ];
}

/** How to verify something that was not verified. */
export interface NextStep {
  readonly words: string;
  /** The command to run; null when no command helps. */
  readonly command: string | null;
}

/** For more ids than these, the command runs everything. */
const NAMED = 4;

/** The next step for requirements that were not judged for the same reason. */
export function nextStep(
  { outcome, requirements, setting }: UnjudgedGroup,
  results: Results,
): NextStep {
  const [first] = requirements;
  const cause = first?.cause ?? null;
  const ids = requirements.length <= NAMED ? requirements.map(({ id }) => id) : [];
  const again = (more: { profile?: 'full'; file?: boolean } = {}): string =>
    rerunCommand(results, { ids, ...more });
  const nothing = (words: string): NextStep => ({ words, command: null });
  if (results.profile === 'recorded')
    return nothing('Record traffic that covers these requirements.');
  if (outcome === 'waived') return nothing('Nothing to do while the waiver holds.');
  if (outcome === 'error') return nothing('Report this as a bug in Assay.');
  if (outcome === 'inconclusive')
    return { words: 'Rerun when the target responds:', command: again() };
  switch (cause?.kind) {
    case 'setting':
      return {
        words: `Add ${setting ?? ''} to the target file, then run:`,
        command: again({ file: true }),
      };
    case 'not-selected':
      if (cause.by === 'profile')
        return { words: 'Run the full profile:', command: again({ profile: 'full' }) };
      if (cause.by === 'recording')
        return nothing('Record traffic that covers these requirements.');
      return {
        words:
          cause.by === 'budget' ? 'Run without --max-requests:' : 'Include these requirements:',
        command: again(),
      };
    case 'time':
      return { words: 'Rerun on the next trading day:', command: again() };
    case 'unseen':
      return nothing('Have a client send a request that covers these requirements.');
    default:
      return nothing('Nothing to do until the target has such data.');
  }
}
