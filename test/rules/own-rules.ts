import { REQUIREMENTS } from '../../src/requirements/catalogue.ts';
import { ruleOf } from '../../src/requirements/judging.ts';
import { Criterion } from '../../src/rules/criterion.ts';
import type { Rule } from '../../src/rules/judgement.ts';
import type { Judge } from '../../src/rules/judge.ts';
import { STATED_VALUES } from '../../src/rules/acceptance.ts';
import { accepted, answered } from '../../src/rules/shapes.ts';
import { refused } from '../../suites/families/refusal.ts';

/** Judgements of whole answers, which nearly every answer is about. */
const OF_ANY_ANSWER: readonly (Judge | Criterion)[] = [
  answered,
  ...STATED_VALUES.map(accepted),
  ...['interval', 'page', 'page_size', 'symbol', 'country_code'].flatMap((name) => [
    refused(`missing ${name}`),
    refused(`value of ${name}`),
  ]),
  refused('unlisted pair'),
];

/** Judgements of the requirements whose ids match: what a test shows is often wrong in ways that others are about. */
export const ownRules = (ids: RegExp): readonly Rule[] =>
  REQUIREMENTS.filter(({ id }) => ids.test(id)).flatMap(({ id, judge = [] }) =>
    [judge].flat().flatMap((one): Rule[] => {
      if (one instanceof Criterion || OF_ANY_ANSWER.includes(one)) return [];
      return [ruleOf(id, one)];
    }),
  );
