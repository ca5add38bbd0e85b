import { groupBy } from '../../text/group-by.ts';
import { some } from '../../text/text.ts';
import type { Level } from '../../spec/levels.ts';
import { UNDECIDED } from '../../spec/limits.ts';
import { CHANGE_WORDS } from './diff-words.ts';
import { fixesSince, hindranceSince, worseSince, requestOf } from './fixed.ts';
import type { Outcome, RequirementResult, ResultFinding, Results } from './results.ts';
import { isJudged, isViolated, kindOf, outcomeOf, showsFixed, shownBy } from './status.ts';
import { shape } from './shape.ts';
import { settingOf } from './unjudged.ts';

export type ChangeKind = keyof typeof CHANGE_WORDS;
const CHANGE_KINDS = Object.keys(CHANGE_WORDS);

/** The likely origin of a change: implementation, specification, Assay itself, timing or data of the run, or its settings. */
export type Because = 'target' | 'specification' | 'suite' | 'data' | 'settings';

/** One difference. */
export interface Change {
  readonly kind: ChangeKind;
  readonly subject: string;
  readonly title: string;
  readonly level: Level | null;
  readonly before: string;
  readonly after: string;
  readonly because: Because;
  readonly since: string | null;
  readonly exchanges: readonly string[];
  /** Exchanges of what is new in a violation that the earlier run had, too; left out where all of it is new, or nothing. */
  readonly worse?: readonly string[];
}

/**
 * Two runs compared. Kept in `results.json` of the later one when a baseline was given; `schemas/tool/results.json` describes
 * its members.
 */
export interface Diff {
  readonly before: { readonly startedAt: string; readonly verdict: string; readonly tool: string };
  readonly after: { readonly startedAt: string; readonly verdict: string; readonly tool: string };
  readonly context: readonly {
    readonly of: Because;
    readonly name: string;
    readonly before: string;
    readonly after: string;
  }[];
  readonly changes: readonly Change[];
  readonly answers: readonly PreviousAnswer[];
}

/** What an outcome says of a requirement. */
export function stateOf(outcome: Outcome) {
  if (isViolated({ outcome })) return 'violated';
  return isJudged({ outcome }) ? 'verified' : 'unverified';
}

function said(requirement: RequirementResult): string {
  const { outcome, findings, reason } = requirement;
  const words = isViolated(requirement) ? (findings[0]?.message ?? reason) : reason;
  return words === null || outcome === 'passed' ? outcome : `${outcome}: ${words}`;
}

const UNSEEN = 'no violation seen, but the run does not show that the limiter is right';
const HIDDEN = 'passed, but a request that showed the violation was answered with a server error';
const NOT_ASKED = 'passed, but the requests that showed the violation were not all judged again';

/**
 * The kind of change since an earlier outcome; null without a change. `was` is null if the earlier run did not have it;
 * `isFixed` tells whether a pass shows that an earlier violation is gone.
 */
export function outcomeChange(was: Outcome | null, now: RequirementResult, isFixed: boolean) {
  const before = was === null ? 'unverified' : stateOf(was);
  const state = stateOf(outcomeOf(now));
  if (state === 'violated') return before === 'violated' ? 'still-violated' : 'new-violation';
  if (before === state) return null;
  if (state === 'unverified') return 'newly-unverified';
  if (before !== 'violated') return 'newly-verified';
  return isFixed ? 'fixed' : 'newly-unverified';
}

/** Compares an earlier run with a later one. Pure. */
export function diffResults(before: Results, after: Results): Diff {
  const context = contextChanges(before, after);
  const hasOtherSettings = context.some((one) => one.of === 'settings');
  const changes = [
    ...requirementChanges(before, after, hasOtherSettings),
    ...readingChanges(before, after),
  ];
  return {
    before: factsOf(before),
    after: factsOf(after),
    context,
    changes: changes.toSorted(
      (a, b) =>
        CHANGE_KINDS.indexOf(a.kind) - CHANGE_KINDS.indexOf(b.kind) ||
        Number(a.level !== 'must') - Number(b.level !== 'must'),
    ),
    answers: previousAnswers(before, after),
  };
}

function factsOf({ startedAt, verdict, tool }: Results): Diff['before'] {
  return { startedAt, verdict, tool: tool.version };
}

const namesOf = ({ id, title, level }: RequirementResult) => ({ subject: id, title, level });

