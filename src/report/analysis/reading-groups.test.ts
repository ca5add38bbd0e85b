import { expect, it } from 'vitest';
import { groupReadings } from './reading-groups.ts';

const reading = (question: string): Parameters<typeof groupReadings>[0][number] => ({
  question,
  answer: 'milliseconds',
  mixed: false,
  exchanges: ['x1'],
});

it('puts together what differs only in the words after the last of', () => {
  const groups = groupReadings(
    [
      ...['create_time', 'update_time', 'date'].map((name) =>
        reading(`Unit of times in fundraising of ${name}`),
      ),
      reading('Unit of the timestamp in the snapshot of a stock'),
    ],
    new Map(),
  );
  expect(groups.map(({ question, about }) => [question, about])).toEqual([
    ['Unit of times in fundraising', ['create_time', 'update_time', 'date']],
    ['Unit of the timestamp in the snapshot of a stock', []],
  ]);
});
