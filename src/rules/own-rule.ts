import type { ResourceName } from '../contract/resources.ts';
import type { Context } from './context.ts';
import { Criterion } from './criterion.ts';
import { objectsOf, type ObjectAt } from './currency-values.ts';
import type { FindingText, Rule } from './judgement.ts';
import type { View } from './view.ts';

/**
 * A criterion together with the small rule that decides it, for what one requirement alone is about: it stands where the
 * requirement does. What several requirements share, or what compares answers, is a rule of a file in this folder.
 */
export class OwnCriterion extends Criterion {
  // Out of sight of who writes a definition down: the rule points back here.
  readonly #rule: Rule;

  constructor(name: string, each: (view: View, context: Context) => readonly FindingText[] | null) {
    super(name);
    this.#rule = {
      name,
      judges: [this],
      each: (view, context, into) => {
        const findings = each(view, context);
        if (findings === null) return;
        into.judged(this, view);
        for (const finding of findings) into.found(this, view, finding);
      },
    };
  }

  /** What decides it. */
  get rule(): Rule {
    return this.#rule;
  }
}

/**
 * Judges the records of each answer of a resource, all of them at once. `wrong` says what is wrong with them; an answer
 * without records shows nothing.
 */
export const recordsOf = (
  resource: ResourceName,
  wrong: (records: readonly ObjectAt[], view: View) => readonly FindingText[],
): OwnCriterion =>
  new OwnCriterion(`records of ${resource}`, (view, context) => {
    const records = objectsOf(view, context, resource);
    return records.length === 0 ? null : wrong(records, view);
  });
