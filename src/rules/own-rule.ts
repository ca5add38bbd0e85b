import type { ResourceName } from '../contract/resources.ts';
import type { Context } from './context.ts';
import { Criterion } from './criterion.ts';
import { objectsOf, type ObjectAt } from './currency-values.ts';
import type { FindingText, Judgement, Rule } from './judgement.ts';
import type { View } from './view.ts';

/**
 * A judgement that stands in the definition of its requirement, or comes from a family that several sections use: it is
 * about that requirement and no other.
 */
export class OwnCriterion extends Criterion {
  // Private, so that a definition shows nothing of the cycle: the rule points back here.
  readonly #rule: Rule;

  constructor(ruleOf: (criterion: Criterion) => Pick<Rule, 'each' | 'all'>) {
    super('of the requirement');
    this.#rule = { name: this.name, judges: [this], ...ruleOf(this) };
  }

  /** The rule that decides it. */
  get rule(): Rule {
    return this.#rule;
  }
}

/** Takes down what is found about one requirement; see `Judgement` for each. */
export class OwnJudgement {
  readonly #criterion: Criterion;
  readonly #into: Judgement;

  constructor(criterion: Criterion, into: Judgement) {
    this.#criterion = criterion;
    this.#into = into;
  }

  /** Notes that the requirement could be judged on this answer. */
  judged(view: View): void {
    this.#into.judged(this.#criterion, view);
  }

  /** Notes a violation. Implies `judged`. */
  found(view: View, finding: FindingText): void {
    this.#into.found(this.#criterion, view, finding);
  }

  /** Judges a condition: notes that it could be judged, and the finding when it does not hold. */
  expect(view: View, holds: boolean, finding: () => FindingText): void {
    this.#into.expect(this.#criterion, view, holds, finding);
  }

  /** Records an observation. */
  read(question: string, answer: string, view: View): void {
    this.#into.read(question, answer, view, this.#criterion);
  }

  /** Records something that is seen on the way, and says nothing about the requirement. */
  note(question: string, answer: string, view: View): void {
    this.#into.read(question, answer, view);
  }
}

/** Judges each answer by itself. */
export const judgeEach = (
  judge: (view: View, context: Context, it: OwnJudgement) => void,
): OwnCriterion =>
  new OwnCriterion((own) => ({
    each: (view, context, into) => judge(view, context, new OwnJudgement(own, into)),
  }));

/** Judges answers beside each other, in the order sent. Those of other endpoints are among them. */
export const judgeAll = (
  judge: (views: readonly View[], context: Context, it: OwnJudgement) => void,
): OwnCriterion =>
  new OwnCriterion((own) => ({
    all: (views, context, into) => judge(views, context, new OwnJudgement(own, into)),
  }));

/**
 * Judges the records of each answer of a resource, all of them at once. `wrong` says what is wrong with them; an answer
 * without records shows nothing.
 */
export const recordsOf = (
  resource: ResourceName,
  wrong: (records: readonly ObjectAt[], view: View) => readonly FindingText[],
): OwnCriterion =>
  judgeEach((view, context, it) => {
    const records = objectsOf(view, context, resource);
    if (records.length === 0) return;
    it.judged(view);
    for (const finding of wrong(records, view)) it.found(view, finding);
  });
