import { oneLine } from '../../text/text.ts';
import type { ReadingResult } from '../model/results.ts';

/** Questions that only differ in what they are about, with one answer to all of them. */
export interface AnswerGroup {
  readonly question: string;
  readonly about: readonly string[];
  readonly reading: ReadingResult;
  readonly exchanges: readonly string[];
}

/** Fewer of a kind are easier to read one by one. */
const ALIKE = 3;

/**
 * Readings, those of one kind with the same answer put together: `Fields that the specification does not name of …:
 * none` is one line, not fourteen.
 */
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

/** A sentence that would close the gap, made of the question and what was seen. */
function suggestedSentence({ question, answer }: ReadingResult): string {
  const topic = question.trim().replace(/[.?]$/, '');
  return `${topic}: ${answer.trim().replace(/[.]$/, '')}.`;
}

/** A sentence a line for each answer that is not mixed. */
export function sentencesFor(readings: readonly ReadingResult[]): string {
  const lines = readings
    .filter(({ mixed }) => !mixed)
    .map((one) => `- ${oneLine(suggestedSentence(one), 700)}`);
  return lines.length === 0 ? 'Every answer is mixed.' : lines.join('\n');
}
