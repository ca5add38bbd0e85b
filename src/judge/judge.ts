import type { EndpointPath } from '../spec/endpoints.ts';
import type { RequirementId } from '../spec/requirement-id.ts';
import type { Context } from './context.ts';
import type { FindingText, Judgement, Question } from './judgement.ts';
import type { View } from './view.ts';

/** Decides from answers whether a requirement holds. Pure: never sends. */
export interface Judge {
  /** Judges one answer at a time. */
  readonly each?: (view: View, context: Context, it: OwnJudgement) => void;
  /** Judges all answers together, in the order sent, including those of other endpoints. */
  readonly all?: (views: readonly View[], context: Context, it: OwnJudgement) => void;
}

/** Records results for one requirement; see `Judgement`. */
export class OwnJudgement {
  readonly #id: RequirementId;
  readonly #into: Judgement;
  readonly #endpoints: readonly (EndpointPath | null)[] | undefined;

  /** @param endpoints endpoints that the requirement is about (default: all); other answers are ignored */
  constructor(id: RequirementId, into: Judgement, endpoints?: readonly EndpointPath[]) {
    this.#id = id;
    this.#into = into;
    this.#endpoints = endpoints;
  }

  isAbout({ exchange: { endpoint } }: View): boolean {
    return this.#endpoints?.includes(endpoint) ?? true;
  }

  /** Notes that this answer could be judged. */
  judged(view: View): void {
    if (this.isAbout(view)) this.#into.judged(this.#id, view);
  }

  /** Records a violation. Implies `judged`. */
  found(view: View, finding: FindingText): void {
    if (this.isAbout(view)) this.#into.found(this.#id, view, finding);
  }

  /** Records that a condition was judged, and a finding if it does not hold. */
  expect(view: View, holds: boolean, finding: () => FindingText): void {
    if (this.isAbout(view)) this.#into.expect(this.#id, view, holds, finding);
  }

  /** Records that an answer was judged, and a finding about the first thing that is wrong in it, if any. */
  none<Wrong>(view: View, wrong: readonly Wrong[], finding: (first: Wrong) => FindingText): void {
    const [first] = wrong;
    this.judged(view);
    if (first !== undefined) this.found(view, finding(first));
  }

  /** Records a reading. */
  read(question: Question, answer: string, view: View): void {
    this.#into.read(question, answer, view, this.isAbout(view) ? this.#id : null);
  }

  /** Records data of which each answer shows a part. */
  collect(question: Question, parts: readonly string[], view: View): void {
    this.#into.collect(question, parts, view, this.isAbout(view) ? this.#id : null);
  }

  /** Records a reading that belongs to no requirement. */
  note(question: Question, answer: string, view: View): void {
    this.#into.read(question, answer, view, null);
  }
}

export const judgeEach = (each: NonNullable<Judge['each']>): Judge => ({ each });

export const judgeAll = (all: NonNullable<Judge['all']>): Judge => ({ all });
