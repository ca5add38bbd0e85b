import { createHash } from 'node:crypto';
import type { Exchange } from '../../spec/exchange.ts';
import { T1_FIELDS } from '../../spec/resources.ts';
import { valueAt } from '../../text/json-layout.ts';
import { comparedWith } from './evidence-text.ts';
import { explaining, isShownBy } from './explanations.ts';
import { groupBy } from '../../text/group-by.ts';
import { waysIn } from '../model/fingerprint.ts';
import { WORSE } from '../model/fixed.ts';
import { headOf, type Head } from '../model/head.ts';
import { findingWords } from '../model/labels.ts';
import type { RequirementResult, ResultFinding, Results } from '../model/results.ts';
import { isObject, parsedJson, withoutIndexes } from '../../text/json-value.ts';
import { plural, some } from '../../text/text.ts';
import { isViolated, kindOf } from '../model/status.ts';
import { newSince } from '../model/diff.ts';
import { requirementUnder } from '../model/load.ts';
import { harmRank, OF_VALID, seenOf, type CauseMember } from './seen.ts';
import { burden } from './shown.ts';

/** Outcomes of causes, in the order in which they are listed. */
export const CAUSE_OUTCOMES = ['failed', 'warned', 'waived'] as const;

/** Findings that very likely share one defect: a wrong error code on 31 endpoints is one thing to fix, not 31. */
export type Cause = ReturnType<typeof toCause>;

/** Findings of a requirement; one that failed on a bare assertion still becomes a finding. */
function findingsOf(requirement: RequirementResult): readonly ResultFinding[] {
  if (requirement.findings.length > 0) return requirement.findings;
  const check = requirement.checks.find((one) => one.outcome === requirement.outcome);
  return [
    {
      message: requirement.reason ?? check?.reason ?? requirement.title,
      expected: requirement.title,
      actual: check?.reason ?? requirement.reason ?? 'see the checks of this requirement',
      pointer: null,
      exchange: check?.exchanges[0] ?? requirement.exchanges[0] ?? null,
    },
  ];
}

type Keyed = ReturnType<typeof membersOf>[number];

/** Keys under which findings of several requirements stand. */
function shared(members: readonly Keyed[], key: (member: Keyed) => string): ReadonlySet<string> {
  const groups = [...groupBy(members, key)].filter(([, own]) =>
    own.some(({ requirement }) => requirement.id !== own[0].requirement.id),
  );
  return new Set(groups.map(([name]) => name));
}

/** Findings of all violated requirements, whether the suites or a load scenario judged them. */
function foundIn(results: Results): readonly CauseMember[] {
  const found = (requirement: RequirementResult, more?: { scenario: number }): CauseMember[] =>
    isViolated(requirement)
      ? findingsOf(requirement).map((finding) => ({ requirement, finding, ...more }))
      : [];
  return [
    // The requirements of a load run repeat what its scenarios found.
    ...(kindOf(results) === 'load' ? [] : results.requirements.flatMap((one) => found(one))),
    ...results.load.flatMap((load, scenario) =>
      load.requirements.flatMap((one) => found(requirementUnder(load, one), { scenario })),
    ),
  ];
}

function membersOf(results: Results, exchanges: ReadonlyMap<string, Exchange>) {
  const explanationOf = explaining(results);
  const isNew = newSince(results);
  return foundIn(results).map((member) => {
    const { requirement, finding } = member;
    const outcome = requirement.outcome as (typeof CAUSE_OUTCOMES)[number];
    const { kind = finding.message, expected, actual, pointer } = finding;
    const exchange = exchanges.get(finding.exchange ?? '') ?? null;
    // This kind expects the language that was asked for: a service that ignores it has one defect.
    const due = kind === 'other-language' ? null : expected;
    const seen = seenOf(requirement, finding, exchange, results);
    const way = waysIn(requirement.findings, exchanges)(finding);
    // An admitted key and a wrong refusal are never one cause, nor are admitted keys of two roles or kinds.
    const kept = [outcome, seen === 'let in' && (way ?? exchange?.role)];
    return {
      ...member,
      exchange,
      outcome,
      seen,
      way,
      isNew: isNew(requirement.id, finding),
      harm: harmRank(requirement, finding, exchange, results),
      // The defect it follows from, if that is a different one: none when a refusal did not happen.
      explanation: seen === 'let in' ? null : explanationOf(requirement, finding),
      // Same kind, same values, same pointer: one cause wherever it occurs.
      everywhere: JSON.stringify([kept, kind, due, actual, withoutIndexes(pointer ?? '')]),
      // Same kind at other fields of the same section.
      inSection: JSON.stringify([kept, requirement.section, kind, due]),
    };
  });
}

