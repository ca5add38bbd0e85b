// What the report says of real runs: nothing that is not so (the items of the review, by name).
import { beforeAll, describe, expect, it } from 'vitest';
import { groupCauses } from '../../src/report/analysis/causes.ts';
import { refusalWords, roleMatrix } from '../../src/report/analysis/role-matrix.ts';
import { asShown } from '../../src/report/analysis/shown.ts';
import { renderJUnit } from '../../src/report/formats/junit.ts';
import { renderMarkdown } from '../../src/report/formats/markdown.ts';
import { withBaseline } from '../../src/report/model/diff.ts';
import { titleOf } from '../../src/report/model/head.ts';
import { isViolated } from '../../src/report/model/status.ts';
import { pageData } from '../../src/report/page/data.ts';
import { failingExcerpt } from '../../src/report/page/evidence/failing-lines.tsx';
import { renderHtml } from '../../src/report/page/page.tsx';
import { compileQuery } from '../../src/report-app/query.ts';
import { searchable } from '../../src/report/page/view/lists.tsx';
import { loadResults } from '../../src/run/load-results.ts';
import { LOAD_RESULT } from '../load/load-result.ts';
import { idsOf, runWith, textOf, waiverFileFor } from './real-runs.ts';
import type { RealRun } from './real-runs.ts';

const KEYS = [
  'unknown-key-admitted',
  'expired-key-as-unknown-for-stocks',
  'forbidden-admitted-charts',
];

// Only what the fault is about, where nothing else matters: the rest takes most of the time.
let violated: RealRun;
let clean: RealRun;
let status: RealRun;
beforeAll(async () => {
  violated = await runWith(KEYS, ['--only', '5']);
  clean = await runWith([], ['--baseline', violated.file]);
  status = await runWith(
    ['error-status-422', 'currency-klines-zero-crash'],
    ['--only', '4/no-5xx,4.1,7'],
  );
});

describe('1: waived is not clean', () => {
  let waived: RealRun;
  beforeAll(async () => {
    const words = ['--waivers', waiverFileFor(violated), '--baseline', violated.file];
    waived = await runWith(KEYS, [...words, '--only', '5']);
  });

  it('says so in every format, with owner and day', () => {
    const ids = idsOf(waived, 'waived');
    expect(ids).toHaveLength(3);
    const formats = {
      terminal: waived.terminal,
      markdown: waived.markdown,
      junit: textOf(waived.junit),
      ctrf: waived.ctrf,
      page: waived.page,
    };
    for (const [name, text] of Object.entries(formats)) {
      expect(text, name).toContain(
        '3 violated and waived until 2099-01-01 by Ada (the fix ships with release 12)',
      );
      expect(text, name).not.toContain('No violation and no warning');
      expect(text, name).not.toContain('nothing known is violated');
      for (const id of ids) expect(text, `${name}: ${id}`).toContain(id);
    }
    expect(waived.terminal).toContain('0 open violations, 3 violated and waived');
    expect(waived.terminal).toContain('Violated and waived: ');
    expect(waived.page).toContain('0 open, 3 violated and waived');
    expect(waived.sarif).toContain(
      '"justification": "waived until 2099-01-01 by Ada (the fix ships with release 12)"',
    );
    expect(waived.results.exitCode).toBe(0);
  });

  it('knows what the baseline knows', () => {
    expect(waived.results.gate?.known).toHaveLength(3);
    expect(waived.results.sentence).toContain('3 known, 3 of them waived');
  });

  it('does not say that a key was refused that was let in', () => {
    const words = refusalWords(roleMatrix(waived.results));
    const [, refused, pairs, letIn, accepted] =
      /refused in (\d+) of (\d+) pairs of key and endpoint, 1 with the wrong error \(1 waived\), (\d+) accepted at least once \((\d+) waived\)/
        .exec(words)
        ?.map(Number) ?? [];
    // One of the four bad keys is let in at every endpoint that was requested.
    expect(accepted, words).toBeGreaterThan(0);
    expect([refused, pairs, letIn]).toEqual([3, 4, 1].map((keys) => keys * Number(accepted)));
    expect(waived.page).toContain(words);
  });
});

describe('2: no tick without a judged answer', () => {
  it('and every link leads to what shows it', () => {
    const results = withBaseline(violated.results, clean.results);
    const change = results.changes?.changes.find(({ subject }) => subject === '5/unknown-key');
    const shown = results.exchanges.filter(({ id }) => change?.exchanges.includes(id));
    expect(shown.map(({ response }) => response?.status)).toEqual([200, 200, 200]);
  });

  it('and no violated requirement has good checks only', () => {
    const { results } = status;
    const against = results.requirements.filter(isViolated);
    expect(against.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['4/no-5xx', '7/status-agrees']),
    );
    for (const one of against)
      expect(
        one.checks.some(({ outcome }) => outcome === (one.waived?.outcome ?? one.outcome)),
        one.id,
      ).toBe(true);
    const { data } = pageData(results, groupCauses(results));
    const fits = compileQuery('is:failed');
    const failed = data.requirements.filter((one) => fits(searchable(one, data)));
    expect(failed).toHaveLength(idsOf(status, 'failed').length);
  });
});

