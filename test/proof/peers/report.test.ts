import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DEFECT_KINDS } from '#src/contract/defect-kinds.ts';
import { peersDoc } from './doc.ts';
import { figuresOf } from './figures.ts';
import { CURVE_REPORT } from '../shown/fixture.ts';
import { readCurveReport } from '../shown/report.ts';
import { readPeersReport } from './report.ts';
import type { CaseResult, FaultCase, PeersReport } from './report.ts';
import { SCHEMATHESIS_VERSION } from './schemathesis.ts';

const committed = (file: string): string =>
  readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');

const result = (requests: number, ...fresh: string[]): CaseResult => ({
  requests,
  metered: requests,
  fresh,
  freshCount: fresh.length,
});

function fault(id: string, one: FaultCase['class'], results: FaultCase['results']): FaultCase {
  return { id, title: id, section: '4.1', class: one, subtle: false, results };
}

const tool = { version: '1', open: false, cleanOnly: false };
const sizes = Object.fromEntries(DEFECT_KINDS.map((one) => [one, 10]));

const REPORT: PeersReport = {
  schemaVersion: 1,
  date: '2026-11-21',
  seed: 1,
  versions: { assay: '1' },
  tools: [
    { ...tool, id: 'assay-standard', title: 'Assay', command: 'assay run' },
    { ...tool, id: 'peer', title: 'Peer', command: 'st run' },
  ],
  catalogue: { ...sizes, schema: 30 } as PeersReport['catalogue'],
  clean: [
    { tool: 'assay-standard', seed: 1, requests: 10, failures: [] },
    { tool: 'peer', seed: 1, requests: 50, failures: ['GET /news RejectedPositiveData 400'] },
  ],
  faults: [
    fault('a', 'schema', { 'assay-standard': result(10, 'x'), peer: result(50, 'y') }),
    fault('b', 'schema', { 'assay-standard': result(10, 'x'), peer: result(50) }),
    fault('c', 'headers', { 'assay-standard': result(10), peer: result(50, 'z') }),
    fault('d', 'validation', { 'assay-standard': result(10, 'x'), peer: result(50) }),
  ],
  variants: [
    {
      id: 'loud',
      title: 'A loud variant',
      section: '8',
      results: { 'assay-standard': result(10), peer: result(50, 'GET /etfs Kind 200') },
    },
  ],
};

describe('the figures', () => {
  it('count by class, per request and weighted by the catalogue', () => {
    const figures = figuresOf(REPORT, 'peer');
    expect(figures).toMatchObject({ found: 2, of: 4, requests: 200, per100: 1, minutes: 2.5 });
    expect(figures.byClass.schema).toEqual([1, 2]);
    expect(figures.weighted).toBeCloseTo((30 / 2 + 10) / 50);
    expect(figuresOf(REPORT, 'assay-standard').per100).toBe(7.5);
  });
});

describe('the page', () => {
  const page = peersDoc(REPORT);

  it('shows found faults by class, with the whole below', () => {
    expect(page).toContain('| schema | 2 | 2 | 1 |');
    expect(page).toContain('| **all** | 4 | **3** | **2** |');
    expect(page).toContain('| Peer | 2 of 4 | 50 % | 50 | 50 | 3 | 1.00 |');
  });

  it('shows alarms on the clean server and on variants', () => {
    expect(page).toContain('| Peer | 1 | 1 | 1 of 1 |');
    expect(page).toContain('- Peer: RejectedPositiveData on `GET /news`');
    expect(page).toContain('- `loud` (A loud variant): Peer: `GET /etfs Kind 200`');
  });

  it('shows the curve when there is one', () => {
    expect(page).not.toContain('How soon');
    const withCurve = peersDoc(REPORT, CURVE_REPORT);
    expect(withCurve).toContain('## How soon faults are shown');
    expect(withCurve).toContain('](curve.svg)');
    expect(withCurve).toContain('| Peer & co | 0.0 % | 33.3 % |');
  });

  it('says where the peer is better, and what was missed', () => {
    expect(page).toContain('- Peer: finds as many or more in *headers*');
    expect(page).toContain('found what Assay missed: `c`.');
    expect(page).toContain('- Assay missed: `c`.');
  });
});

describe('the committed result', () => {
  const report = readPeersReport(JSON.parse(committed('reports/peers.json')));

  it('is of the pinned version, of at least 40 faults and 20 variants', () => {
    expect(report.versions['Schemathesis']).toBe(SCHEMATHESIS_VERSION);
    expect(report.faults.length).toBeGreaterThanOrEqual(40);
    expect(report.variants.length).toBeGreaterThanOrEqual(20);
  });

  it('has a result of every compared tool in every case, and every clean run to its end', () => {
    const tools = report.tools.filter(({ cleanOnly }) => !cleanOnly).map(({ id }) => id);
    for (const { id, results } of [...report.faults, ...report.variants]) {
      expect(Object.keys(results).toSorted(), id).toEqual(tools.toSorted());
    }
    expect(report.clean.filter(({ trouble }) => trouble !== undefined)).toEqual([]);
  });

  it('is what docs/peers.md shows', () => {
    const curve = readCurveReport(JSON.parse(committed('reports/curve.json')));
    expect(committed('docs/peers.md')).toBe(peersDoc(report, curve));
  });

  it('is refused when a part is missing or unknown', () => {
    const { faults: _, ...partly } = report;
    expect(() => readPeersReport(partly)).toThrow("must have required property 'faults'");
    expect(() => readPeersReport({ ...report, more: 1 })).toThrow('additional properties');
  });
});