/** The findings of a run by cause, with what follows from it: violations first, waived ones last; within these, by harm. */
export function groupCauses(results: Results): readonly Cause[] {
  const exchanges = new Map(results.exchanges.map((exchange) => [exchange.id, exchange]));
  const members = membersOf(results, exchanges);
  const everywhere = shared(members, (member) => member.everywhere);
  const inSection = shared(members, (member) => member.inSection);
  const keyOf = (member: Keyed): string => {
    const { explanation, outcome, requirement, seen, way } = member;
    if (explanation !== null) return JSON.stringify([isWaived(member), explanation.name]);
    if (everywhere.has(member.everywhere)) return member.everywhere;
    if (inSection.has(member.inSection)) return member.inSection;
    const isWorse = seen === 'let in' || WORSE.includes(member.finding.kind);
    return JSON.stringify([outcome, requirement.id, way ?? isWorse]);
  };
  // Responses that should have been refusals: what else is found in them, and nowhere else, follows from that.
  const roots = groupBy(
    members.filter((one) => isOfRefusal(one) && one.outcome !== 'warned'),
    placeOf,
  );
  const elsewhere = new Set(
    members
      .filter((one) => !roots.has(placeOf(one)))
      .flatMap((one) => [kindKeyOf(one), kindKeyOf(one, one.finding.expected)]),
  );
  const byKind = groupBy(members, (member) => kindPlaceOf(member));
  const misdirected = new Set(
    members.filter(({ finding }) => MISDIRECTED.includes(finding.kind ?? '')).map(placeOf),
  );
  const rootOf = (member: Keyed): Keyed | undefined => {
    const { kind: own = '' } = member.finding;
    // Where the refusal is about what is wrong in the request, a wrong value in it is a defect of its own.
    const isOwn = own === 'details-other-value' && !misdirected.has(placeOf(member));
    for (const [root, kinds, fits] of FOLLOWING) {
      if (isOwn || !kinds.includes(own)) continue;
      const above = byKind.get(kindPlaceOf(member, root))?.find((one) => fits(member, one));
      if (above !== undefined) return above;
    }
    const above = roots.get(placeOf(member))?.[0];
    // A made-up record has nothing that is expected of others.
    const isMadeUp = above?.finding.kind === 'unknown-id-found';
    const kind = kindKeyOf(member, isMadeUp ? member.finding.expected : null);
    return !isOfRefusal(member) && elsewhere.has(kind) ? undefined : above;
  };
  const bySeen = groupBy(members, (member) => keyOf(rootOf(member) ?? member));
  // Findings about values that others are about, too, or about the bodies of the same refusals, and about nothing else have
  // one defect.
  const values = [...bySeen].map(([key, group]) => ({ key, all: valuesOf(group) }));
  values.sort((a, b) => b.all.size - a.all.size);
  const groups = groupBy([...bySeen], ([key, group]) => {
    const own = [...valuesOf(group)];
    const isWhole = group.some(({ finding }) => finding.pointer === '');
    const holder = values.find(
      ({ all }) => own.every((one) => all.has(one)) && (!isWhole || all.size === own.length),
    );
    return own.length === 0 ? key : holder?.key;
  });

  return [...groups.values()]
    .map((own) => [own[0][0], own.flatMap(([, group]) => group)] as const)
    .map(([key, all]) => toCause(key, all, exchanges))
    .toSorted(
      (a, b) =>
        CAUSE_OUTCOMES.indexOf(a.outcome) - CAUSE_OUTCOMES.indexOf(b.outcome) ||
        a.harm - b.harm ||
        Number(a.isRefusal) - Number(b.isRefusal) ||
        b.requirements.length - a.requirements.length ||
        b.members.length - a.members.length,
    );
}

/** How many findings causes have; those that were not recorded belong to one of the causes of their requirement. */
export function countFindings(causes: readonly Cause[]): string {
  const members = causes.flatMap((cause) => cause.members);
  const cut = [...new Set(members.map(({ requirement }) => requirement))].flatMap(
    ({ findings, total }) => (total === undefined ? [] : [{ findings, total }]),
  );
  const own = new Set(members.map(({ finding }) => finding));
  if (cut.some(({ findings }) => findings.some((one) => !own.has(one))))
    return `at least ${plural(members.length, 'finding')}`;
  const dropped = cut.reduce((sum, { findings, total }) => sum + total - findings.length, 0);
  return findingWords(members.length, members.length + dropped);
}

