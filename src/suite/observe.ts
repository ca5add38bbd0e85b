import type { RequirementId } from '../contract/requirement-id.ts';
import { summaryOf, type Reading } from '../rules/judgement.ts';
import { judgeFor } from '../requirements/judging.ts';
import type { Answer } from './answer.ts';
import type { SuiteSession } from './session.ts';

/** Collects what a check sees where the specification is silent. */
export class Observer {
  readonly readings: Reading[] = [];
  readonly #requirement: RequirementId;
  readonly #session: SuiteSession;

  constructor(requirement: RequirementId, session: SuiteSession) {
    this.#requirement = requirement;
    this.#session = session;
  }

  /**
   * Records an observation. With answers alone, the rules of the requirement say what is to be seen in them; with a
   * question and an answer in words, that is recorded.
   */
  readonly observe = (
    seen: Answer | readonly Answer[],
    question?: string,
    answer?: string,
  ): void => {
    const answers = Array.isArray(seen) ? (seen as readonly Answer[]) : [seen as Answer];
    const exchanges = answers.map(({ exchange }) => exchange);
    this.#session.judged(exchanges);
    if (question === undefined || answer === undefined) {
      const { readings } = judgeFor(this.#requirement, exchanges, this.#session.context());
      this.readings.push(
        ...readings.filter(({ requirement }) => requirement === this.#requirement),
      );
      return;
    }
    for (const { id } of exchanges) {
      this.readings.push({ question, answer, exchange: id, requirement: this.#requirement });
    }
  };

  /** What was seen, in one line. */
  summary(): string {
    return summaryOf(this.readings) ?? '';
  }
}
