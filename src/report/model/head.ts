import { EXIT } from '../../spec/exit-codes.ts';
import { plural } from '../../text/text.ts';
import { reachedVerdict } from './gate.ts';
import { groupBy } from '../../text/group-by.ts';
import { loadRequirements } from './load.ts';
import { VERDICT_WORDS } from './results.ts';
import type { Failing, RequirementResult, Results, WaiverResult } from './results.ts';
import { FOUND_WORDS, foundOf, isGap, isJudged, isViolated } from './status.ts';
import { isWaivedViolation, kindOf, tallyOf, waivedWords } from './status.ts';
import { byNeed, isBroken } from './waiver-words.ts';

/** A line under the verdict: why the exit code is not 0, or what is waived by whom. */
export interface HeadLine {
  /** The first screen lists `waiver` and `waived` nowhere else. */
  readonly about: 'exit' | 'baseline' | 'waiver' | 'waived';
  readonly text: string;
  /** The requirements concerned. */
  readonly ids: readonly string[];
}

/** The head of a report, the same in every format. */
export type Head = ReturnType<typeof headOf>;

/** Words before the ids, by reason. */
const FAILING: Readonly<Record<Exclude<Failing['why'], 'waiver' | 'baseline'>, string>> = {
  violated: 'violated',
  warned: 'warned, with --fail-on should',
  untested: 'untested, with --fail-on untested',
  inconclusive: 'could not be judged',
  error: 'bug in Assay',
};

type WaiverWords = Readonly<Partial<Record<WaiverResult['state'], string>>>;

/** Why a waiver of a violation is no longer valid, and what to do. */
const WAIVERS: WaiverWords = {
  drifted:
    'waiver drifted because the evidence differs: the target fails in another way, or the run sent other requests',
  expired: 'waiver expired (fix the target, or renew the waiver with assay waive)',
  unmatched:
    'waiver matches nothing because the requirement is not violated in this run (remove the waiver, or keep a waiver file per deployment, profile and seed)',
};

/** The same where its requirement could not be judged. */
const GAP_WAIVERS: WaiverWords = {
  drifted:
    'waiver drifted because its requirement was left unjudged for a different reason (review the reason, and renew the waiver with assay waive)',
  expired:
    'waiver expired; its requirement is still unjudged (renew the waiver with assay waive, or remove it)',
};

/** How the run differs from the baseline, and what to do. */
const BASELINE = {
  regressions: 'violated, but not in the baseline, or worse than in it',
  unexpectedPasses:
    'fixed since the baseline (once a whole run has nothing new, nothing left unjudged and nothing no longer verified, pass its results.json to --baseline)',
  stale:
    'violated in the baseline, and not shown to be fixed (rerun with the settings of the baseline, where the requirement can be judged)',
  hidden: 'violated in the baseline, and now hidden by a server error (fix that first)',
  unmatched:
    'in the baseline, but not a requirement of this version (once a whole run has nothing new, nothing left unjudged and nothing no longer verified, pass its results.json to --baseline)',
} as const;

export const EXIT_WORDS: Readonly<Record<number, string>> = {
  [EXIT.conforms]: 'conforms, or no violation found',
  [EXIT.violates]: 'a must is violated, or --fail-on, a waiver or the baseline fails the run',
  [EXIT.usage]: 'usage or configuration error',
  [EXIT.incomplete]: 'no verdict reached',
  [EXIT.internal]: 'bug in Assay',
  [EXIT.load]: 'a requirement is violated under load',
  [EXIT.interrupted]: 'interrupted',
};

/** A head line as plain text. */
export const lineWords = ({ text, ids }: Pick<HeadLine, 'text' | 'ids'>): string =>
  ids.length === 0 ? text : `${text}: ${ids.join(', ')}`;

function reasonsOf(results: Results): readonly HeadLine[] {
  const { exitCode, failing = [], waivers = [], gate, requirements } = results;
  const idsOf = (why: string): readonly string[] =>
    failing.flatMap((one) => (one.why === why ? [one.id] : []));
  const against = idsOf('baseline');
  const broken = byNeed(waivers).filter((one) => isBroken(one) && idsOf('waiver').includes(one.id));
  const gaps = new Set(requirements.filter(({ outcome }) => isGap(outcome)).map(({ id }) => id));
  const whyBroken = ({ id, state }: WaiverResult): string =>
    (gaps.has(id) ? GAP_WAIVERS[state] : undefined) ?? WAIVERS[state] ?? state;
  const differing: Readonly<Record<string, readonly string[]>> = { ...gate };
  const told = [
    ...Object.entries(FAILING).map(([why, text]) => ['exit', text, idsOf(why)] as const),
    ...Object.entries(BASELINE).map(
      ([name, text]) =>
        ['baseline', text, (differing[name] ?? []).filter((id) => against.includes(id))] as const,
    ),
    ...[...groupBy(broken, whyBroken)].map(
      ([text, own]) => ['waiver', text, own.map(({ id }) => id)] as const,
    ),
  ];
  return told
    .filter(([, , ids]) => ids.length > 0)
    .map(([about, text, ids]) => ({
      about,
      text: `Exit code ${exitCode}: ${text}`,
      ids: [...new Set(ids)],
    }));
}

