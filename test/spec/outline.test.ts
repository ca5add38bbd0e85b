import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  clauseCoverage,
  PROSE_CLAUSES,
  SPEC_SHA256,
  UNTESTABLE,
} from '../../src/requirements/clauses.ts';
import { endpoint, ENDPOINT_PATHS } from '../../src/spec/endpoints.ts';
import { parameterClause } from '../../suites/families/of-endpoint.ts';
import { REQUIREMENTS } from '../../src/requirements/catalogue.ts';
import { RULINGS } from '../../src/spec/rulings.ts';
import { outline as outlineOf } from '../../scripts/spec-outline.mjs';

const outline = JSON.parse(readFileSync(new URL('outline.json', import.meta.url), 'utf8')) as {
  sha256: string;
  rows: string[];
};

const parameters = ENDPOINT_PATHS.flatMap((path) =>
  Object.keys(endpoint(path).query).map((name) => parameterClause(path, name)),
);
const clauses = [...new Set([...outline.rows, ...parameters, ...PROSE_CLAUSES])];

describe('the requirement catalogue', () => {
  const coverage = clauseCoverage();

  it.each(clauses)('covers the clause "%s" or says why it cannot be judged', (clause) => {
    expect(
      coverage.get(clause) ?? UNTESTABLE[clause],
      'add it to the `clauses` of a requirement (fields of a resource: `fieldsOf` in suites/2-resources), or the reason to UNTESTABLE of src/requirements/clauses.ts',
    ).toBeDefined();
  });

  it('cites only clauses that exist', () => {
    const known = new Set([...clauses, ...Object.keys(UNTESTABLE)]);
    const strays = [...coverage.keys()].filter((clause) => !known.has(clause));
    expect(
      strays,
      'neither a row or rule in test/spec/outline.json (node scripts/spec-outline.mjs SPECIFICATION.md writes it), nor a parameter in src/spec/endpoints.ts, nor a sentence in PROSE_CLAUSES of src/requirements/clauses.ts',
    ).toEqual([]);
  });

  it('would miss a requirement that is taken out, if that was the only one of its clause', () => {
    const alone = [...coverage].filter(([clause, ids]) => ids.length === 1 && !UNTESTABLE[clause]);
    expect(alone.length).toBeGreaterThan(80);
  });

  it('has ids and titles that are pinned (npm run generate pins new ones)', () => {
    const pinned = REQUIREMENTS.map(({ id, level, title }) => `${id} [${level}] ${title}`);
    expect(new Set(REQUIREMENTS.map(({ id }) => id)).size).toBe(REQUIREMENTS.length);
    expect(new Set(REQUIREMENTS.map(({ title }) => title)).size).toBe(REQUIREMENTS.length);
    expect(pinned.join('\n')).toMatchSnapshot();
  });

  it('keeps level and basis in step', () => {
    for (const { id, level, basis } of REQUIREMENTS) {
      if (level === 'must') expect(['stated', 'contradictory'], id).toContain(basis);
      if (level === 'should') expect(['implied'], id).toContain(basis);
      if (level === 'observe') expect(['silent', 'contradictory'], id).toContain(basis);
    }
  });

  it('cites only rulings that exist, and leaves none out', () => {
    const cited = new Set(REQUIREMENTS.flatMap(({ rulings }) => rulings ?? []));
    expect([...cited].toSorted((a, b) => a - b)).toEqual(Object.keys(RULINGS).map(Number));
  });

  it('is made from the specification whose outline is committed', () => {
    expect(SPEC_SHA256).toBe(outline.sha256);
  });

  it.skipIf(process.env['ASSAY_SPEC'] === undefined)(
    'has the outline of the specification at ASSAY_SPEC',
    () => {
      const text = readFileSync(process.env['ASSAY_SPEC'] ?? '', 'utf8');
      expect(outlineOf(text)).toEqual(outline.rows);
    },
  );
});
