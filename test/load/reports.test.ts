import { XMLParser } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { renderJUnit } from '../../src/report/formats/junit.ts';
import { statusOf } from '../../src/report/model/status.ts';
import {
  keylessIn,
  requestWords,
  requirementUnder,
  worstFirst,
} from '../../src/report/model/load.ts';
import { renderHtml } from '../../src/report/page/page.tsx';
import { LoadScenarios } from '../../src/report/page/load/load.tsx';
import { renderView } from '../../src/report/page/render.tsx';
import type { Results } from '../../src/report/model/results.ts';
import { makeResults } from '../report/fixture.ts';
import { renderSummary } from '../../src/report/terminal/terminal.ts';
import { LOAD_RESULT } from './load-result.ts';

describe('the terminal text of a load result', () => {
  const results: Results = {
    ...makeResults(),
    profile: 'load',
    exchanges: [],
    load: [LOAD_RESULT],
  };
  const text = renderSummary(results, { color: false, width: 200, showCurl: true });

  it('names the violated requirement with what was expected and seen', () => {
    expect(text).toContain('✗ rl-exact failed: Violated: 8/limit-enforced.');
    expect(text).toContain('8/limit-enforced (must)');
    expect(text).toMatch(/Expected +exactly 20/);
    expect(text).toContain('8/limit-enforced failed: 25 findings in 2 judgements');
  });

  it('adds the requests up and shows windows, latency and the command', () => {
    expect(text).toContain('121 sent: 21 admitted, 39 refused, 60 other responses, 1 unanswered');
    expect(text).toContain('k:1: 21 admitted, 39 refused');
    const requests = { ...LOAD_RESULT.requests, wrongStatus: 4 };
    expect(requestWords({ ...LOAD_RESULT, requests })).toContain(
      '39 refused (4 with a wrong status)',
    );
    expect(text).toContain('/analyses 200: 21 responses, p50 2, p95 12, p99 14 ms');
    expect(text).toContain('assay load rl-exact');
  });

  it('counts requests without a key apart, and their connections in no rate', () => {
    const every = { admitted: 1, refused: 1 };
    const none = { answered: [60], p50: [1], p95: [1], p99: [1] };
    const course = { from: 0, stepMs: 250, every, sent: [61], ...none };
    const told: Results = { ...results, load: [{ ...LOAD_RESULT, course }] };
    const words =
      '121 sent: 21 admitted, 39 refused, 60 without a key to open connections, 1 unanswered';
    expect(renderSummary(told, { color: false, width: 200, showCurl: true })).toContain(words);
    const markup = renderView(() => LoadScenarios({ results: told, causes: [] }));
    expect(markup).toContain(`${words} · 10 ms</small>`);
    const sampled = { ...course, every: { admitted: 2, refused: 1 } };
    expect(keylessIn({ ...LOAD_RESULT, course: sampled })).toBe(0);
  });

  it('opens on the limiter: windows, latency and generator come before what passed, in one line', () => {
    const markup = renderView(() => LoadScenarios({ results, causes: [] }));
    const order = ['one &amp; more', 'last response', 'Latency by', 'Generator: k6 v2.2.0', '1: '];
    const places = order.map((words) => markup.indexOf(words));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(markup).not.toContain('last request');
    // The refusal that passed stands without its sentence.
    expect(markup).not.toContain('The refusal has code 402901');
    expect(markup).toContain('8/refusal-code');
  });

  it('says where the answer to an open question is', () => {
    const [requirement] = LOAD_RESULT.requirements;
    if (requirement === undefined) throw new Error('no requirement');
    const observed = { ...requirement, outcome: 'observed' as const };
    expect(statusOf(requirementUnder(LOAD_RESULT, observed), results).words).toBe(
      'observed in 2 judgements under load: see the readings of rl-exact',
    );
  });

  it('gives the reason of what was not judged, and the next step', () => {
    expect(text).toMatch(/1 untested \(must\): another violation keeps it from being judged/);
    expect(text).toMatch(/Next +Fix 8\/limit-enforced, then run:\n +assay load rl-exact\n/);
    const shown = renderHtml(results);
    expect(shown.indexOf('another violation keeps')).toBeLessThan(
      shown.indexOf('id="first-screen-end"'),
    );
    expect(shown).toContain('<p>Fix 8/limit-enforced, then run:</p>');
  });

  it('asks for a near-quota key only of a target that does not make a fresh one', () => {
    const under = (id: string, outcome: 'failed' | 'untested') => {
      const one = LOAD_RESULT.requirements.find((own) => own.outcome === outcome);
      if (one === undefined) throw new Error('no requirement');
      return { ...one, id };
    };
    const requirements = [under('8/quota', 'failed'), under('8/quota-not-early', 'untested')];
    const load = [{ ...LOAD_RESULT, requirements }];
    const nextOn = (reference: boolean): string => {
      const on = { ...results, load, target: { ...results.target, reference } };
      return renderSummary(on, { color: false, width: 200, showCurl: true });
    };
    expect(nextOn(true)).toMatch(/Next +Fix 8\/quota, then run:\n/);
    expect(nextOn(false)).toMatch(/Next +Fix 8\/quota\. Set keys\.nearQuota to a key/);
  });

  it('gives a burst that a chart shows the time of the chart', () => {
    const none = { answered: [60, 60], p50: [1, 1], p95: [1, 1], p99: [1, 1] };
    const every = { admitted: 1, refused: 1 };
    const course = { from: 0, stepMs: 4650, every, sent: [61, 60], ...none };
    const told = { ...results, load: [{ ...LOAD_RESULT, course }] };
    const markup = renderView(() => LoadScenarios({ results: told, causes: [] }));
    expect(markup).toContain('1 unanswered · 9.3 s</small>');
    expect(markup).toContain('over 9.3 s, by');
  });

  it('lets nothing of the target reach the terminal raw', () => {
    expect(text).not.toContain('\u001b');
    expect(text).toContain('\\x1b[31m21');
  });
});