/** Warnings that stand among the findings of a violation: `, 1 warning among them (4.3/country-enum-code)`. */
export function warningsAmong(causes: readonly Cause[]): string {
  const idsOf = (outcome: Cause['outcome']): readonly string[] =>
    causes
      .filter((cause) => cause.outcome === outcome)
      .flatMap(({ requirements }) => requirements.filter((one) => one.outcome === 'warned'))
      .map(({ id }) => id);
  const own = new Set(idsOf('warned'));
  const ids = [...new Set(idsOf('failed'))].filter((id) => !own.has(id));
  return ids.length === 0 ? '' : `, ${plural(ids.length, 'warning')} among them (${some(ids, 6)})`;
}

/** The rank of requirements by the harm of their causes; the same for all that have none. */
export function rankOf(causes: readonly Cause[]): (id: string) => number {
  // What shows a cause best is named with it, and what else is found there after that.
  const order = causes.flatMap(({ example, requirements }) => [
    example.requirement.id,
    ...requirements
      .map(({ id }) => id)
      .filter((id) => causes.every((one) => one.example.requirement.id !== id)),
  ]);
  return (id) => (order.includes(id) ? order.indexOf(id) : order.length);
}

/** The head of a report, with the requirements of each line in the order of harm. */
export function headWith(causes: readonly Cause[], results: Results): Head {
  const rank = rankOf(causes);
  const head = headOf(results);
  const lines = head.lines.map(({ ids, ...line }) => ({
    ...line,
    ids: ids.toSorted((a, b) => rank(a) - rank(b)),
  }));
  return { ...head, lines };
}

const isWaived = ({ outcome }: Keyed): boolean => outcome === 'waived';

/** The exchange; nothing that is open follows from what is waived, or the reverse. */
const placeOf = (member: Keyed): string =>
  JSON.stringify([member.finding.exchange, isWaived(member)]);

/** The field that a finding is about, with its content, or the whole body of a refusal; null for others. */
const valueOf = (member: Keyed): string | null => {
  const { finding, exchange, explanation } = member;
  const { pointer, actual } = finding;
  const isRefusal = (exchange?.response?.status ?? 0) >= 400;
  if (explanation !== null || pointer === null || (pointer === '' && !isRefusal)) return null;
  return JSON.stringify([placeOf(member), pointer, pointer && actual]);
};

/** The values that findings are about; none unless all are about one. */
const valuesOf = (members: readonly Keyed[]): ReadonlySet<string | null> => {
  const values = new Set(members.map(valueOf));
  return values.has(null) ? new Set() : values;
};

const kindPlaceOf = (member: Keyed, kind = member.finding.kind ?? ''): string =>
  JSON.stringify([kind, member.exchange?.endpoint, isWaived(member)]);

const parameterOf = ({ exchange }: Keyed, name: string): string | undefined =>
  exchange?.request.query.find(([one]) => one === name)?.[1];

function refusalOf({ exchange }: Keyed): string | null {
  const body = parsedJson(exchange?.response?.text ?? '');
  return isObject(body) ? JSON.stringify([body['code'], body['message']]) : null;
}

const isSameAnswer = (one: Keyed, root: Keyed): boolean =>
  one.finding.exchange === root.finding.exchange;

/** True if the value of the root is all that fills an unsettled row. */
function isOnlyFilled(member: Keyed, root: Keyed): boolean {
  const row = member.finding.pointer?.replace(/[^/]*$/, '') ?? '';
  const text = member.exchange?.response?.text ?? '';
  const filled = T1_FIELDS.map((field) => row + field).filter(
    (pointer) => (valueAt(text, pointer) ?? null) !== null,
  );
  return isSameAnswer(member, root) && filled.every((one) => one === root.finding.pointer);
}

/** Kinds of findings about a refusal for another reason than what is wrong in the request. */
const MISDIRECTED: readonly string[] = [
  'refused-otherwise',
  'wrong-message',
  'wrong-unlisted-message',
  'details-without-field',
];

type Following = readonly [string, readonly string[], (member: Keyed, root: Keyed) => boolean];

/** Findings that follow from one of another kind at the same endpoint: the kind of that, their own, and when. */
const FOLLOWING: readonly Following[] = [
  // Details that say nothing of what was sent name neither the identifier nor the parameter.
  ['details-without-unknown', ['details-without-id'], isSameAnswer],
  ['details-without-invalid', ['details-without-field'], isSameAnswer],
  ['field-string', ['settled-in-part'], isOnlyFilled],
  [
    'other-default-size',
    ['envelope-differs', 'page-does-not-continue', 'total-of-items'],
    (one) =>
      parameterOf(one, 'page_size') === undefined &&
      ['page_size', undefined].includes(one.finding.facts?.['field'] as string | undefined),
  ],
  // A page that repeats page 1 is longer than the last page would be.
  ['page-does-not-continue', ['total-of-items'], (one) => Number(parameterOf(one, 'page')) > 1],
  // The refusal that a valid request gets says the same of an invalid one.
  [
    'request-refused',
    [...MISDIRECTED, 'details-other-value'],
    (one, root) => refusalOf(one) !== null && refusalOf(one) === refusalOf(root),
  ],
];

