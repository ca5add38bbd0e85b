import { describe, expect, it } from 'vitest';
import { REQUIREMENTS } from '../../requirements/catalogue.ts';
import { clauseCoverage } from '../../requirements/clauses.ts';
import type { Outcome } from './results.ts';
import { openClauses } from './unjudged.ts';

const all = (outcome: Outcome): { id: string; outcome: Outcome }[] =>
  REQUIREMENTS.map(({ id }) => ({ id, outcome }));

describe('openClauses', () => {
  it('leaves no clause open when everything was judged, whatever came out', () => {
    for (const outcome of ['passed', 'failed', 'warned', 'observed', 'waived'] as const)
      expect(openClauses(all(outcome)).open).toEqual([]);
  });

  it('leaves all of them open when nothing was judged', () => {
    const of = clauseCoverage().size;
    for (const outcome of ['untested', 'inconclusive', 'error'] as const) {
      const clauses = openClauses(all(outcome));
      expect(clauses.of).toBe(of);
      expect(clauses.open).toHaveLength(of);
    }
    expect(openClauses([{ id: '9.9/of-another-version', outcome: 'passed' }]).open).toHaveLength(
      of,
    );
  });

  it('takes a clause as covered when one of its requirements was judged', () => {
    const shared = [...clauseCoverage()].find(([, ids]) => ids.length > 1);
    const [clause, [id]] = shared ?? ['', ['']];
    expect(openClauses(all('untested')).open).toContain(clause);
    const but = all('untested').map((one) =>
      one.id === id ? { ...one, outcome: 'passed' as const } : one,
    );
    expect(openClauses(but).open).not.toContain(clause);
  });
});
