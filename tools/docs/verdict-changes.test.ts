import { describe, expect, it } from 'vitest';
import {
  announced,
  contradictions,
  foundChanges,
  newestFirst,
  type Verdicts,
} from './verdict-changes.ts';
import { versionsDoc } from './versions-doc.ts';

const before: Verdicts = {
  levels: { '4.3/order': 'must', '8/reset': 'must', '8/per-key': 'should', '7/code': 'should' },
  red: { swapped: ['4.3/order'], late: ['8/reset'], gone: ['8/reset'] },
};
const changeset = (body: string): string => `---\n'assay': minor\n---\n\n${body}\n`;

describe('what a changeset announces', () => {
  it('is read from its lines, with the words of the rest', () => {
    const text = changeset(
      'Rows are\ncompared twice.\n\nVerdicts: sharper 4.3/order, 8/reset\nverdicts: new 9/x',
    );
    expect(announced(text)).toEqual({
      problems: [],
      changes: [
        { kind: 'sharper', id: '4.3/order', text: 'Rows are compared twice.' },
        { kind: 'sharper', id: '8/reset', text: 'Rows are compared twice.' },
        { kind: 'new', id: '9/x', text: 'Rows are compared twice.' },
      ],
    });
  });

  it('is nothing where no line says so', () => {
    expect(announced(changeset('Verdicts are quicker.'))).toEqual({ changes: [], problems: [] });
  });

  it.each(['Verdicts: better 4.3/order', 'Verdicts: looser', 'Verdicts:'])(
    'is refused as %j',
    (line) => {
      expect(announced(changeset(line)).problems[0]).toContain('with one of new, removed, level');
    },
  );
});

describe('changes of verdicts', () => {
  const nothing = { ...before };

  it('are none between equals', () => {
    expect(foundChanges(before, nothing)).toEqual([]);
    expect(contradictions(before, nothing, [])).toEqual([]);
  });

  it.each([
    ['new', '9/x', { ...before, levels: { ...before.levels, '9/x': 'must' } }],
    ['removed', '7/code', { ...before, levels: { ...before.levels, '7/code': undefined } }],
    ['level', '8/per-key', { ...before, levels: { ...before.levels, '8/per-key': 'must' } }],
    ['sharper', '8/per-key', { ...before, red: { ...before.red, late: ['8/reset', '8/per-key'] } }],
    ['looser', '8/reset', { ...before, red: { ...before.red, late: [] } }],
  ] as const)('have to be announced: %s %s', (kind, id, changed) => {
    const now = JSON.parse(JSON.stringify(changed)) as Verdicts;
    expect(foundChanges(before, now)).toMatchObject([{ kind, id }]);
    expect(contradictions(before, now, [])).toEqual([
      expect.stringContaining(`"Verdicts: ${kind} ${id}"`),
    ]);
    expect(contradictions(before, now, [{ kind, id, text: '' }])).toEqual([]);
  });

  it('are not told from faults that came or went', () => {
    const { gone: _gone, ...kept } = before.red;
    expect(foundChanges(before, { ...before, red: { ...kept, added: ['7/code'] } })).toEqual([]);
  });

  it('cannot be announced when they are not so', () => {
    for (const kind of ['new', 'removed', 'level'] as const)
      expect(contradictions(before, nothing, [{ kind, id: '8/reset', text: '' }])).toHaveLength(1);
    expect(
      contradictions(before, nothing, [{ kind: 'looser', id: '8/nothing', text: '' }]),
    ).toHaveLength(1);
    // What no fault shows can only be said.
    expect(contradictions(before, nothing, [{ kind: 'looser', id: '8/reset', text: '' }])).toEqual(
      [],
    );
  });
});

describe('versions', () => {
  it('come the newest first', () => {
    const versions = ['0.2.0', '1.0.0-next.2', '0.10.0', '1.0.0', '1.0.0-next.10'];
    expect(
      versions
        .map((version) => ({ version }))
        .toSorted(newestFirst)
        .map((one) => one.version),
    ).toEqual(['1.0.0', '1.0.0-next.10', '1.0.0-next.2', '0.10.0', '0.2.0']);
  });

  it('say what they changed, and the first one what there was', () => {
    const kept = [
      {
        version: '0.2.0',
        ...before,
        changes: [{ kind: 'looser', id: '8/reset', text: 'A <b> | `c|d`' } as const],
      },
      { version: '0.1.0', ...before, changes: [] },
    ];
    const page = versionsDoc(kept, []);
    expect(page).toContain('## Unreleased\n\nNo verdict changes.\n');
    expect(page).toContain(
      String.raw`| \`8/reset\` | looser | A &lt;b&gt; \| \`c\|d\` |`.replaceAll('\\`', '`'),
    );
    expect(page).toContain('with 4 requirements: 2 must, 2 should, 0 observe.');
  });
});
