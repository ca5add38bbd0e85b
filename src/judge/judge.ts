import type { EndpointPath } from '../spec/endpoints.ts';
import type { RequirementId } from '../spec/requirement-id.ts';
import type { ResourceName } from '../spec/resources.ts';
import type { Context } from './context.ts';
import type { FindingText, Judgement } from './judgement.ts';
import { objectsOf, type ObjectAt } from './places.ts';
import type { View } from './view.ts';

/**
 * What decides whether answers keep a requirement. It stands in the definition, or comes from a family that several
 * requirements share. It never sends.
 */
export interface Judge {
  /** Looks at one answer at a time. */
  readonly each?: (view: View, context: Context, it: OwnJudgement) => void;
  /** Looks at answers beside each other, in the order sent. Those of other endpoints are among them. */
  readonly all?: (views: readonly View[], context: Context, it: OwnJudgement) => void;
}

/** Takes down what is found about one requirement; see `Judgement` for each. */
export class OwnJudgement {
  readonly #id: RequirementId;
  readonly #into: Judgement;
  readonly #endpoints: readonly (EndpointPath | null)[] | undefined;

  /** @param endpoints that the requirement is about; all by default. What any other endpoint answers does not count. */
  constructor(id: RequirementId, into: Judgement, endpoints?: readonly EndpointPath[]) {
    this.#id = id;
    this.#into = into;
    this.#endpoints = endpoints;
  }

  /** Whether the requirement is about what this endpoint answers. */
  isAbout({ exchange: { endpoint } }: View): boolean {
    return this.#endpoints?.includes(endpoint) ?? true;
  }

  /** Notes that the requirement could be judged on this answer. */
  judged(view: View): void {
    if (this.isAbout(view)) this.#into.judged(this.#id, view);
  }

  /** Notes a violation. Implies `judged`. */
  found(view: View, finding: FindingText): void {
    if (this.isAbout(view)) this.#into.found(this.#id, view, finding);
  }

  /** Judges a condition: notes that it could be judged, and the finding when it does not hold. */
  expect(view: View, holds: boolean, finding: () => FindingText): void {
    if (this.isAbout(view)) this.#into.expect(this.#id, view, holds, finding);
  }

  /** Records an observation. */
  read(question: string, answer: string, view: View): void {
    this.#into.read(question, answer, view, this.isAbout(view) ? this.#id : null);
  }

  /** Records what an answer shows of the data, of which each answer shows a part. */
  collect(question: string, parts: readonly string[], view: View): void {
    this.#into.collect(question, parts, view, this.isAbout(view) ? this.#id : null);
  }

  /** Records an observation that no requirement is about. */
  note(question: string, answer: string, view: View): void {
    this.#into.read(question, answer, view, null);
  }
}

/** Judges each answer by itself. */
export const judgeEach = (each: NonNullable<Judge['each']>): Judge => ({ each });

/** Judges answers beside each other. */
export const judgeAll = (all: NonNullable<Judge['all']>): Judge => ({ all });

/**
 * Judges the records of each answer of a resource, all of them at once. `wrong` says what is wrong with them; an answer
 * without records shows nothing.
 */
export const recordsOf = (
  resource: ResourceName,
  wrong: (records: readonly ObjectAt[], view: View) => readonly FindingText[],
): Judge =>
  judgeEach((view, context, it) => {
    const records = objectsOf(view, context, resource);
    if (records.length === 0) return;
    it.judged(view);
    for (const finding of wrong(records, view)) it.found(view, finding);
  });
