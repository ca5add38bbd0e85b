import type { Exchange } from '../../spec/exchange.ts';
import { profileOf, settingOf, type UnjudgedGroup } from '../model/unjudged.ts';
import type { Cause } from './causes.ts';
import { resent, sendAgain } from './send-again.ts';
import {
  isRequirementId,
  knownAbout,
  LIMIT_ENFORCED,
  OF_PROPERTIES,
} from '../../requirements/catalogue.ts';
import { isOfCount } from '../../requirements/definition.ts';
import { keyVariable, shellQuote } from '../../text/curl.ts';
import { comparedWith } from './evidence-text.ts';
import { LIMITS } from '../model/labels.ts';
import type { RequirementResult, ResultFinding, Results } from '../model/results.ts';
import { ELSEWHERE, kindOf } from '../model/status.ts';
import { some } from '../../text/text.ts';

/** What to rerun; everything by default. */
interface Rerun {
  /** A requirement, with those whose requests it needs, or all where a count needs them. */
  readonly id?: string;
  /** The finding of that requirement to show; all by default. */
  readonly finding?: ResultFinding;
  readonly ids?: readonly string[];
  readonly profile?: 'standard' | 'full';
  /** True when the command must name a target file. */
  readonly file?: boolean;
  /** Case of a property (`--path`): only its requests are sent. */
  readonly path?: string | null;
}

/** Placeholder for a target file whose name was not recorded. */
const TARGET_FILE = 'FILE';

/** True when the run used settings that only a target file can give, and its name was not recorded. */
function lacksFile({ target, settings, profile }: Results): boolean {
  // Without a target file, roles are inferred from responses.
  if (profile === 'watched') return false;
  const roles = Object.entries(target.keys).filter(([, prints]) => prints.length > 0);
  const isNeeded =
    roles.some(([role]) => !['valid', 'unknown', 'none'].includes(role)) ||
    target.envelope !== null ||
    Object.keys(settings?.fixtures ?? {}).length > 0 ||
    (settings?.keyHeader ?? 'X-API-KEY').toLowerCase() !== 'x-api-key';
  return target.file === undefined && isNeeded;
}

/** How Assay was called. Results files are untrusted: only known commands are repeated. */
const commandIn = ({ tool: { command } }: Results): string =>
  command === 'npx assay' ? command : 'assay';

/** The options that select the target of the run; none for the embedded reference server. */
export function targetWords(results: Results, needsFile = lacksFile(results)): readonly string[] {
  const { reference, file, baseUrl, baseUrlGiven, foundAt } = results.target;
  if (reference) return [];
  const address = ['--base-url', shellQuote(foundAt ?? baseUrl)];
  if (file === undefined && !needsFile) return address;
  const named = ['--target', file === undefined ? TARGET_FILE : shellQuote(file)];
  return baseUrlGiven === true || foundAt !== undefined ? [...named, ...address] : named;
}

/** The command that reruns checks on the same target with the same seed and profile. It contains no key. */
export function rerunCommand(
  results: Results,
  { id, finding, ids = [], path = null, profile, file }: Rerun = {},
): string {
  // Properties only run in the full profile. Those of load runs and recordings cannot be passed to --profile.
  const depth = path === null ? (profile ?? results.profile) : 'full';
  const own =
    id === undefined
      ? ids
      : path === null
        ? withAskers(results, id, finding)
        : [...new Set([OF_PROPERTIES, id])];
  return [
    commandIn(results),
    'run',
    ...targetWords(results, file),
    ...(['smoke', 'full'].includes(depth) ? ['--profile', depth] : []),
    '--seed',
    String(results.seed),
    ...(path === null ? [] : ['--path', shellQuote(path)]),
    ...own.flatMap((one) => ['--only', shellQuote(one)]),
  ].join(' ');
}

/** How to resume a run; results that were read from elsewhere name neither its folder nor its options. */
export const resumeStep = (results: Results): NonNullable<Results['resume']> =>
  results.resume ?? {
    words: 'Resume the run; replace FOLDER with its output folder:',
    command: [commandIn(results), 'run', ...targetWords(results), '--resume', 'FOLDER'].join(' '),
  };