function requirementChanges(before: Results, after: Results, hasOtherSettings: boolean) {
  const earlier = new Map(before.requirements.map((one) => [one.id, one]));
  const later = new Set(after.requirements.map(({ id }) => id));
  const fixesOf = fixesSince(before, after);
  const worseOf = worseSince(before);
  const hindranceOf = hindranceSince(before, after);
  const wasAsked = new Set(before.exchanges.map(requestOf));
  const sent = new Map(after.exchanges.map((one) => [one.id, requestOf(one)]));
  const violations = [...before.requirements, ...after.requirements].filter(isViolated);
  const turned = [...groupBy(violations, ({ id }) => id)].flatMap(([id, own]) =>
    own.length === 1 || own.some((one) => worseOf(one, after).length > 0) ? [id] : [],
  );
  // A load run judges only what load can show.
  const isPart = isLoad(before) || isLoad(after);
  const ofText = before.spec.sha256 === after.spec.sha256 ? 'suite' : 'specification';
  const catalogue: Because = isPart ? 'settings' : ofText;
  const changed = after.requirements.flatMap((now): readonly Change[] => {
    const old = earlier.get(now.id);
    const shown = fixesOf(now);
    const change = outcomeChange(old === undefined ? null : outcomeOf(old), now, shown !== null);
    const worse = change === 'still-violated' ? worseOf(now, after) : [];
    const kind = worse.length > 0 ? 'new-violation' : change;
    const told = worse.length > 0 ? { ...now, findings: worse } : now;
    const notAsked = hindranceOf(now) === 'server error' ? HIDDEN : NOT_ASKED;
    const notSeen = showsFixed(now, after) ? notAsked : UNSEEN;
    const isNew = kind === 'new-violation';
    if (old === undefined ? isPart && !isNew : kind === null) return [];
    const isReworded = old?.title !== now.title || old.level !== now.level;
    return [
      {
        ...namesOf(now),
        kind: old === undefined && !isNew ? 'added' : (kind ?? 'added'),
        before: old === undefined ? 'not in the earlier run' : said(old),
        after: kind === 'newly-unverified' && isJudged(now) ? notSeen : said(told),
        because: isReworded
          ? catalogue
          : isNew && isUnasked(old, told, (id) => wasAsked.has(sent.get(id) ?? ''))
            ? (hasOtherSettings && 'settings') || 'data'
            : causeOf(kind, old, now, { turned, hasOtherSettings }),
        since: isNew
          ? after.startedAt
          : kind === 'still-violated'
            ? (old?.since ?? before.startedAt)
            : null,
        // The other exchanges of a violation are correct, and those of a fix do not show it.
        exchanges: (kind === 'fixed' && shown !== null
          ? shown
          : shownBy(told.findings.length > 0 ? { ...told, exchanges: [] } : told)
        ).slice(0, 3),
        ...(worse.length > 0 && { worse: worse.flatMap(({ exchange }) => exchange ?? []) }),
      },
    ];
  });
  const removed = before.requirements
    .filter((old) => !later.has(old.id) && (!isPart || isViolated(old)))
    .map((old): Change => ({
      ...namesOf(old),
      // Other scenarios judge others.
      kind: isPart ? 'newly-unverified' : 'removed',
      before: said(old),
      after: 'not in this run',
      because: catalogue,
      since: null,
      exchanges: [],
    }));
  return [...changed, ...removed];
}

/** Tells which findings the earlier run did not have; none without an earlier run. */
export function newSince({ changes }: Results) {
  const fresh = new Map(
    changes?.changes.flatMap((one) => (one.kind === 'new-violation' ? [[one.subject, one]] : [])),
  );
  return (id: string, { exchange }: Pick<ResultFinding, 'exchange'>): boolean =>
    fresh.has(id) && (fresh.get(id)?.worse?.includes(exchange ?? '') ?? true);
}

/** Whether the earlier run sent none of the requests that show a violation, nor verified what no request alone shows. */
function isUnasked(
  old: RequirementResult,
  { findings }: RequirementResult,
  wasAsked: (exchange: string) => boolean,
): boolean {
  const shown = findings.length === 0 ? [{ exchange: null }] : findings;
  return !shown.some(({ exchange }) =>
    exchange === null ? stateOf(outcomeOf(old)) === 'verified' : wasAsked(exchange),
  );
}

const isLoad = (results: Results): boolean => kindOf(results) === 'load';

/** The likely origin of a changed outcome, by its cause. `turned`: requirements violated in one of the runs only, or worse. */
function causeOf(
  kind: ChangeKind | null,
  old: RequirementResult,
  now: RequirementResult,
  { turned, hasOtherSettings }: { turned: readonly string[]; hasOtherSettings: boolean },
): Because {
  const judged = kind === 'newly-unverified' ? now : kind === 'newly-verified' ? old : null;
  if (judged === null) return 'target';
  const outcome = outcomeOf(judged);
  if (outcome === 'error') return 'suite';
  const isKept = (judged.follows ?? []).some((id) => turned.includes(id));
  if (outcome === 'inconclusive' || isKept) return 'target';
  const isBySetting = isJudged(judged) || settingOf(judged) !== null;
  return isBySetting && hasOtherSettings ? 'settings' : 'data';
}

