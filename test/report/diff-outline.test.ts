import { describe, expect, it } from 'vitest';
import { missingSetting, NO_DATA, notSelected } from '../../src/spec/cause.ts';
import { diffResults, withBaseline } from '../../src/report/model/diff.ts';
import { groupChanges } from '../../src/report/model/diff-words.ts';
import { diffOutline, failingChanges } from '../../src/report/analysis/diff-outline.ts';
import { toMarkdown } from '../../src/report/formats/markdown.ts';
import { toTerminal } from '../../src/report/terminal/terminal.ts';
import { renderHtml } from '../../src/report/page/page.tsx';
import type { RequirementResult, Results } from '../../src/report/model/results.ts';
import { makeRequirement, makeResults } from './fixture.ts';
import { HIDDEN, HOSTILE_SOME } from './hostile.ts';

function withRequirements(...requirements: readonly RequirementResult[]): Results {
  return { ...makeResults(), requirements };
}

describe('a target that went dark', () => {
  const REASON = 'no answer to GET /etfs within 10000 ms';
  const many = Array.from({ length: 200 }, (_, index) => `4.3/r${index}`);
  const before = withRequirements(
    ...many.map((id) => makeRequirement(id, 'passed')),
    makeRequirement('4.4/key', 'passed'),
    makeRequirement('4.4/data', 'passed'),
    makeRequirement('4.4/left', 'passed'),
    makeRequirement('4.4/should', 'passed', { level: 'should' }),
  );
  const after = withRequirements(
    ...many.map((id, index) =>
      makeRequirement(id, 'inconclusive', { reason: REASON.replace('10000', String(index)) }),
    ),
    makeRequirement('4.4/key', 'untested', { cause: missingSetting('keys.expired'), reason: 'k' }),
    makeRequirement('4.4/data', 'untested', { cause: NO_DATA, reason: 'd' }),
    makeRequirement('4.4/left', 'untested', { cause: notSelected('only'), reason: 'l' }),
    makeRequirement('4.4/should', 'inconclusive', { level: 'should', reason: 's' }),
  );
  const diff = diffResults(before, after);

  it('is one group, with how many and which, and not two hundred changes', () => {
    const text = toTerminal(diffOutline(diff, after), { color: false, width: 120 });
    const markdown = toMarkdown(diffOutline(diff, after));
    expect(text).toContain('204 no longer verified');
    expect(text).toContain('? 200 for the same reason\n');
    expect(text).toMatch(/4\.3\/r0, 4\.3\/r1, [\s\S]* and 188\s+more\n/);
    for (const shown of [text, markdown]) {
      expect(shown.split('no answer to').length - 1).toBe(1);
      expect(shown.split('\n').length).toBeLessThan(40);
      for (const id of ['4.4/key', '4.4/data', '4.4/left', '4.4/should']) {
        expect(shown).toContain(id);
      }
    }
    expect(markdown).toContain('and 188 more');
  });

  it('is one row of the report, with the rest of the requirements folded away', () => {
    const page = renderHtml(withBaseline(after, before));
    const from = page.indexOf('id="changes-newly-unverified"');
    const table = page.slice(from, page.indexOf('</table>', from));
    expect(from).toBeGreaterThan(0);
    expect(table.match(/<tr/g)).toHaveLength(1 + 5);
    expect(table).toContain('200 for the same reason (must): ');
    expect(table).toContain('and 194 more');
    for (const id of many) expect(table).toContain(`>${id}<`);
  });

  it('keeps apart what differs in reason, origin or level', () => {
    const groups = groupChanges(diff.changes, () => 0);
    expect(groups.map(({ changes: own }) => own.length)).toEqual([200, 1, 1, 1, 1]);
    expect(groups[0]).toMatchObject({ example: { subject: '4.3/r0', before: 'passed' } });
    const mixed = diffResults(
      withRequirements(makeRequirement('4.3/a', 'passed'), makeRequirement('4.3/b', 'failed')),
      withRequirements(
        makeRequirement('4.3/a', 'inconclusive', { reason: REASON }),
        makeRequirement('4.3/b', 'inconclusive', { reason: REASON }),
      ),
    );
    expect(groupChanges(mixed.changes, () => 0).map(({ changes: own }) => own.length)).toEqual([
      1, 1,
    ]);
    const fixed = diffResults(
      withRequirements(
        ...['a', 'b'].map((id) =>
          makeRequirement(`4.3/${id}`, 'failed', { reason: `defect ${id}` }),
        ),
      ),
      withRequirements(...['a', 'b'].map((id) => makeRequirement(`4.3/${id}`, 'passed'))),
    );
    expect(groupChanges(fixed.changes, () => 0)).toHaveLength(2);
  });

  it('fails the comparison with --fail-on unverified, and names every must by id', () => {
    expect(failingChanges(diff, after, ['must'])).toEqual([]);
    const failing = failingChanges(diff, after, ['must', 'unverified']);
    expect(failing.map(({ why }) => why)).toEqual(['unverified']);
    // Not what was left out, what the data lacks, nor a should.
    expect(failing[0]?.ids).toEqual([...many, '4.4/key']);
    const text = toTerminal(diffOutline(diff, after, failing), { color: false, width: 120 });
    expect(text).toContain('Exit code 1: no longer verified, with --fail-on unverified: 4.3/r0,');
    for (const id of many) {
      expect(text).toMatch(new RegExp(`\\b${id.replace('.', '\\.')}\\b`));
      expect(toMarkdown(diffOutline(diff, after, failing))).toContain(id);
    }
  });

  it('fails on new violations that are not waived, and on new warnings when it is asked to', () => {
    const worse = withRequirements(
      makeRequirement('4.3/a', 'failed'),
      makeRequirement('4.3/b', 'warned'),
    );
    const fine = withRequirements(
      makeRequirement('4.3/a', 'passed'),
      makeRequirement('4.3/b', 'passed', { level: 'should' }),
    );
    const now = diffResults(fine, worse);
    expect(failingChanges(now, worse, [])).toMatchObject([{ why: 'must', ids: ['4.3/a'] }]);
    expect(failingChanges(now, worse, ['should'])).toMatchObject([
      { why: 'must' },
      { why: 'should', ids: ['4.3/b'] },
    ]);
    const waived = { outcome: 'failed', reason: null } as const;
    const accepted = withRequirements({ ...makeRequirement('4.3/a', 'waived'), waived });
    expect(failingChanges(diffResults(fine, accepted), accepted, [])).toEqual([]);
  });
});