function waivedLines(results: Results): readonly HeadLine[] {
  const groups = groupBy(
    results.requirements.filter(({ outcome }) => outcome === 'waived'),
    (one) => {
      const what = isViolated(one) ? FOUND_WORDS[foundOf(one)] : 'not judged';
      return `${what} and ${waivedWords(one, results)}`;
    },
  );
  return [...groups].map(([words, own]) => ({
    about: 'waived',
    text: `${own.length} ${words}`,
    ids: own.map(({ id }) => id),
  }));
}

/** An exit code in words. */
export const exitWords = (code: number): string =>
  `${code}: ${EXIT_WORDS[code] ?? 'undocumented exit code'}`;

/** What is wrong when nothing is new: results of earlier versions do not say. */
const baselineBut = (gate: Results['gate']): string =>
  gate !== undefined && gate.unexpectedPasses.length + gate.unmatched.length === 0
    ? 'violations of the baseline are not shown to be fixed'
    : 'the baseline is out of date';

/** Qualifications of the verdict in its title. */
function butOf({ verdict, exitCode, failing = [], gate, requirements }: Results): string {
  const { waived } = tallyOf(requirements);
  const whys = new Set(failing.map(({ why }) => why));
  const isNew = gate !== undefined && gate.regressions.length > 0;
  const fails = reachedVerdict(verdict) && exitCode === EXIT.violates;
  const isClean = fails && verdict !== 'violates';
  const buts = [
    ...(isClean && isNew ? ['worse than the baseline'] : []),
    ...(fails && !isNew && whys.has('baseline') ? [baselineBut(gate)] : []),
    ...(isClean && whys.has('waiver') ? ['a waiver is no longer valid'] : []),
    ...(isClean && whys.has('warned') ? ['warnings fail the run'] : []),
    ...(isClean && whys.has('untested') ? ['untested musts fail the run'] : []),
  ];
  return [
    ...(waived === 0 ? [] : [`, ${waived} violated and waived`]),
    ...(verdict === 'violates' && exitCode === EXIT.conforms ? [', as in the baseline'] : []),
    ...(buts.length === 0 ? [] : [`, but ${buts.join(' and ')}`]),
  ].join('');
}

/** The verdict, with the share that was verified when it is partial. */
export function titleOf(results: Results): string {
  const { verdict, requirements, target } = results;
  // Not a verdict on a target.
  const of = target.reference ? 'Embedded reference server: ' : '';
  const word = VERDICT_WORDS[verdict];
  if (kindOf(results) === 'load') {
    const judged = loadRequirements(results).filter(({ outcome }) => outcome !== 'untested');
    return `${of}${word} under load, ${plural(judged.length, 'requirement')} judged`;
  }
  const { musts, verified } = tallyOf(requirements);
  const part =
    verdict === 'no-violation' && musts > 0 ? `, ${verified} of ${musts} musts verified` : '';
  return `${of}${word}${part}${butOf(results)}`;
}

function toneOf({ verdict, exitCode }: Results): 'passed' | 'plain' | 'warned' | 'failed' {
  if (verdict === 'violates') return exitCode === EXIT.conforms ? 'warned' : 'failed';
  if (verdict === 'error') return 'failed';
  if (!reachedVerdict(verdict) || exitCode !== EXIT.conforms) return 'warned';
  return verdict === 'conforms' ? 'passed' : 'plain';
}

function nothingOf(requirements: readonly RequirementResult[]): string {
  const judged = requirements.filter(isJudged).length;
  const waived = requirements.filter(isWaivedViolation).length;
  if (judged === 0) return 'Nothing was judged.';
  const words =
    waived === 0 ? 'No violations or warnings' : `0 open, ${waived} violated and waived`;
  return `${words}: ${plural(judged, 'requirement')} judged.`;
}

export function headOf(results: Results) {
  const { exitCode, sentence } = results;
  const kind = kindOf(results);
  const reasons = reasonsOf(results);
  const isUnexplained = reasons.length === 0 && exitCode !== EXIT.conforms;
  const plain = { about: 'exit', text: `Exit code ${exitWords(exitCode)}`, ids: [] } as const;
  return {
    kind,
    title: titleOf(results),
    tone: toneOf(results),
    sentence,
    lines: [...(isUnexplained ? [plain] : reasons), ...waivedLines(results)],
    /** Shown when no finding is listed. */
    nothing: nothingOf(kind === 'load' ? loadRequirements(results) : results.requirements),
  };
}
