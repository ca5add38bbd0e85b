import { XMLParser } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { groupCauses } from '../../../src/report/analysis/causes.ts';
import { renderCtrf } from '../../../src/report/formats/ctrf.ts';
import { renderView } from '../../../src/report/page/render.tsx';
import { renderJUnit } from '../../../src/report/formats/junit.ts';
import { summarize, decide } from '../../../src/run/verdict.ts';
import { renderMarkdown } from '../../../src/report/formats/markdown.ts';
import type { Results, WaiverResult } from '../../../src/report/model/results.ts';
import { renderSummary } from '../../../src/report/terminal/terminal.ts';
import { FirstScreen } from '../../../src/report/page/view/summary.tsx';
import { validate } from '../../../src/judge/schema/schemas.ts';
import { makeRequirement, makeResults } from '../fixture.ts';

const waiver = (id: string, state: WaiverResult['state']): WaiverResult => ({
  id,
  owner: 'Ada',
  reason: 'r',
  ticket: null,
  expires: '2026-11-01',
  state,
  detail: `What to do about ${id}.`,
});

/** Nothing is violated: what fails the run are its waivers. One is about a requirement that there is not. */
function resultsWith(waivers: readonly WaiverResult[]): Results {
  const requirements = [
    makeRequirement('4.2/news', 'passed'),
    makeRequirement('4.3/order', 'warned'),
    makeRequirement('4.3/listed', 'warned'),
  ];
  const end = decide(requirements, { interrupted: false, fatal: null, failOn: [], waivers });
  return {
    ...makeResults(),
    requirements,
    waivers,
    summary: summarize(requirements),
    verdict: end.verdict,
    sentence: end.sentence,
    exitCode: end.exitCode,
    failing: end.failing,
  };
}

const BROKEN = [
  waiver('4.2/news', 'unmatched'),
  waiver('4.2/no-such', 'unmatched'),
  waiver('4.3/order', 'expired'),
  waiver('4.3/listed', 'drifted'),
];
const broken = resultsWith(BROKEN);
const held = resultsWith([waiver('4.3/order', 'applied'), waiver('4.2/news', 'idle')]);

const terminal = (results: Results): string =>
  renderSummary(results, { color: false, width: 400, showCurl: false });
const screen = (results: Results): string =>
  renderView(() => <FirstScreen results={results} causes={groupCauses(results)} />).replaceAll(
    /<[^>]+>/g,
    '',
  );

const WORDS = [
  'Exit code 1: waiver drifted because the evidence differs: the target fails in another way, or the run sent other requests: 4.3/listed',
  'Exit code 1: waiver expired (fix the target, or renew the waiver with assay waive): 4.3/order',
  'Exit code 1: waiver matches nothing because the requirement is not violated in this run (remove the waiver, or keep a waiver file per deployment, profile and seed): 4.2/news, 4.2/no-such',
];