describe('scenarios', () => {
  it('come with the worst first, and keep their number', () => {
    const outcomes = ['passed', 'warned', 'failed', 'passed', 'inconclusive'] as const;
    const load = outcomes.map((outcome) => ({ ...LOAD_RESULT, outcome }));
    expect(worstFirst(load).map(({ index }) => index)).toEqual([2, 4, 1, 0, 3]);
  });

  it('have charts from 0 to their largest value, whatever the file says', () => {
    const every = { admitted: 1, refused: 1 };
    const percentiles = { p50: [1, null, 2], p95: [1, null, 1e300], p99: [1, 3, 2] };
    const counts = { sent: [0, 10, 5], answered: [0, Number.MAX_VALUE, 5] };
    const course = { from: 0, stepMs: 1000, every, ...counts, ...percentiles };
    const results = { ...makeResults(), load: [{ ...LOAD_RESULT, course }] };
    const markup = renderView(() => LoadScenarios({ results, causes: [] }));
    expect(markup.match(/class="course"/g)).toHaveLength(2);
    expect(markup).toMatch(/over 3.0 s.*sent at most 10 in 1.0 s/);
    expect(markup).not.toMatch(/ d="[^"]*(?:NaN|Infinity|e\+)/);
  });
});

describe('the JUnit suites of load results', () => {
  const suitesOf = (load: typeof LOAD_RESULT): string => {
    const xml = renderJUnit({ ...makeResults(), requirements: [], load: [load] });
    return xml.slice(xml.indexOf('<testsuite name="assay.load'), xml.indexOf('</testsuites>'));
  };
  const suites = suitesOf(LOAD_RESULT);
  const parsed: unknown = new XMLParser({ ignoreAttributes: false }).parse(suites);

  it('count as they are written', () => {
    expect(parsed).toMatchObject({
      testsuite: {
        '@_name': 'assay.load.rl-exact',
        '@_tests': '4',
        '@_failures': '1',
        '@_errors': '0',
        '@_skipped': '1',
        '@_time': '10.000',
      },
    });
    expect((suites.match(/<testcase/g) ?? []).length).toBe(4);
  });

  it('say what was seen, escaped', () => {
    expect(suites).toContain('one &amp; more');
    expect(suites).toContain('21 &lt;b&gt;');
  });

  it('turn no verdict into an error', () => {
    expect(suitesOf({ ...LOAD_RESULT, outcome: 'inconclusive' })).toContain(
      '<error type="inconclusive"',
    );
  });
});