/** How to continue a run without a verdict; empty for other runs. */
export function goOn(results: Results): readonly ReturnType<typeof resumeStep>[] {
  const kind = kindOf(results);
  if (kind === 'interrupted') return [resumeStep(results)];
  if (kind !== 'unjudged') return [];
  const { resume } = results;
  const doctor = [commandIn(results), 'doctor', ...targetWords(results)].join(' ');
  const note = rerunNote(results);
  return [
    { words: `${note === null ? '' : `${note} `}Diagnose connection and keys:`, command: doctor },
    {
      words: resume === undefined ? 'Then rerun:' : 'Then rerun, or resume the run:',
      command: rerunCommand(results),
    },
    ...(resume === undefined ? [] : [resume]),
  ];
}

/** Ids that a command names: a next step with more of them runs everything. */
const NAMED = 4;

/** How to compare a run with an earlier one. */
export const baselineWords = ({ profile }: Results): string =>
  `assay ${profile === 'recorded' ? 'check' : 'run'} --baseline results.json`;

const isOfQuota = (id: string): boolean =>
  knownAbout(id).needs?.includes('near-quota-key') === true;

/**
 * A requirement, and those whose checks sent the requests that show its findings. The near-quota key is spared. Empty for
 * all: only all requests of the run are sure to show a wrong count again.
 */
export function withAskers(
  { requirements, exchanges }: Results,
  id: string,
  finding?: ResultFinding,
): readonly string[] {
  const own = requirements.find((one) => one.id === id);
  if (own === undefined || own.findings.length === 0 || !isRequirementId(id)) return [id];
  if (isOfCount(knownAbout(id))) return [];
  const spends = isOfQuota(id);
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const missing = new Set(
    (finding === undefined ? own.findings : [finding])
      .flatMap((one) => [byId.get(one.exchange ?? '') ?? [], comparedWith(one, byId)].flat())
      .flatMap((one) => (one.role === 'nearQuota' && !spends ? [] : [one.id])),
  );
  const ids: string[] = [id];
  for (const one of [own, ...requirements]) {
    const asked = one.checks
      .flatMap(({ title, exchanges: of }) => (title === ELSEWHERE ? [] : of))
      .filter((at) => missing.has(at));
    for (const at of asked) missing.delete(at);
    if (asked.length > 0 && !ids.includes(one.id) && ids.length < NAMED) ids.push(one.id);
  }
  // Where no check judged the answer alone, those ask for it that are violated by it, or could not judge it for this finding.
  const elsewhere = own.checks.find(({ title }) => title === ELSEWHERE)?.exchanges ?? [];
  const isMissing = ({ exchange: at }: ResultFinding): boolean =>
    at !== null && missing.has(at) && elsewhere.includes(at);
  const violated = requirements.filter((one) => one !== own && one.findings.some(isMissing));
  const follows = requirements.filter((one) => one.follows?.includes(id) === true);
  const others = missing.size === 0 ? [] : violated.length > 0 ? violated : follows;
  return [...new Set([...ids, ...others.map((one) => one.id)])].slice(0, NAMED);
}

/** Whether only checks of the quota sent the requests that show findings of a requirement: their key is used up. */
export function isSpent(
  results: Results,
  id: string,
  findings = results.requirements.find((one) => one.id === id)?.findings ?? [],
): boolean {
  const byId = new Map(results.exchanges.map((exchange) => [exchange.id, exchange]));
  const isResent = ({ exchange }: ResultFinding): boolean => {
    const sent = byId.get(exchange ?? '');
    return sent !== undefined && resent(results, id, sent)[0] !== sent;
  };
  return findings.length > 0 && findings.every(isResent);
}

/** What a rerun of a requirement of the quota needs; null for others. Each embedded reference server has a fresh key. */
export const quotaNote = (results: Results, id: string): string | null =>
  isOfQuota(id) &&
  !results.target.reference &&
  results.profile !== 'recorded' &&
  results.exchanges.some(({ role }) => role === 'nearQuota')
    ? 'This run used up the near-quota key. Before a rerun, set keys.nearQuota to a key with requests left and their number.'
    : null;

/** What to fill in before a rerun command works; null when nothing. */
export function rerunNote(results: Results): string | null {
  const { reference, file } = results.target;
  // The commands of load scenarios were recorded.
  if (reference || file !== undefined || results.profile === 'load') return null;
  return lacksFile(results)
    ? `Replace ${TARGET_FILE} with the target file of this run.`
    : 'Set ASSAY_API_KEY to the key.';
}

/** A command with its purpose and the program it starts. */
type NamedCommand = readonly [label: string, command: string, program: 'curl' | 'assay'];

