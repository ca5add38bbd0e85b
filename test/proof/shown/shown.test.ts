import { readFileSync } from 'node:fs';
import { XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { behindIn, behindTexts } from './behind.ts';
import { curveOf, type Curve } from './curve.ts';
import { CURVE_REPORT } from './fixture.ts';
import { readCurveReport } from './report.ts';
import { curveSvg } from './svg.ts';
import { curveSection, curveSentence, withCurve } from './words.ts';

const committed = (file: string): string =>
  readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');

describe('a tool that is behind', () => {
  const first = curveOf('Assay', [4, 40, 60], 280);

  it('is behind where another one shows as many or more, at each budget and in the end', () => {
    const behind = behindIn([first, curveOf('peer', [6, 45, null], 100)]);
    expect(behind.map(({ point }) => point)).toEqual([10, 20, 31, 50]);
    expect(behindIn([first, curveOf('peer', [null, 250, 250], 250)])).toEqual([]);
    expect(behindTexts([[first, curveOf('peer', [250, 250, 250], 250)]])).toEqual([
      'of 3 faults, in the end, Assay shows 3, and peer 3',
    ]);
  });

  it('is not behind one that shows nothing', () => {
    const none = curveOf('Assay', [null], 10);
    expect(behindIn([none, curveOf('peer', [null], 10)])).toEqual([]);
  });
});

describe('the words about the curve', () => {
  it('give the figures in a sentence', () => {
    expect(curveSentence(CURVE_REPORT)).toBe(
      'Of 4 faults that its order of requests was not made for, Assay shows 50 % after 20 requests with a valid key, 75 % after 31 and 100 % after 100, a collection of one request an endpoint 25 % after its 31; of 3 of them that all tools met, Assay shows 100 % after 100 requests; Peer & co: 33 %, and 67 % after its 3400.',
    );
  });

  it('say where Assay is behind, and that it is not', () => {
    expect(curveSection(CURVE_REPORT).join('\n')).toContain('At every one of these budgets');
    const equal = (all: readonly Curve[]): Curve[] => all.map((one) => ({ ...one, all: 1 }));
    const { curves, common } = CURVE_REPORT;
    const behind = { ...CURVE_REPORT, common: { ...common, curves: equal(common.curves) } };
    expect(curveSection(behind).join('\n')).toContain(
      'everywhere: of 3 faults, in the end, Assay shows 1, and one request an endpoint 1; of 3 faults, in the end, Assay shows 1, and Peer & co 1.',
    );
    // On the whole sample, too.
    expect(curveSection({ ...CURVE_REPORT, curves: equal(curves) }).join('\n')).toContain(
      'everywhere: of 4 faults, in the end, Assay shows 1, and one request an endpoint 1.',
    );
  });

  it('name the runs without a result', () => {
    const common = { ...CURVE_REPORT.common, troubles: ['a, Peer: took too long'] };
    const text = curveSection({ ...CURVE_REPORT, common }).join('\n');
    expect(text).toContain('- a, Peer: took too long');
  });

  it('replace the passage of a README, and only that', () => {
    const readme = committed('README.md');
    const once = withCurve(readme, CURVE_REPORT);
    expect(once).toContain('](docs/curve.svg)');
    expect(withCurve(once, CURVE_REPORT)).toBe(once);
    const [start = ''] = /<!-- The curve: .*? -->/.exec(readme) ?? [];
    expect(once.split(start)[0]).toBe(readme.split(start)[0]);
    expect(() => withCurve('# Other', CURVE_REPORT)).toThrow('no place for the curve');
  });
});

describe('the picture', () => {
  const svg = curveSvg(CURVE_REPORT);

  it('is well-formed, and has a title and a description', () => {
    expect(XMLValidator.validate(svg)).toBe(true);
    expect(svg).toContain('aria-labelledby="title desc"');
    expect(svg).toMatch(/<title id="title">Share of the faults/);
    expect(svg).toContain('Peer &amp; co: 33 %');
  });

  it('says how many faults each curve is about, and tells curves apart without colour', () => {
    expect(svg).toContain('>Assay, 4 faults<');
    expect(svg).toContain('>Peer &amp; co, 3 faults<');
    const dashes = [...svg.matchAll(/stroke-dasharray="([^"]*)"/g)].map(([, dash]) => dash);
    expect(new Set(dashes).size).toBe(3);
  });

  it('has colours for a light and for a dark page', () => {
    expect(svg).toContain('@media (prefers-color-scheme:dark)');
  });
});

describe('the committed figures', () => {
  const report = readCurveReport(JSON.parse(committed('reports/curve.json')));

  it('are those of the picture and of the README', () => {
    expect(committed('docs/curve.svg')).toBe(curveSvg(report));
    expect(committed('README.md')).toBe(withCurve(committed('README.md'), report));
  });

  it('follow from when each tool showed each fault', () => {
    const { faults, after, curves } = report.common;
    for (const { tool, requests, ...curve } of curves) {
      const own = after[tool] ?? [];
      expect(own).toHaveLength(faults.length);
      expect({ tool, requests, ...curve }).toEqual(curveOf(tool, own, requests));
    }
    expect(Object.keys(after)).toEqual(curves.map(({ tool }) => tool));
  });

  it('are of the same tools, in the same order, as the whole sample begins with', () => {
    const tools = report.common.curves.map(({ tool }) => tool);
    expect(report.curves.map(({ tool }) => tool)).toEqual(tools.slice(0, report.curves.length));
    expect(tools.length).toBeGreaterThan(report.curves.length);
  });

  it('are refused when a part is missing or unknown', () => {
    const { common: _, ...partly } = report;
    expect(() => readCurveReport(partly)).toThrow("must have required property 'common'");
    expect(() => readCurveReport({ ...report, more: 1 })).toThrow('additional properties');
  });
});
