import { groupBy } from '../model/group-by.ts';
import type { ReadingResult } from '../model/results.ts';

/** Questions that only differ in their subject, with the same answer. */
export interface AnswerGroup {
  readonly question: string;
  readonly about: readonly string[];
  readonly reading: ReadingResult;
  readonly exchanges: readonly string[];
}

/** Smaller groups are listed one by one. */
const ALIKE = 3;

/** Groups readings of one kind with the same answer, so that 14 similar lines become one. */
export function groupReadings(
  readings: readonly ReadingResult[],
  apart: ReadonlyMap<string, string>,
): readonly AnswerGroup[] {
  const kindOf = ({ question, mixed }: ReadingResult): string | undefined =>
    mixed || apart.has(question) ? undefined : /^(.*) of [\w./{} -]+$/.exec(question)?.[1];
  const groups = groupBy(readings, (one) => {
    const kind = kindOf(one);
    return kind === undefined ? one.question : JSON.stringify([kind, one.answer]);
  });
  return [...groups.values()].flatMap((own): readonly AnswerGroup[] => {
    const [reading] = own;
    const question = kindOf(reading);
    if (question === undefined || own.length < ALIKE)
      return own.map((one) => ({ ...one, about: [], reading: one }));
    const about = own.map((one) => one.question.slice(question.length + ' of '.length));
    const exchanges = own.flatMap((one) => one.exchanges.slice(0, 1));
    return [{ question, about, reading, exchanges }];
  });
}
