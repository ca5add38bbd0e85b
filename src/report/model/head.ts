import { isRequirementId } from '../../requirements/catalogue.ts';
import { sectionOf } from '../../spec/requirement-id.ts';
import { EXIT } from '../../spec/exit-codes.ts';
import { plural } from '../../text/text.ts';
import { reachedVerdict } from './gate.ts';
import { readLoad } from './load-view.ts';
import type { FailingWhy, Outcome, RequirementResult, Results, Verdict } from './results.ts';
import { foundOf, isJudged, isWaivedViolation, kindOf, tallyOf, waivedWords } from './standing.ts';
import type { RunKind } from './standing.ts';
import { byNeed, isBroken } from './waiver-words.ts';

/** One thing that stands under the verdict: why the exit code is not 0, or what was set aside by whom. */
export interface HeadLine {
  /** Of `waiver` and `waived` nothing is listed elsewhere on a first screen. */
  readonly about: 'exit' | 'waiver' | 'waived';
  readonly text: string;
  /** Requirements that it is about. */
  readonly ids: readonly string[];
}

/** What every format says of a run before anything else. */
export interface Head {
  readonly kind: RunKind;
  readonly title: string;
  readonly tone: 'passed' | 'plain' | 'warned' | 'failed';
  readonly sentence: string;
  readonly lines: readonly HeadLine[];
  /** What to say where no finding is listed: a run that judged nothing must not sound like a good one. */
  readonly nothing: string;
}

/** The banner word of a verdict. */
export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  conforms: 'CONFORMS',
  'no-violation': 'NO VIOLATION FOUND',
  violates: 'VIOLATES',
  incomplete: 'INCOMPLETE',
  interrupted: 'INTERRUPTED',
  error: 'ERROR',
};

/** What stands before the ids, by reason. */
const FAILING: Readonly<Record<Exclude<FailingWhy, 'waiver' | 'baseline'>, string>> = {
  violated: 'violated',
  warned: 'warned, and --fail-on should is set',
  untested: 'not tested, and --fail-on untested is set',
  inconclusive: 'could not be judged',
  error: 'Assay itself failed',
};

/** Why a waiver no longer holds: what has to be done about it differs. */
const WAIVERS = {
  drifted: 'the waiver drifted, the evidence is another one',
  expired: 'the waiver has expired (repair the target, or decide anew with assay waive)',
  unmatched:
    'the waiver matches nothing (nothing violates it here: take it out, or keep a file for each deployment)',
} as const;

/** What is wrong with a baseline, or with the target against it, and what to do. */
const BASELINE = {
  regressions: 'violated, and not in the baseline',
  unexpectedPasses:
    'fixed since the baseline, which is out of date (from now on give --baseline the results.json of this run)',
  stale:
    'violated in the baseline and not judged again (run again where it can be judged, or renew the baseline)',
  unmatched: 'in the baseline and no requirement of this version (renew the baseline)',
} as const;

/** What an exit code says. */
export const EXIT_WORDS: Readonly<Record<number, string>> = {
  [EXIT.conforms]: 'conforms, or no violation was found',
  [EXIT.violates]: 'a must is violated, or what --fail-on, a waiver file or a baseline names',
  [EXIT.usage]: 'usage or configuration',
  [EXIT.incomplete]: 'no verdict was reached',
  [EXIT.internal]: 'fault of Assay itself',
  [EXIT.load]: 'load thresholds crossed',
  [EXIT.interrupted]: 'interrupted',
};

/** A head line as plain text. */
export const lineWords = ({ text, ids }: Pick<HeadLine, 'text' | 'ids'>): string =>
  ids.length === 0 ? text : `${text}: ${ids.join(', ')}`;

/** Reasons for an exit code other than 0, each with its ids. */
function reasonsOf(results: Results): readonly HeadLine[] {
  const { failing = [], waivers = [], gate } = results;
  const of = (why: FailingWhy): string[] =>
    failing.filter((one) => one.why === why).map(({ id }) => id);
  const plain = (Object.keys(FAILING) as (keyof typeof FAILING)[]).map(
    (why) => [FAILING[why], of(why)] as const,
  );
  const rest = new Set(of('waiver'));
  const broken = byNeed(waivers).filter((one) => isBroken(one) && rest.has(one.id));
  const ofWaivers = (Object.keys(WAIVERS) as (keyof typeof WAIVERS)[]).map((state) => {
    const ids = broken.filter((one) => one.state === state).map(({ id }) => id);
    for (const id of ids) rest.delete(id);
    return [WAIVERS[state], [...new Set(ids)]] as const;
  });
  const against = new Set(of('baseline'));
  const ofBaseline = (Object.keys(BASELINE) as (keyof typeof BASELINE)[]).map((name) => {
    const ids = (gate?.[name] ?? []).filter((id) => against.delete(id));
    return [BASELINE[name], ids] as const;
  });
  const lines = (
    about: HeadLine['about'],
    reasons: readonly (readonly [text: string, ids: readonly string[]])[],
  ): readonly HeadLine[] =>
    reasons.map(([text, ids]) => ({ about, text: `Exit code ${results.exitCode}: ${text}`, ids }));
  return [
    ...lines('exit', plain),
    // Results of earlier versions do not say what became of each.
    ...lines('waiver', [...ofWaivers, ['the waiver no longer holds', [...rest]]]),
    ...lines('exit', [...ofBaseline, ['differs from the baseline', [...against]]]),
  ].filter(({ ids }) => ids.length > 0);
}

