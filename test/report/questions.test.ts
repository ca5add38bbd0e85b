import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { clicksWritten, QUESTIONS } from '../browser/questions.ts';

const page = readFileSync(new URL('../../docs/report.md', import.meta.url), 'utf8');

/** The rows below a heading of the document, without the two of its head. */
function rowsBelow(heading: string): readonly (readonly string[])[] {
  const part = page.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const lines = part.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

describe('the questions of docs/report.md', () => {
  const rows = rowsBelow('Five reviewers, fifteen questions');

  it('are those that the browser tests answer, with the same clicks', () => {
    expect(rows.map((cells) => cells.slice(0, 3))).toEqual(
      QUESTIONS.map((one) => [one.reviewer, one.question, clicksWritten(one)]),
    );
  });

  it('are three of each of five reviewers, each answered somewhere', () => {
    const counts = new Map<string, number>();
    for (const [reviewer = ''] of rows) counts.set(reviewer, (counts.get(reviewer) ?? 0) + 1);
    expect([...counts.values()]).toEqual([3, 3, 3, 3, 3]);
    for (const cells of rows) expect(cells[3]).toMatch(/\w/);
  });

  it('are answered in at most two clicks', () => {
    for (const { clicks, question } of QUESTIONS)
      expect({ question, few: clicks.length <= 2 }).toEqual({ question, few: true });
  });
});
