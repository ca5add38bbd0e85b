import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { REQUIREMENTS } from '../../src/requirements/catalogue.ts';
import { PROSE_CLAUSES, SPEC_SHA256 } from '../../src/requirements/clauses.ts';
import { PROSE_DIGESTS } from '../../src/requirements/prose-digests.ts';
import { ROW_DIGESTS } from '../../src/requirements/row-digests.ts';
import { digestsOf } from '../../src/report/quotations.ts';
import { readSpecification } from '../../src/report/specification.ts';

/** Clauses that have no words of their own in the specification, each with the reason. */
const WITHOUT_WORDS: Readonly<Record<string, string>> = {
  '4.1 klines order': 'That nothing is said about the order is what it is about.',
  '4.4 default counted from start_date':
    'It is a part of the row of limit, which has its own clause.',
};

const file = process.env['ASSAY_SPEC'];

describe('what is known of the specification without its text', () => {
  it('has a digest for every clause that a requirement cites', () => {
    const cited = new Set(REQUIREMENTS.flatMap(({ clauses }) => clauses));
    const without = [...cited].filter((clause) => digestsOf(clause).length === 0);
    expect(without.filter((clause) => WITHOUT_WORDS[clause] === undefined)).toEqual([]);
  });

  it('has a digest for every sentence, and none for others', () => {
    const known: readonly string[] = PROSE_CLAUSES;
    expect(
      known.filter((clause) => PROSE_DIGESTS[clause] === undefined && !WITHOUT_WORDS[clause]),
    ).toEqual([]);
    expect(Object.keys(PROSE_DIGESTS).filter((clause) => !known.includes(clause))).toEqual([]);
  });

  it('has the rows of the outline', () => {
    const { rows } = JSON.parse(readFileSync(new URL('outline.json', import.meta.url), 'utf8')) as {
      readonly rows: readonly string[];
    };
    expect(Object.keys(ROW_DIGESTS).toSorted()).toEqual([...new Set(rows)].toSorted());
  });
});

describe.skipIf(file === undefined)('the specification at ASSAY_SPEC', () => {
  const read = () => readSpecification(file ?? '');

  it('is quoted for every requirement that has words in it', () => {
    const { quotations, isSame, sha256 } = read();
    expect({ isSame, sha256 }).toEqual({ isSame: true, sha256: SPEC_SHA256 });
    const without = REQUIREMENTS.filter(({ id }) => !quotations.has(id));
    const unexplained = without.filter(({ clauses }) =>
      clauses.some((clause) => WITHOUT_WORDS[clause] === undefined),
    );
    expect(unexplained.map(({ id }) => id)).toEqual([]);
    expect(without.map(({ id }) => id)).toEqual(['4.1/klines-one-order', '4.1/klines-order']);
  });

  it('is quoted from the very line of each row', () => {
    const { quotations } = read();
    for (const { id, clauses } of REQUIREMENTS) {
      for (const { clause, text } of quotations.get(id) ?? []) {
        expect(clauses).toContain(clause);
        if (!/^2\.\d+ [a-z_0-9, ]+$/.test(clause) || PROSE_DIGESTS[clause] !== undefined) continue;
        expect(text.split(' | ')[0]).toBe(clause.replace(/^2\.\d+ (table \d )?/, ''));
      }
    }
  });
});