/** What stands before who waived it. */
const SET_ASIDE: Readonly<Partial<Record<Outcome, string>>> = {
  failed: 'violated',
  warned: 'warned',
};

/** Requirements that are waived, those of one owner and day together. */
function waivedLines(results: Results): readonly HeadLine[] {
  const groups = new Map<string, string[]>();
  for (const one of results.requirements) {
    if (one.outcome !== 'waived') continue;
    const words = `${SET_ASIDE[foundOf(one)] ?? 'not judged'} and ${waivedWords(one, results)}`;
    groups.set(words, [...(groups.get(words) ?? []), one.id]);
  }
  return [...groups].map(([words, ids]) => ({
    about: 'waived',
    text: `${ids.length} ${words}`,
    ids,
  }));
}

function linesOf(results: Results): readonly HeadLine[] {
  const reasons = reasonsOf(results);
  const words = EXIT_WORDS[results.exitCode] ?? 'not one of the documented codes';
  const alone: HeadLine = {
    about: 'exit',
    text: `Exit code ${results.exitCode}: ${words}`,
    ids: [],
  };
  return [
    ...(reasons.length === 0 && results.exitCode !== EXIT.conforms ? [alone] : reasons),
    ...waivedLines(results),
  ];
}

/** What keeps a verdict from being the last word: it stands in its title. */
function butOf({ verdict, exitCode, failing = [], gate, requirements }: Results): string {
  const { waived } = tallyOf(requirements);
  const whys = new Set(failing.map(({ why }) => why));
  const isNew = gate !== undefined && gate.regressions.length > 0;
  const fails = reachedVerdict(verdict) && exitCode === EXIT.violates;
  const isClean = fails && verdict !== 'violates';
  const buts = [
    ...(isClean && isNew ? ['not as in the baseline'] : []),
    ...(fails && !isNew && whys.has('baseline') ? ['the baseline is out of date'] : []),
    ...(isClean && whys.has('waiver') ? ['a waiver no longer holds'] : []),
    ...(isClean && whys.has('warned') ? ['warnings fail it'] : []),
    ...(isClean && whys.has('untested') ? ['what is not tested fails it'] : []),
  ];
  return [
    ...(waived === 0 ? [] : [`, ${waived} violated and waived`]),
    ...(verdict === 'violates' && exitCode === EXIT.conforms ? [', as in the baseline'] : []),
    ...(buts.length === 0 ? [] : [`, but ${buts.join(' and ')}`]),
  ].join('');
}

/** The verdict with how much was looked at, where that is not the whole. */
export function titleOf(results: Results): string {
  const { verdict, requirements, target } = results;
  // A verdict on the reference server is none on a target.
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

function toneOf({ verdict, exitCode }: Results): Head['tone'] {
  if (verdict === 'violates') return exitCode === EXIT.conforms ? 'warned' : 'failed';
  if (verdict === 'error') return 'failed';
  if (!reachedVerdict(verdict) || exitCode !== EXIT.conforms) return 'warned';
  return verdict === 'conforms' ? 'passed' : 'plain';
}

function nothingOf(requirements: readonly RequirementResult[]): string {
  const judged = requirements.filter(isJudged).length;
  const waived = requirements.filter(isWaivedViolation).length;
  if (judged === 0) return 'Nothing was judged, so nothing could be found.';
  return waived === 0
    ? `No violation and no warning: ${plural(judged, 'requirement')} judged.`
    : `0 open, ${waived} violated and waived: ${plural(judged, 'requirement')} judged.`;
}

/** What stands at the head of a run, whatever it is read in. */
export function headOf(results: Results): Head {
  const kind = kindOf(results);
  return {
    kind,
    title: titleOf(results),
    tone: toneOf(results),
    sentence: results.sentence,
    lines: linesOf(results),
    nothing: nothingOf(kind === 'load' ? loadRequirements(results) : results.requirements),
  };
}

/**
 * What load scenarios judged, as the requirements of their run: the suites were not run, and what they left out is no part
 * of it. Of several scenarios the worst counts.
 */
export function loadRequirements(results: Results): readonly RequirementResult[] {
  const rank = ['failed', 'warned', 'passed', 'observed', 'untested'];
  const byId = new Map(results.requirements.map((one) => [one.id, one]));
  const judged = new Map<string, RequirementResult>();
  for (const { scenario, requirements } of readLoad(results.load).results) {
    for (const { id, level, title, outcome, findings, judged: times } of requirements) {
      const known = judged.get(id);
      if (known !== undefined && rank.indexOf(known.outcome) <= rank.indexOf(outcome)) continue;
      const plain = byId.get(id) ?? {
        basis: 'stated',
        section: isRequirementId(id) ? sectionOf(id) : '',
      };
      judged.set(id, {
        ...plain,
        id,
        level,
        title,
        outcome,
        reason: outcome === 'untested' ? `${scenario} did not show it` : null,
        cause: null,
        reading: null,
        findings: findings.map((one) => ({ ...one, pointer: null, exchange: null })),
        checks: [
          {
            title: `load ${scenario}, judged ${plural(times, 'time')}`,
            outcome,
            reason: null,
            exchanges: [],
            ms: 0,
          },
        ],
        exchanges: [],
      });
    }
  }
  return [...judged.values()];
}

/** The results as they are shown: under load, only what load judged is a requirement of the run. */
export const asShown = (results: Results): Results =>
  kindOf(results) === 'load' ? { ...results, requirements: loadRequirements(results) } : results;