function readingChanges(before: Results, after: Results): readonly Change[] {
  const earlier = new Map(before.readings.map((one) => [one.question, one]));
  return after.readings.flatMap((now): Change[] => {
    const old = earlier.get(now.question);
    if (old === undefined || old.answer === now.answer) return [];
    // A run that could not tell shows no other behaviour.
    if ([old.answer, now.answer].includes(UNDECIDED)) return [];
    return [
      {
        kind: 'behaviour',
        subject: now.question,
        title: now.question,
        level: 'observe',
        before: old.answer,
        after: now.answer,
        // Only numbers differ: the data changed, not the behaviour.
        because: shape(old.answer) === shape(now.answer) ? 'data' : 'target',
        since: null,
        exchanges: now.exchanges.slice(0, 3),
      },
    ];
  });
}

/** Changes by kind, in their order: decisions first. */
export const changesByKind = ({ changes }: Diff) => [...groupBy(changes, ({ kind }) => kind)];

/** The later results with the comparison and the age of each violation. */
export function withBaseline(after: Results, before: Results): Results {
  const diff = diffResults(before, after);
  const since = new Map(diff.changes.map((change) => [change.subject, change.since]));
  return {
    ...after,
    requirements: after.requirements.map((one) => {
      const first = since.get(one.id) ?? null;
      return first === null ? one : { ...one, since: first };
    }),
    changes: diff,
  };
}

function contextChanges(before: Results, after: Results): Diff['context'] {
  const list: Diff['context'][number][] = [];
  const compare = (of: Because, name: string, value: (results: Results) => string): void => {
    const [old, now] = [value(before), value(after)];
    if (old !== now) list.push({ of, name, before: old, after: now });
  };
  compare('specification', 'SHA-256', ({ spec }) => spec.sha256);
  compare('suite', 'Assay version', ({ tool }) => tool.version);
  const ofCount = isLoad(before) || isLoad(after) ? 'settings' : 'suite';
  compare(ofCount, 'number of requirements', ({ requirements }) => String(requirements.length));
  // The embedded server has a random port.
  compare('target', 'base URL', ({ target }) =>
    target.reference ? 'embedded reference server' : target.baseUrl,
  );
  compare('target', 'envelope', ({ target }) => target.envelope ?? 'none');
  compare('settings', 'profile', ({ profile }) => profile);
  compare('settings', 'seed', ({ seed }) => String(seed));
  compare('settings', 'selection', ({ settings: { only = [], skip = [], path = null } = {} }) =>
    JSON.stringify({ only, skip, path }),
  );
  compare('settings', '--max-requests', ({ settings }) => String(settings?.maxRequests ?? 'none'));
  compare('settings', 'fixtures', ({ settings }) => JSON.stringify(settings?.fixtures ?? {}));
  compare('settings', 'key roles', ({ target }) => Object.keys(target.keys).toSorted().join(', '));
  compare('data', 'requested identifiers', identifiers);
  return list;
}

/** Values of path parameters of successful requests, such as currency ids, each once. */
function identifiers({ exchanges }: Results): string {
  const answered = exchanges.filter(({ response }) => (response?.status ?? 600) < 300);
  const values = answered.flatMap(({ pathParameters }) => Object.values(pathParameters));
  return some([...new Set(values)].toSorted(), 24);
}

/** The response of the earlier run to the same request. */
export interface PreviousAnswer {
  readonly exchange: string;
  readonly earlier: string;
  readonly status: number;
  readonly text: string;
}

/** Maximum number of responses and characters of each, so that the report does not double in size. */
const KEPT = 60;
const CHARACTERS = 8_000;

/** Earlier responses for exchanges with findings or another status: other bodies change with the data every day. */
function previousAnswers(before: Results, after: Results): readonly PreviousAnswer[] {
  // The first response to each request.
  const earlier = new Map(before.exchanges.toReversed().map((one) => [requestOf(one), one]));
  const inFindings = new Set(
    after.requirements.flatMap(({ findings }) => findings.map(({ exchange }) => exchange)),
  );
  const answers = after.exchanges.flatMap((exchange): readonly PreviousAnswer[] => {
    const old = earlier.get(requestOf(exchange));
    if (old === undefined) return [];
    const { status = 0, text = '' } = old.response ?? {};
    const isChanged = status !== (exchange.response?.status ?? 0);
    const isSuspect = inFindings.has(exchange.id) && text !== (exchange.response?.text ?? '');
    if (!isChanged && !isSuspect) return [];
    earlier.delete(requestOf(exchange));
    return [{ exchange: exchange.id, earlier: old.id, status, text: text.slice(0, CHARACTERS) }];
  });
  return answers.slice(0, KEPT);
}
