import type { EndpointPath } from '../contract/endpoints.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { RequirementId } from '../contract/requirement-id.ts';
import { contextOf, type Context } from '../rules/context.ts';
import { Criterion } from '../rules/criterion.ts';
import type { Facts } from '../rules/facts.ts';
import { Judgement, type RequirementOf, type Rule } from '../rules/judgement.ts';
import { inTheirUnit } from '../rules/range-unit.ts';
import { OwnCriterion } from '../rules/own-rule.ts';
import { RULES } from './rules.ts';
import { limitsViewOf, viewOf, type View } from '../rules/view.ts';
import { REQUIREMENTS } from './catalogue.ts';

/** The requirement that each criterion judges. */
const judgedBy = new Map<Criterion, RequirementId>(
  REQUIREMENTS.flatMap(({ id, judge = [] }) =>
    [judge].flat().map((criterion) => [criterion, id] as const),
  ),
);

/** The endpoints of requirements that are about some of them only. */
const endpointsOf = new Map(
  REQUIREMENTS.flatMap(({ id, endpoints }) =>
    endpoints === undefined ? [] : [[id, new Set<EndpointPath | null>(endpoints)] as const],
  ),
);

/** The requirement that a criterion judges, or a field is the subject of; undefined when it is about other endpoints. */
export const requirementJudgedBy: RequirementOf = (subject, endpoint) => {
  const id = subject instanceof Criterion ? judgedBy.get(subject) : subject;
  if (id === undefined || endpoint === undefined) return id;
  const isOwn = endpointsOf.get(id)?.has(endpoint) ?? true;
  return isOwn ? id : undefined;
};

/** Rules that stand where their requirement does. */
export const OWN_RULES: readonly Rule[] = [...judgedBy.keys()].flatMap((one) =>
  one instanceof OwnCriterion ? [one.rule] : [],
);

/** Every rule. */
export const ALL_RULES: readonly Rule[] = [...RULES, ...OWN_RULES];

const byRequirement = new Map<RequirementId, Rule[]>();
for (const rule of ALL_RULES) {
  for (const subject of rule.judges) {
    const id = subject instanceof Criterion ? judgedBy.get(subject) : subject;
    if (id !== undefined) byRequirement.set(id, [...(byRequirement.get(id) ?? []), rule]);
  }
}

/** Rules that can say something about a requirement. */
export function rulesFor(requirement: RequirementId): readonly Rule[] {
  return byRequirement.get(requirement) ?? [];
}

/**
 * Applies all rules to all exchanges: what a run does with everything that arrived, and `assay check` with a HAR.
 *
 * @param isFresh false for exchanges whose judgement by themselves, in the same context, is known and not wanted again;
 *   they are compared with the others all the same
 */
export function judgeAll(
  exchanges: readonly Exchange[],
  facts: Facts,
  isFresh?: (exchange: Exchange) => boolean,
): Judgement {
  const context = contextOf(facts, exchanges);
  return apply(ALL_RULES, exchanges, context, isFresh && (({ exchange }) => isFresh(exchange)));
}

/** Rules about how many answers a key gets, and what they say about that: those of §8, but for the one about records. */
export const LIMIT_RULES: readonly Rule[] = REQUIREMENTS.flatMap(({ id, section }) =>
  section === '8' && id !== '8/beyond-window' ? rulesFor(id) : [],
);

/** Rules about what is in the answers. */
const CONTENT_RULES: readonly Rule[] = ALL_RULES.filter((rule) => !LIMIT_RULES.includes(rule));

/**
 * The same in two parts, for traffic that does not end: what is compared by content needs whole bodies and lies close
 * together, what is counted per key needs whole windows and no bodies.
 *
 * @param counted exchanges in the order sent, of which `limitsOnly` is enough
 * @param fresh those that were not judged by themselves before
 */
export function judgeInParts(
  exchanges: readonly Exchange[],
  counted: readonly Exchange[],
  facts: Facts,
  fresh: ReadonlySet<string>,
): Judgement {
  const isFresh = ({ exchange }: View): boolean => fresh.has(exchange.id);
  const into = apply(CONTENT_RULES, exchanges, contextOf(facts, exchanges), isFresh);
  judgeLimits(counted, contextOf(facts, counted), into, isFresh);
  return into;
}

/**
 * Applies the rules of one requirement to some exchanges. Findings about other requirements, which a rule may make on
 * the way, are dropped.
 */
export function judgeFor(
  requirement: RequirementId,
  exchanges: readonly Exchange[],
  context: Context,
): Judgement {
  const judgement = apply(rulesFor(requirement), exchanges, context);
  for (const id of judgement.requirements.keys()) {
    if (id !== requirement) judgement.requirements.delete(id);
  }
  for (const id of judgement.broken.keys()) {
    if (id !== requirement) judgement.broken.delete(id);
  }
  return judgement;
}

function apply(
  rules: readonly Rule[],
  exchanges: readonly Exchange[],
  context: Context,
  isFresh: IsFresh = everyView,
): Judgement {
  const into = new Judgement(requirementJudgedBy);
  const views = exchanges.flatMap((exchange) => viewOf(exchange, context) ?? []);
  applyTo(rules, inTheirUnit(views), context, into, isFresh);
  return into;
}

/** Whether a view is to be judged by itself, too, and not only beside others. */
type IsFresh = (view: View) => boolean;
const everyView: IsFresh = () => true;

/** Applies the rules of §8 to what was recorded under load, of which there may be no more than they need. */
export function judgeLimits(
  exchanges: readonly Exchange[],
  context: Context,
  into: Judgement,
  isFresh: IsFresh = everyView,
): void {
  const views = exchanges.flatMap((exchange) => limitsViewOf(exchange, context) ?? []);
  applyTo(LIMIT_RULES, views, context, into, isFresh);
}

/** Applies rules to views. */
function applyTo(
  rules: readonly Rule[],
  views: readonly View[],
  context: Context,
  into: Judgement,
  isFresh: IsFresh,
): void {
  const alone = views.filter(isFresh);
  const together = views.filter(({ fromCache }) => !fromCache);
  for (const rule of rules) {
    if (rule.each !== undefined) {
      for (const view of alone) guarded(rule, view, into, () => rule.each?.(view, context, into));
    }
    guarded(rule, null, into, () => rule.all?.(together, context, into));
  }
}

/** A rule that throws costs its own requirements, and no other judgement of the run. */
function guarded(rule: Rule, view: View | null, into: Judgement, judge: () => void): void {
  try {
    judge();
  } catch (error) {
    into.broke(rule, error, view);
  }
}
