import type { Exchange } from '../contract/exchange.ts';
import type { RequirementId } from '../contract/requirement-id.ts';
import { AUTHENTICATION_RULES } from './authentication.ts';
import { contextOf, type Context } from './context.ts';
import { ERROR_DETAIL_RULES } from './error-details.ts';
import { ERROR_RULES } from './errors.ts';
import { EXTRA_FIELD_RULES } from './extra-fields.ts';
import { ETF_RULES } from './etfs.ts';
import type { Facts } from './facts.ts';
import { Judgement, type Rule } from './judgement.ts';
import { LIMIT_RULES } from './limits.ts';
import { METAMORPHIC_RULES } from './metamorphic.ts';
import { NEWS_RULES } from './news.ts';
import { OBSERVATION_RULES } from './observations.ts';
import { PARAMETER_RULES } from './parameters.ts';
import { inTheirUnit } from './range-unit.ts';
import { REFUSAL_RULES } from './refusals.ts';
import { RESOURCE_RULES } from './resources.ts';
import { SHAPE_RULES } from './shapes.ts';
import { TRANSPORT_RULES } from './transport.ts';
import { UNKNOWN_RESOURCE_RULES } from './unknown-resources.ts';
import { VALIDATION_RULES } from './validation.ts';
import { viewOf, type View } from './view.ts';

/** Every rule. Order does not matter: rules do not know of each other. */
export const RULES: readonly Rule[] = [
  ...TRANSPORT_RULES,
  ...SHAPE_RULES,
  ...EXTRA_FIELD_RULES,
  ...ERROR_RULES,
  ...ERROR_DETAIL_RULES,
  ...REFUSAL_RULES,
  ...UNKNOWN_RESOURCE_RULES,
  ...VALIDATION_RULES,
  ...AUTHENTICATION_RULES,
  ...RESOURCE_RULES,
  ...OBSERVATION_RULES,
  ...NEWS_RULES,
  ...ETF_RULES,
  ...PARAMETER_RULES,
  ...METAMORPHIC_RULES,
  ...LIMIT_RULES,
];

const byRequirement = new Map<RequirementId, Rule[]>();
for (const rule of RULES) {
  for (const id of rule.requirements) {
    byRequirement.set(id, [...(byRequirement.get(id) ?? []), rule]);
  }
}

/** Rules that can say something about a requirement. */
export function rulesFor(requirement: RequirementId): readonly Rule[] {
  return byRequirement.get(requirement) ?? [];
}

/** Applies all rules to all exchanges: what a run does with everything that arrived, and `assay check` with a HAR. */
export function judgeAll(exchanges: readonly Exchange[], facts: Facts): Judgement {
  return apply(RULES, exchanges, contextOf(facts, exchanges));
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
): Judgement {
  const into = new Judgement();
  const views = inTheirUnit(exchanges.flatMap((exchange) => viewOf(exchange, context) ?? []));
  for (const rule of rules) {
    if (rule.each !== undefined) {
      for (const view of views) guarded(rule, view, into, () => rule.each?.(view, context, into));
    }
    guarded(rule, null, into, () => rule.all?.(views, context, into));
  }
  return into;
}

/** A rule that throws costs its own requirements, and no other judgement of the run. */
function guarded(rule: Rule, view: View | null, into: Judgement, judge: () => void): void {
  try {
    judge();
  } catch (error) {
    into.broke(rule, error, view);
  }
}