/** The commands that reproduce a cause: the request, the check, and a single generated case. */
export function commandsOf(results: Results, cause: Cause): readonly NamedCommand[] {
  const { exchange, related, example, scenarios } = cause;
  const { id } = example.requirement;
  const { replay: path = null } = example.finding;
  const send = (what: string, one: Exchange): NamedCommand => {
    const variable = keyVariable(...resent(results, id, one));
    const key = variable === null ? '' : `, with the key in ${variable}`;
    return [`${what}${key}: curl`, sendAgain(results, id, one), 'curl'];
  };
  const rerun = (what: string, command: string): NamedCommand => [what, command, 'assay'];
  // Recorded traffic is judged again with `assay check`.
  const isRun = results.profile !== 'recorded' && example.scenario === undefined;
  const check = rerunCommand(results, { id, finding: example.finding });
  return [
    ...(exchange === null ? [] : [send('Repeat the request', exchange)]),
    ...related.map((one) => send('Send the related request', one)),
    ...scenarios.map((at) => rerun('Rerun the load: assay', results.load[at]?.command ?? '')),
    ...(isRun && !isSpent(results, id, [example.finding])
      ? [rerun('Rerun the check: assay', check)]
      : []),
    ...(path === null ? [] : [rerun('Rerun this case only', rerunCommand(results, { id, path }))]),
  ];
}

/** How to verify something that was not verified. */
export interface NextStep {
  readonly words: string;
  /** The command to run; null when no command helps. */
  readonly command: string | null;
}

const LONGER_WINDOWS =
  'Give the target longer windows, set limits.windowMs to their length, then run:';
/** Without a first one there is no run. */
const SECOND_KEY = 'Add a second key to keys.valid in the target file, then run:';
const PRESENT_MONTH = 'Restart the target, or set its clock to the present month, then run:';
const NEXT_DAY = 'Rerun on the next trading day, with --output next to this run if it was set:';
const ALONE = 'Rerun when nobody else uses the keys:';
const REQUESTS_LEFT = 'Set keys.nearQuota to a key with requests left and their number, then run:';

/** How to see again what only the near-quota key showed. */
export const withQuotaLeft = (results: Results): NextStep => ({
  words: REQUESTS_LEFT,
  command: rerunCommand(results, { file: true }),
});

/** Whether the limiter alone kept the run from judging: it refused requests again after the reset. */
const isThrottled = (exchanges: readonly Exchange[]): boolean =>
  exchanges.some(({ attempt, response }) => attempt > 1 && response?.status === 429) &&
  exchanges.every(({ response }) => response !== null && response.status < 500);

const isOfLimiter = ({ section }: RequirementResult): boolean => section === LIMITS;