const kindKeyOf = ({ requirement, finding }: CauseMember, expected: string | null = null): string =>
  JSON.stringify([requirement.id, finding.kind, expected]);

/** True for a response to a request that had to be refused, and for a refusal of one that had not. */
const isOfRefusal = ({ seen, finding: { kind = '' } }: Keyed): boolean =>
  seen === 'let in' || seen === 'answered' || ['unknown-id-found', ...OF_VALID].includes(kind);

/** By how many levels a value is nested deeper than another that is wrong in the same way: an item stands for its quote. */
function depthBeyond(
  { finding: outer, exchange }: Keyed,
  { finding, exchange: at }: Keyed,
): number {
  const isAlike = outer.kind === finding.kind && exchange?.endpoint === at?.endpoint;
  if (!isAlike || !outer.pointer || !finding.pointer) return 0;
  return finding.pointer.split('/').length - outer.pointer.split('/').length;
}

function toCause(key: string, members: readonly Keyed[], exchanges: ReadonlyMap<string, Exchange>) {
  const explanation = members[0]?.explanation ?? null;
  const outcome = CAUSE_OUTCOMES.find((one) => members.some((member) => member.outcome === one));
  const harm = Math.min(...members.map((member) => member.harm));
  const fresh = members.filter(({ isNew }) => isNew);
  // What is new is shown, not what was known.
  const told = fresh.length > 0 ? fresh : members;
  // A key that is used up shows nothing again, and what follows from a defect shows with others.
  const followers = FOLLOWING.flatMap(([root, kinds]) =>
    members.some(({ finding }) => finding.kind === root) ? kinds : [],
  );
  const spared = told.filter(
    ({ exchange, finding: { kind = '' } }) =>
      !followers.includes(kind) && (explanation === null || exchange?.role !== 'nearQuota'),
  );
  const shown = spared.length > 0 ? spared : told;
  // Prefer members that show the defect itself: its own requirement, at the level of the cause, with the most harm.
  const plainest = [
    (member: Keyed) => isOfRefusal(member) && member.outcome === outcome,
    ({ requirement }: Keyed) => explanation !== null && isShownBy(explanation, requirement),
    (member: Keyed) => member.outcome === outcome && member.harm === harm,
    (member: Keyed) => member.outcome === outcome,
  ]
    .map((fits) => shown.filter(fits))
    .find(({ length }) => length > 0);
  const example = (plainest ?? shown).reduce((best, member) =>
    (depthBeyond(best, member) || burden(member.exchange) - burden(best.exchange)) < 0
      ? member
      : best,
  );
  const byRequirement = groupBy(members, ({ requirement }) => requirement.id);
  const exchangesShown = members.flatMap(({ exchange }) => exchange ?? []);
  // Other paths are named only if there is no endpoint.
  const known = new Set(exchangesShown.flatMap(({ endpoint }) => endpoint ?? []));
  const endpoints: ReadonlySet<string> =
    known.size > 0 ? known : new Set(exchangesShown.map(({ request }) => request.path));
  return {
    /** The same for the same cause in every run, so it can be linked to. */
    id: `f-${createHash('sha256').update(key).digest('hex').slice(0, 8)}`,
    /** `failed` when a must is violated, `warned` when only shoulds are, `waived` when all of it is waived. */
    outcome: outcome ?? 'warned',
    harm,
    /** True for refusals with the status of a success: of causes that do as much harm, these come last. */
    isRefusal: explanation?.isRefusal === true,
    message: explanation?.message([...endpoints]) ?? example.finding.message,
    /** Advice beyond fixing the target, or null. */
    advice: explanation?.advice ?? null,
    /** The finding with the simplest request, which is the easiest to read and repeat. */
    example,
    /** The exchange of the example; null for findings about a whole run. */
    exchange: example.exchange,
    related: comparedWith(example.finding, exchanges),
    members,
    /** Of these, what the earlier run did not have. */
    fresh,
    /** Each once, in the order of the results. */
    requirements: [...byRequirement.values()].map(([first]) => first.requirement),
    /** Path templates, each once; paths outside §4 where there are no others. */
    endpoints: [...endpoints],
    scenarios: [...new Set(members.flatMap(({ scenario }) => scenario ?? []))],
  };
}
