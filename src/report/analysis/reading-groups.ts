import { groupBy } from '../../text/group-by.ts';
import type { ReadingResult } from '../model/results.ts';

/** Questions that only differ in their subject, with the same answer. */
export interface AnswerGroup {
  readonly question: string;
  readonly subjects: readonly string[];
  readonly reading: ReadingResult;
  readonly exchanges: readonly string[];
}

/** Smaller groups are listed one by one. */
const ALIKE = 3;

/** Groups readings of one topic with the same answer, so that 14 similar lines become one. */
export function groupReadings(
  readings: readonly ReadingResult[],
  apart: ReadonlyMap<string, string>,
): readonly AnswerGroup[] {
  const groups = groupBy(readings, ({ question, about, answer, mixed }) =>
    about === undefined || mixed || apart.has(question)
      ? question
      : JSON.stringify([about.topic, answer]),
  );
  return [...groups.values()].flatMap((own): readonly AnswerGroup[] => {
    const [reading] = own;
    if (reading?.about === undefined || own.length < ALIKE) {
      return own.map((one) => ({ ...one, subjects: [], reading: one }));
    }
    return [
      {
        question: reading.about.topic,
        subjects: own.flatMap(({ about }) => about?.subject ?? []),
        reading,
        exchanges: own.flatMap(({ exchanges }) => exchanges.slice(0, 1)),
      },
    ];
  });
}