/** The next step for requirements that were not judged for the same reason. */
export function nextStep(group: UnjudgedGroup, results: Results): NextStep {
  const { outcome, requirements, setting } = group;
  const ids = requirements.length <= NAMED ? requirements.map(({ id }) => id) : [];
  const say = (words: string): NextStep => ({ words, command: null });
  const { cause = null, follows = [], id = '' } = requirements[0] ?? {};
  const scenario = results.load.find((one) => one.requirements.some((own) => own.id === id));
  const rerun = (words: string, more: Rerun = {}): NextStep => ({
    words,
    command: scenario?.command ?? rerunCommand(results, { ids, ...more }),
  });
  const more = (profile: 'standard' | 'full', own = ids): NextStep => {
    // Requests of other checks of standard may show it, too.
    const less = profile === 'full' && results.profile === 'smoke' ? ' (standard may suffice)' : '';
    const words = `Run the ${profile} profile, which requests more and may show it${less}:`;
    return rerun(words, { profile, ids: own });
  };
  const { recorded = true, seenFirst, explains } = knownAbout(id);
  const by = cause?.kind === 'not-selected' ? cause.by : null;
  if (results.profile === 'recorded' || (outcome === 'untested' && by === 'recording'))
    return say(
      follows.length > 0
        ? `Fix ${some(follows, NAMED)}, then record this traffic again.`
        : recorded
          ? 'Record traffic that covers these requirements.'
          : 'Recordings do not contain this; use assay run with --only for this requirement.',
    );
  if (outcome === 'waived') return say('Nothing to do while the waiver holds.');
  if (outcome === 'error') return say('Report this as a bug in Assay.');
  // Each embedded reference server has a fresh key.
  const spends = isOfQuota(id) && !results.target.reference;
  if (follows.length > 0)
    return rerun(`Fix ${some(follows, NAMED)}${spends ? `. ${REQUESTS_LEFT}` : ', then run:'}`);
  if (outcome === 'inconclusive' && cause?.kind === 'setting') return withQuotaLeft(results);
  if (outcome === 'inconclusive') {
    if (results.verdict === 'interrupted') return resumeStep(results);
    if (isThrottled(results.exchanges)) {
      const isBroken = (one: RequirementResult) => isOfLimiter(one) && one.outcome === 'failed';
      const broken = results.requirements.filter(isBroken).map((one) => one.id);
      return rerun(broken.length === 0 ? ALONE : `Fix ${some(broken, NAMED)}, then run:`);
    }
    const statuses = results.exchanges.map(({ response }) => response?.status ?? null);
    if (statuses.some((status) => (status ?? 0) >= 500))
      return rerun('Rerun when the target responds without server errors:');
    return rerun(
      statuses.includes(null)
        ? 'Rerun when the target answers every request:'
        : 'When what the reason says no longer holds, run:',
    );
  }
  if (setting === 'limits.windowMs') return rerun(LONGER_WINDOWS, { file: true });
  // A requirement that is named runs its first checks in every profile. Standard fills windows of the restricted key only.
  const fills = requirements.some((one) => knownAbout(one.id).needs?.includes('window'));
  if (cause?.kind === 'setting')
    return rerun(
      setting === 'keys.valid' ? SECOND_KEY : `Add ${setting} to the target file, then run:`,
      {
        file: true,
        // Smoke runs what it leaves out only where that is named, and fills no window.
        ...(results.profile === 'smoke' && (ids.length === 0 || fills) && { profile: 'standard' }),
      },
    );
  // What was selected, a smaller profile asks for that reason only.
  // It may have left out requests for others as well, which were judged on fewer.
  if (by === 'budget')
    return rerun('Run without --max-requests:', { ids: results.settings?.only ?? [] });
  if (by !== null && by !== 'profile') return rerun('Include these requirements:');
  if (cause?.kind === 'data' && seenFirst !== undefined)
    return rerun('Run this during a trading session, and again on the next trading day:', {
      profile: 'full',
      ids: [seenFirst, id],
    });
  if (cause?.kind === 'time') return rerun(spends ? PRESENT_MONTH : NEXT_DAY);
  if (cause?.kind === 'unseen')
    return say('Have a client send a request that covers these requirements.');
  if (spends) return rerun(REQUESTS_LEFT, { file: true });
  const isOfFull = (one: Parameters<typeof profileOf>[0]): boolean => profileOf(one) === 'full';
  // It has no profile if only the budget was too small for it.
  const isOfLarger = (one: Parameters<typeof profileOf>[0]): boolean =>
    settingOf(one) === '--profile' && profileOf(one) !== 'standard';
  // Searches only send what a run has left: nothing, unless few requirements are named.
  const isLeftOut = requirements.some(({ id: of, title, checks }) => {
    const own = (knownAbout(of).checks ?? []).map(({ label = title }) => label);
    return checks.some((one) => isOfLarger(one) && (ids.length > 0 || own.includes(one.title)));
  });
  // The limiter may send only with refusals what it was not seen to send, and the profile was too small for one.
  const isUnrefused =
    requirements.some(isOfLimiter) &&
    results.requirements.some((one) => one.id === LIMIT_ENFORCED && settingOf(one) === '--profile');
  if (by === null && (isLeftOut || isUnrefused) && results.profile !== 'full')
    return more('full', isUnrefused && ids.length > 0 ? [LIMIT_ENFORCED, ...ids] : ids);
  if (explains === 'wrapped bodies' && results.target.envelope !== null)
    return say('Remove envelope from the target file to judge the bodies as they are.');
  if (scenario !== undefined) return rerun('Rerun the scenario:');
  if (by === null) return say('No command helps until the target has such data.');
  if (results.profile === 'full')
    return ids.length > 0
      ? rerun('Run these alone, for which the budget of the profile suffices:')
      : say('Select fewer requirements with --only, or allow more requests with --max-requests.');
  const isFilled = !fills || results.target.keys.restricted !== undefined;
  const isEnough = results.profile === 'smoke' && !requirements.some(isOfFull) && isFilled;
  return more(isEnough ? 'standard' : 'full');
}