describe('waivers that fail a run are named by id, with what became of each', () => {
  it('in results.json', () => {
    expect(broken.exitCode).toBe(1);
    expect(broken.failing).toEqual(BROKEN.map(({ id }) => ({ id, why: 'waiver' })));
    expect(validate('results', JSON.parse(JSON.stringify(broken)))).toEqual([]);
    expect(held).toMatchObject({ exitCode: 0, failing: [] });
  });

  it.each([
    ['in the terminal', terminal],
    [
      'in summary.md',
      (results: Results) => renderMarkdown(results).replaceAll(/[` ]+/g, ' ').replaceAll(' ,', ','),
    ],
    ['on the first screen of the report', screen],
  ])('%s', (_, shown) => {
    for (const words of WORDS) expect(shown(broken)).toContain(words);
    expect(shown(held)).not.toContain('Exit code 1');
    expect(shown(held)).not.toContain('the waiver ');
  });

  it('on the first screen of the report, however many there are', () => {
    const ids = Array.from({ length: 30 }, (_, index) => `4.2/no-such-${index}`);
    const shown = screen(resultsWith(ids.map((id) => waiver(id, 'unmatched'))));
    for (const id of ids) expect(shown).toContain(id);
  });

  it('in junit.xml, where they fail a case of their own and no requirement', () => {
    const [failed, fine] = [broken, held].map(casesOf);
    const message = failed?.get('every waiver holds') ?? '';
    const ids = message.split('; ').map((one) => one.split(':', 1)[0]);
    expect(ids).toEqual(['4.3/listed', '4.3/order', '4.2/news', '4.2/no-such']);
    expect(message).toMatch(/4\.3\/listed: ✗ waiver until \S+ drifted/);
    expect([...(failed ?? [])].filter(([, failure]) => failure !== null)).toHaveLength(1);
    expect(renderJUnit(broken)).toContain('What to do about 4.2/no-such.');
    expect(renderJUnit(broken)).toMatch(
      /<testsuites name="assay" tests="5" failures="1" errors="0"/,
    );
    expect(fine?.get('every waiver holds')).toBeNull();
    expect([...(fine ?? [])].filter(([, failure]) => failure !== null)).toEqual([]);
    // Without a waiver file there is nothing to say.
    const { waivers: _, ...without } = held;
    expect(casesOf(without).has('every waiver holds')).toBe(false);
  });

  it.each(['inconclusive', 'untested'] as const)('of %s requirements, without blame', (outcome) => {
    const told = resultsWith([waiver('4.3/listed', 'drifted'), waiver('4.3/order', 'expired')]);
    const requirements = told.requirements.map((one) =>
      one.level === 'should' ? { ...one, outcome } : one,
    );
    const shown = terminal({ ...told, requirements });
    expect(shown).toMatch(
      /waiver drifted because its requirement was left unjudged for a different/,
    );
    expect(shown).toMatch(/waiver expired; its requirement is still unjudged \(renew/);
    expect(shown).not.toMatch(/fix the target|fails in another way/);
  });

  it('below what the baseline says, and not in its case', () => {
    const told = resultsWith([waiver('4.2/news', 'unmatched')]);
    const both: Results = {
      ...told,
      failing: [
        { id: '4.3/order', why: 'baseline' },
        { id: '4.2/news', why: 'baseline' },
        { id: '4.2/news', why: 'waiver' },
      ],
      gate: {
        regressions: ['4.3/order'],
        known: [],
        unexpectedPasses: ['4.2/news'],
        stale: [],
        unmatched: [],
      },
    };
    const shown = terminal(both);
    const at = ['but not in the baseline', 'fixed since', 'matches nothing'].map((words) =>
      shown.indexOf(words),
    );
    expect(at).not.toContain(-1);
    expect(at).toEqual(at.toSorted((a, b) => a - b));
    const cases = casesOf(both);
    expect(cases.get('the baseline is up to date')).toMatch(/fixed since/);
    expect(cases.get('the baseline is up to date')).not.toContain('waiver');
    expect(cases.get('every waiver holds')).toContain('4.2/news');
  });

  it('in ctrf.json', () => {
    const testOf = (results: Results) =>
      (
        JSON.parse(renderCtrf(results)) as {
          results: { tests: { name: string; status: string; message?: string }[] };
        }
      ).results.tests.find(({ name }) => name === 'every waiver holds');
    expect(testOf(broken)?.status).toBe('failed');
    for (const { id } of BROKEN) expect(testOf(broken)?.message).toContain(id);
    expect(testOf(held)?.status).toBe('passed');
  });
});

/** What each case of junit.xml failed with, by its name; null when it did not. */
function casesOf(results: Results): ReadonlyMap<string, string | null> {
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '',
    isArray: (name) => name === 'testcase' || name === 'testsuite',
  });
  const { testsuites } = parser.parse(renderJUnit(results)) as {
    testsuites: { testsuite: { testcase: { name: string; failure?: { message: string } }[] }[] };
  };
  return new Map(
    testsuites.testsuite.flatMap(({ testcase }) =>
      testcase.map(({ name, failure }) => [name, failure?.message ?? null] as const),
    ),
  );
}
