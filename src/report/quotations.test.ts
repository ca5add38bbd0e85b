import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { digestOf, specificationOf, versionWords } from './quotations.ts';
import type { Known } from './quotations.ts';

/** A text of the kind that a specification is, in words of its own. */
const TEXT = `# Lending library

## 1. Loans

Whoever borrows a book brings it back. A loan ends after three weeks.

### 1.1 Loan

| Field | Type | Meaning |
| --- | --- | --- |
| due_on | String | day on which it ends |
| fine | Number | what is owed, in \`cents\` |

Rules:
1. A book that is reserved cannot be kept any longer.
`;

const ROW = '| due_on | String | day on which it ends |';
const FINE = '| fine | Number | what is owed, in `cents` |';
const RULE = '1. A book that is reserved cannot be kept any longer.';
const PROSE = 'Whoever borrows a book brings it back. A loan ends after three weeks.';

const DIGESTS: Readonly<Record<string, readonly string[]>> = {
  '1 loans': [digestOf(PROSE)],
  '1.1 due_on': [digestOf(ROW)],
  '1.1 due_on again': [digestOf(ROW)],
  '1.1 fine': [digestOf(FINE)],
  '1.1 rule 1': [digestOf(RULE)],
};
const KNOWN: Known = {
  sha256: createHash('sha256').update(TEXT).digest('hex'),
  requirements: [
    { id: 'due', clauses: ['1.1 due_on', '1.1 due_on again', '1 loans'] },
    { id: 'fine', clauses: ['1.1 fine'] },
    { id: 'reserved', clauses: ['1.1 rule 1'] },
    { id: 'silent', clauses: ['1.1 opening hours'] },
  ],
  digestsOf: (clause) => DIGESTS[clause] ?? [],
};

const quoted = (text: string, id: string): readonly string[] =>
  (specificationOf(text, KNOWN).quotations.get(id) ?? []).map((one) => one.text);

describe('quotations', () => {
  it('are the row, the rule and the sentence of a clause, each once', () => {
    expect(quoted(TEXT, 'due')).toEqual(['due_on | String | day on which it ends', PROSE]);
    expect(quoted(TEXT, 'fine')).toEqual(['fine | Number | what is owed, in cents']);
    expect(quoted(TEXT, 'reserved')).toEqual([RULE.slice(3)]);
  });

  it('say how many clauses have words, and leave out requirements without', () => {
    const specification = specificationOf(TEXT, KNOWN);
    expect(specification).toMatchObject({ isSame: true, found: 5, clauses: 6 });
    expect(specification.quotations.has('silent')).toBe(false);
    expect(versionWords(specification)).toBeNull();
  });

  it.each([
    ['an aligned table', ROW, '|  due_on |String   |  day on which it   ends|'],
    [
      'a sentence over several lines',
      PROSE,
      PROSE.replace('A loan', 'A\nloan').replace(' it', '\n  it'),
    ],
    ['another number of a rule', RULE, RULE.replace('1.', '4.')],
    ['code in backticks', ROW, ROW.replace('due_on', '`due_on`')],
    ['lines that end as on Windows', PROSE, `${PROSE}\r`],
  ])('are found in a version with %s, which is told apart', (_, before, after) => {
    const text = TEXT.replace(before, after);
    expect(text).not.toBe(TEXT);
    const specification = specificationOf(text, KNOWN);
    expect(specification).toMatchObject({ isSame: false, found: 5 });
    expect(specification.quotations).toEqual(specificationOf(TEXT, KNOWN).quotations);
    expect(versionWords(specification)).toContain('is not the version that Assay was written for');
  });

  it('are left out where a version has other words', () => {
    const text = TEXT.replace('day on which it ends', 'last day of it').replace('three', 'two');
    expect(quoted(text, 'due')).toEqual([]);
    expect(quoted(text, 'fine')).toHaveLength(1);
    expect(versionWords(specificationOf(text, KNOWN))).toContain('2 of 6 clauses');
  });

  it('do not become endless', () => {
    const long = `It ends ${'and ends '.repeat(500)}`;
    const known = { ...KNOWN, digestsOf: () => [digestOf(long)] };
    const [one] = specificationOf(long, known).quotations.get('fine') ?? [];
    expect(one?.text.length).toBeLessThanOrEqual(601);
    expect(one?.text).toMatch(/…$/);
  });
});