describe('3: a load report opens on the load', () => {
  const results = loadResults({
    load: [{ ...LOAD_RESULT, outcome: 'passed' }],
    target: { baseUrl: 'http://127.0.0.1:1/v1', envelope: null },
    reference: true,
    startedAt: new Date('2026-11-20T09:00:00Z'),
    interrupted: false,
  });

  it('and says nothing of the suites that were not run', () => {
    expect(titleOf(results)).toMatch(/NO VIOLATION FOUND under load, \d requirements? judged$/);
    const html = renderHtml(results);
    const page = textOf(html);
    for (const text of [page, renderMarkdown(results), renderJUnit(results)]) {
      expect(text).not.toMatch(/0 of 298 musts verified|No request was sent|left to `?assay run/);
    }
    expect(html).not.toContain('class="sq ');
    expect(html.indexOf(`id="load-1"`)).toBeGreaterThan(0);
    expect(html.indexOf(`id="load-1"`)).toBeLessThan(html.indexOf('id="requirements"'));
    expect(renderJUnit(results)).toMatch(/<testsuites name="assay" tests="[4-6]"/);
  });
});

describe('4: what is fixed is not a failure', () => {
  it('and a baseline that is out of date is a sentence and a case of its own', () => {
    const open = clean.results.requirements.filter(
      ({ level, outcome }) => level === 'must' && outcome !== 'passed',
    );
    const why = open.map(({ id, reason }) => `${id}: ${reason}`).join('\n');
    expect(clean.results, why).toMatchObject({ verdict: 'conforms', exitCode: 1 });
    const sentence = 'fixed since the baseline (once a whole run has nothing new,';
    for (const text of [clean.terminal, clean.markdown, textOf(clean.junit), clean.page]) {
      expect(text).toContain('CONFORMS, but the baseline is out of date');
      expect(text).toContain(sentence);
      expect(text).not.toContain('differs from the baseline');
    }
    expect(clean.html).not.toContain('<div class="verdict passed">');
    const cases = clean.junit.split('<testcase ').filter((one) => one.includes('<failure'));
    expect(cases).toHaveLength(1);
    expect(cases[0]).toContain('name="the baseline is up to date"');
    expect(clean.junit).not.toContain('type="passed"');
    expect(textOf(clean.junit)).not.toBe('');
    expect(clean.junit).toContain('fixed since the baseline; passed on');
  });
});

describe('5: words fit the answer', () => {
  it('of a key that was let in', () => {
    const letIn = groupCauses(violated.results)[0];
    expect(letIn?.example.requirement.id).toMatch(/^5\/(unknown-key|forbidden)$/);
    expect(violated.page).toContain('Unauthorized clients can read paid data');
    const cards = violated.html.split('<article ').filter((one) => one.includes('status 200'));
    expect(cards.length).toBeGreaterThan(0);
    for (const card of cards) {
      expect(card).not.toContain('The code tells a caller what to do');
      expect(card).not.toContain('refuses with a code or a body of its own');
    }
  });

  it('of one request too many', async () => {
    const { page } = await runWith(['limit-one-more'], ['--only', '8']);
    expect(page).not.toContain('multiple of 20');
    expect(page).toContain('An unenforced limit protects nobody');
  });

  it('of a 422 for a 400', () => {
    expect(status.page).not.toContain('gives an empty list with 200');
    expect(status.page).toContain('a gateway or framework in front of it sets the status');
  });
});

describe('6: the mark stands at what is wrong', () => {
  it('at the status beside the right code', () => {
    const causes = groupCauses(asShown(status.results));
    const cause = causes.find(({ message }) => message.includes('status 422'));
    expect(cause).toBeDefined();
    if (cause?.exchange == null) return;
    const place = failingExcerpt(cause.example, cause.exchange);
    expect(place?.lines[0]).toEqual({ text: 'HTTP 422', failing: true });
    expect(status.terminal).toContain(`the status in ${cause.exchange.id}`);
    expect(status.terminal).not.toContain(`/code in ${cause.exchange.id}`);
  });

  it('at the element in a long text', async () => {
    const { html, results } = await runWith(['news-script-tag'], ['--only', '2.7']);
    const [cause] = groupCauses(results);
    const card = html.split('<article ')[1] ?? '';
    expect(cause?.example.requirement.id).toBe('2.7/html-tags');
    expect(/<mark>[^]*?<\/mark>/.exec(card)?.[0]).toContain('&lt;iframe');
    expect(html).not.toContain('shown in full above');
  });
});

describe('8: one number, one source', () => {
  it('counts warnings beside violations, and not among them', async () => {
    const now = await runWith(
      ['snapshot-high-below-low', 'macro-no-maximum'],
      ['--baseline', clean.file, '--only', '2.2,4.6'],
    );
    const failed = idsOf(now, 'failed').length;
    const warned = idsOf(now, 'warned').length;
    expect([failed, warned].every((one) => one > 0)).toBe(true);
    const words = `+ ${failed} new violation${failed > 1 ? 's' : ''}, ${warned} new warning`;
    expect(now.page).toContain(words);
    expect(now.results.sentence).toContain(`${failed} must requirement`);
  });
});

describe('9: depth is shown', () => {
  it('with every pass, in the page and for programs', () => {
    const one = clean.results.requirements.find(({ outcome }) => outcome === 'passed');
    expect(clean.page).toContain(`passed on ${one?.exchanges.length} response`);
    expect(clean.junit).toContain(`<property name="judged on" value="${one?.exchanges.length}"/>`);
    expect(clean.junit).toMatch(/judged on" value="1"/);
  });
});
