import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../src/report/formats/markdown.ts';
import { makeRequirement, makeResults } from './fixture.ts';
import { HIDDEN, HOSTILE } from './hostile.ts';

/** The lines outside of fenced blocks, with code spans taken out: what a reader would interpret. */
function interpreted(markdown: string): string {
  const lines: string[] = [];
  let fence = '';
  for (const line of markdown.split('\n')) {
    const opened = /^\s*(`{3,})/.exec(line)?.[1];
    if (fence === '') {
      if (opened === undefined) lines.push(line);
      else fence = opened;
    } else if (line.trim() === fence) fence = '';
  }
  expect(fence).toBe('');
  // A backtick behind a backslash opens nothing.
  return lines.join('\n').replace(/(?<![`\\])(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, '');
}

function headings(markdown: string): number {
  return markdown.split('\n').filter((line) => line.startsWith('#')).length;
}

describe('renderMarkdown', () => {
  it('says verdict, causes, gaps and mixed readings', () => {
    const markdown = renderMarkdown(makeResults());
    expect(markdown).toContain('# Assay: VIOLATES');
    expect(markdown).toContain('7 of 30 musts are violated');
    expect(markdown).toContain('` code 400001 `');
    expect(markdown).toContain('\\[keys.expired\\]');
    expect(markdown).toContain('${ASSAY_API_KEY%%,*}');
    expect(markdown).toContain('- Mixed readings: Form of error codes: six and five digits');
    expect(markdown).toContain('- Must: 16 passed, 7 failed, 2 inconclusive');
  });

  it.each(HOSTILE)('gives no markup to %j', (text) => {
    const markdown = renderMarkdown(makeResults({ text }));
    const plain = interpreted(markdown);
    expect(plain.replaceAll('<!-- -->', '')).not.toMatch(/<[a-z!/]/i);
    expect(plain).not.toMatch(/(?<!\\)!\[|(?<!\\)\]\(/);
    expect(plain).not.toMatch(/@[a-z]|:\/\/|www\.|#\d/i);
    expect(plain).not.toMatch(HIDDEN);
    expect(headings(plain)).toBe(headings(interpreted(renderMarkdown(makeResults()))));
  });

  it('stays below 64 KB and says what was left out', () => {
    const many = Array.from({ length: 400 }, (_, index) =>
      makeRequirement(`2.${index}/field`, 'failed', {
        findings: [
          {
            message: `word${String.fromCodePoint(97 + (index % 26)).repeat(1 + Math.floor(index / 26))}`,
            expected: 'é'.repeat(400),
            actual: 'é'.repeat(400),
            pointer: `/x${index}`,
            exchange: 'x2',
          },
        ],
      }),
    );
    const untested = Array.from({ length: 400 }, (_, index) =>
      makeRequirement(`3.${index}/field`, 'untested', {
        reason: `word${'q'.repeat(index)} ${'z'.repeat(500)}`,
      }),
    );
    const markdown = renderMarkdown({ ...makeResults(), requirements: [...many, ...untested] });
    expect(Buffer.byteLength(markdown)).toBeLessThan(64 * 1024);
    expect(markdown).toMatch(/\n\d+ more causes in the report\n/);
    expect(markdown).toMatch(/\n\d+ more reasons in the report\n/);
    // Long lists leave space for what follows.
    expect(markdown).toContain('## Notes');
  });
});
