import { refused } from '../../suites/families/refusal.ts';
import { REQUIREMENTS, type Requirement } from '../../src/requirements/catalogue.ts';
import { judgeViews } from '../../src/requirements/judging.ts';
import type { Context } from '../../src/judge/context.ts';
import type { Judge } from '../../src/judge/judge.ts';
import { Judgement } from '../../src/judge/judgement.ts';
import { accepted, answered, STATED_VALUES } from '../../src/judge/shapes.ts';
import type { View } from '../../src/judge/view.ts';

/** What is judged of requirements. */
export type Judged = Pick<Requirement, 'id' | 'judge' | 'endpoints'>;

/** Judgements of whole answers, which nearly every answer is about. */
const OF_ANY_ANSWER: readonly Judge[] = [
  answered,
  ...STATED_VALUES.map(accepted),
  ...['interval', 'page', 'page_size', 'symbol', 'country_code'].flatMap((name) => [
    refused(`missing ${name}`),
    refused(`value of ${name}`),
  ]),
  refused('unlisted pair'),
];

/** Judgements of the requirements whose ids match: what a test shows is often wrong in ways that others are about. */
export const ownRules = (ids: RegExp): readonly Judged[] =>
  REQUIREMENTS.filter(({ id }) => ids.test(id)).map(({ id, endpoints, judge = [] }) => ({
    id,
    ...(endpoints && { endpoints }),
    judge: [judge].flat().filter((one) => !OF_ANY_ANSWER.includes(one)),
  }));

/** What these requirements find in some answers. @throws Error when one of their judgements does */
export function judgedBy(
  requirements: readonly Judged[],
  views: readonly View[],
  context: Context,
): Judgement {
  const into = new Judgement();
  for (const one of requirements) judgeViews(one, views, context, into);
  for (const what of into.broken.values()) throw new Error(what);
  return into;
}
