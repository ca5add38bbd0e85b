import { expect, it } from 'vitest';
import { groupReadings } from './reading-groups.ts';

const reading = (question: string): Parameters<typeof groupReadings>[0][number] => ({
  question,
  answer: 'milliseconds',
  mixed: false,
  exchanges: ['x1'],
});

const about = (topic: string, subject: string): ReturnType<typeof reading> => ({
  ...reading(`${topic} of ${subject}`),
  about: { topic, subject },
});

it('lists subjects of one topic with one answer together, whatever the question says', () => {
  const groups = groupReadings(
    [
      ...['create_time', 'update_time', 'date'].map((name) => about('Unit of times', name)),
      ...['a', 'b', 'c'].map((name) => reading(`Order of ${name}`)),
      about('Unit of the timestamp', 'a stock'),
    ],
    new Map(),
  );
  expect(groups.map(({ question, subjects }) => [question, subjects])).toEqual([
    ['Unit of times', ['create_time', 'update_time', 'date']],
    ['Order of a', []],
    ['Order of b', []],
    ['Order of c', []],
    ['Unit of the timestamp of a stock', []],
  ]);
});
