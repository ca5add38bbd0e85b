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
  const keyOf = ({ question, answer, mixed }: ReadingResult): string | null => {
    const at = question.lastIndexOf(' of ');
    const isAlone = at < 0 || !/^[\w./{} -]+$/.test(question.slice(at + 4));
    if (mixed || apart.has(question) || isAlone) return null;
    return JSON.stringify([question.slice(0, at), answer]);
  };
  const sizes = new Map<string, number>();
  for (const reading of readings) {
    const key = keyOf(reading);
    if (key !== null) sizes.set(key, (sizes.get(key) ?? 0) + 1);
  }
  const groups = new Map<string, AnswerGroup>();
  for (const reading of readings) {
    const key = keyOf(reading);
    const { question, exchanges } = reading;
    if (key === null || (sizes.get(key) ?? 0) < ALIKE) {
      groups.set(JSON.stringify(question), { question, about: [], reading, exchanges });
      continue;
    }
    const kind = question.slice(0, question.lastIndexOf(' of '));
    const group = groups.get(key);
    groups.set(key, {
      question: kind,
      about: [...(group?.about ?? []), question.slice(kind.length + 4)],
      reading,
      exchanges: [...(group?.exchanges ?? []), ...exchanges.slice(0, 1)],
    });
  }
  return [...groups.values()];
}