describe('renderings of a difference', () => {
  it('name the most harmful first, and a warning as one', () => {
    const finding = { message: 'm', expected: 'e', actual: 'a', pointer: null, exchange: null };
    const of = (id: string, outcome: 'failed' | 'warned') =>
      makeRequirement(id, outcome, {
        level: outcome === 'failed' ? 'must' : 'should',
        findings: [
          { ...finding, message: id === '4.3/order' ? 'not in order' : 'the wrong answer' },
        ],
      });
    const now = withRequirements(
      of('4.3/order', 'failed'),
      of('8/limit-enforced', 'failed'),
      of('4.3/country-enum-code', 'warned'),
    );
    const text = toTerminal(diffOutline(diffResults(now, now), now), { color: false, width: 90 });
    expect(text.indexOf('8/limit-enforced')).toBeLessThan(text.indexOf('4.3/order'));
    expect(text.match(/^ +(Violated|Warned) +since/gm)).toHaveLength(3);
    expect(text).toMatch(/4\.3\/country-enum-code\n[^=]*Warned +since/);
  });

  it.each(HOSTILE_SOME)('give no order, control or markup to %j', (text) => {
    const after = makeResults({ text });
    const diff = diffResults(makeResults({ text: 'before' }), after);
    const terminal = toTerminal(diffOutline(diff, after), { color: false, width: 90 });
    const markdown = toMarkdown(diffOutline(diff, after));
    for (const output of [terminal, markdown]) {
      expect(output).not.toMatch(HIDDEN);
      expect(output).not.toMatch(/^\s*::/m);
    }
    expect(terminal).not.toMatch(/##[A-Za-z]*\[/);
    expect(markdown.replace(/(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, '')).not.toMatch(
      /[<>]|!\[|\]\(/,
    );
  });
});
