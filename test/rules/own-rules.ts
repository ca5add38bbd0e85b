import type { Rule } from '../../src/rules/judgement.ts';
import { OWN_RULES, requirementJudgedBy } from '../../src/requirements/judging.ts';

/** Judgements of the requirements whose ids match: what a test shows is often wrong in ways that others are about. */
export const ownRules = (ids: RegExp): readonly Rule[] =>
  OWN_RULES.filter(({ judges: [one] }) => {
    const id = one === undefined ? undefined : requirementJudgedBy(one);
    return id !== undefined && ids.test(id);
  });
