import stringWidth from 'fast-string-width';
import { describe, expect, it } from 'vitest';
import { guardLines, wantsColor, wrap } from '../../src/report/terminal/console.ts';
import { renderSummary } from '../../src/report/terminal/terminal.ts';
import { makeRequirement, makeResults } from './fixture.ts';
import { HIDDEN, HOSTILE } from './hostile.ts';

const PLAIN = { color: false, width: 80, showCurl: true };

describe('renderSummary', () => {
  it('is the golden text', async () => {
    const text = renderSummary(makeResults(), { ...PLAIN, paths: ['reports/a/report.html'] });
    await expect(text).toMatchFileSnapshot('../golden/summary.txt');
  });

  it.each([
    ['conforms', 'CONFORMS'],
    ['violates', 'VIOLATES'],
    ['incomplete', 'INCOMPLETE'],
    ['interrupted', 'INTERRUPTED'],
    ['error', 'ERROR'],
  ] as const)('announces %s as %s', (verdict, word) => {
    const text = renderSummary({ ...makeResults(), verdict }, PLAIN);
    expect(text.trimStart().split('\n')[0]?.trim()).toBe(`${word}, 1 violated and waived`);
  });

  it.each([
    ['passed', true],
    ['untested', false],
  ] as const)('tells what data was requested if anything was judged: %s', (outcome, told) => {
    const results = {
      ...makeResults(),
      verdict: 'incomplete' as const,
      stoppedEarly: true as const,
      requirements: [makeRequirement('4.3/order', outcome)],
      looked: { languages: { at: ['en'], of: ['en', 'vi'] } },
    };
    expect(renderSummary(results, PLAIN).includes('1 of 2 languages')).toBe(told);
  });

  it('shows the curl line only when asked', () => {
    expect(renderSummary(makeResults(), PLAIN)).toContain('curl -sS');
    expect(renderSummary(makeResults(), { ...PLAIN, showCurl: false })).not.toContain('curl -sS');
  });

  it('uses colour only when asked, and the words stay the same', () => {
    const plain = renderSummary(makeResults(), PLAIN);
    const colored = renderSummary(makeResults(), { ...PLAIN, color: true });
    expect(plain).not.toContain('\u001b');
    expect(colored).toContain('\u001b[');
    expect(colored.replace(new RegExp(String.raw`\u001b\[\d+m`, 'g'), '')).toBe(plain);
  });

  it('keeps to the width except for commands', () => {
    const text = renderSummary(makeResults({ text: '漢字 word '.repeat(30) }), {
      ...PLAIN,
      width: 60,
    });
    for (const line of text.split('\n')) {
      if (/^ {3}(At|Related|Repeat|Rerun|Written)|^ {15}assay/.test(line)) continue;
      expect(stringWidth(line)).toBeLessThanOrEqual(60);
    }
  });

  it('counts the causes that it does not print', () => {
    const many = Array.from({ length: 23 }, (_, index) =>
      makeRequirement(`2.${index}/field`, 'failed', {
        reason: 'abcdefghijklmnopqrstuvw'.slice(index),
      }),
    );
    const text = renderSummary({ ...makeResults(), requirements: many }, PLAIN);
    expect(text).toContain('20. ');
    expect(text).not.toContain('21. ');
    expect(text).toContain('\n3 more causes in the report\n');
  });

  it.each(HOSTILE)('lets nothing of %j move the terminal or give an order', (text) => {
    for (const width of [40, 80, 500]) {
      const shown = renderSummary(makeResults({ text }), { ...PLAIN, width });
      expect(shown).not.toMatch(HIDDEN);
      expect(shown).not.toMatch(/^\s*::/m);
      expect(shown).not.toMatch(/##[a-z]*\[/i);
    }
  });
});

describe('guardLines', () => {
  it('breaks up workflow commands only', () => {
    expect(guardLines('::error::x\n  ::warning::y\na ::b::\n## heading ##[group]z')).toBe(
      ': :error::x\n  : :warning::y\na ::b::\n## heading # #[group]z',
    );
  });
});

describe('wrap', () => {
  it('breaks at spaces and long words at the edge', () => {
    expect(wrap('one two three', 10)).toEqual(['one two', 'three']);
    expect(wrap('abcdefghijklmno', 10)).toEqual(['abcdefghij', 'klmno']);
    expect(wrap('漢字漢字漢字', 10)).toEqual(['漢字漢字漢', '字']);
  });
});

describe('wantsColor', () => {
  it.each([
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: '1' }, false],
    [true, { NO_COLOR: '' }, true],
    [true, { TERM: 'dumb' }, false],
    [false, { FORCE_COLOR: '1' }, true],
    [true, { FORCE_COLOR: '0' }, false],
    [false, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
  ])('terminal %s with %j: %s', (isTTY, env, expected) => {
    expect(wantsColor(isTTY, env)).toBe(expected);
  });

  it('are not written where Node knows no terminal, on a CI server either', () => {
    expect(wantsColor(undefined, { CI: 'true' })).toBe(false);
  });
});
