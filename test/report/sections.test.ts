import { describe, expect, it } from 'vitest';
import { missingSetting } from '../../src/spec/cause.ts';
import { renderMarkdown } from '../../src/report/formats/markdown.ts';
import { renderSummary } from '../../src/report/terminal/terminal.ts';
import { renderHtml } from '../../src/report/page/page.tsx';
import type { LoadResult } from '../../src/report/model/load-results.ts';
import { statusOf } from '../../src/report/model/status.ts';
import { makeLoad, makePassingLoad } from '../browser/reports.ts';
import { makeRequirement, makeResults } from './fixture.ts';

const inTerminal: typeof renderMarkdown = (results) =>
  renderSummary(results, { color: false, width: 200, showCurl: false });

describe('load results', () => {
  it('stand in the report with charts, the cause and both numbers', () => {
    const page = renderHtml({ ...makeResults(), load: [makeLoad()] });
    expect(page).toContain('240 sent: 81 admitted, 157 refused');
    expect(page.match(/class="course"/g)).toHaveLength(2);
    expect(page).toContain('href="#r-8/limit-enforced"');
    expect(page).toContain('(by design)');
    expect(page).toContain('assay load rl-exact');
  });

  it('mark the window that is wrong, and no other', () => {
    const page = renderHtml({ ...makeResults(), load: [makeLoad()] });
    expect(page.match(/<span class="failed">✗[^<]*/g)).toEqual(['<span class="failed">✗ 21 of 20']);
    expect(page).toContain('aria-label="1 over the limit"');
  });

  it('stand among the findings of the run in the order of harm, with a link to the scenario', () => {
    const page = renderHtml({ ...makeResults(), load: [makeLoad()] });
    const index = page.slice(page.indexOf('<ol class="index">'), page.indexOf('</ol>'));
    const lines = index.split('<li>').slice(1);
    // A limiter that admits too much, before the data and the codes that the run found.
    const places = ['21 were admitted', 'is null', 'wrong code'].map((words) =>
      lines.findIndex((line) => line.includes(words)),
    );
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(lines[places[0] ?? -1]).toContain('<a href="#load-1">Load rl-exact</a>');
  });

  it('show what failed first and open, and what passed closed and without a sign of failure', () => {
    const page = renderHtml({ ...makeResults(), load: [makePassingLoad(), makeLoad()] });
    const failed = page.indexOf('<details class="card scenario failed" open');
    const passed = page.indexOf('<details class="card scenario passed"');
    expect(failed).toBeGreaterThan(0);
    expect(passed).toBeGreaterThan(failed);
    const quiet = page.slice(passed, page.indexOf('</section>', passed));
    expect(quiet).toContain('id="load-1"');
    expect(quiet).not.toContain('✗');
    expect(page).toContain('2 scenarios: 1 failed, 1 passed.');
  });

  it('stand open where there is one scenario, with how much each pass was judged on', () => {
    const load = makePassingLoad();
    const passed = load.requirements.find(({ outcome }) => outcome === 'passed');
    const page = renderHtml({ ...makeResults(), load: [load] });
    expect(page).toContain('<details class="card scenario passed" open');
    const quiet = page.slice(page.indexOf('with the number of judgements: '));
    const words = quiet.slice(0, quiet.indexOf('</p>')).replaceAll(/<[^>]+>/g, '');
    expect(words).toContain(`${passed?.id} ${passed?.judged}`);
    // The row in Requirements says it too.
    const own = makeRequirement(passed?.id ?? '', 'passed', { exchanges: [] });
    const results = { ...makeResults(), requirements: [own], load: [load] };
    expect(statusOf({ ...own, exchanges: [] }, results).words).toMatch(
      /^passed in [1-9]\d* judgements under load$/,
    );
  });

  it('say why a chart is missing', () => {
    const { course: _, ...old } = makeLoad();
    expect(renderHtml({ ...makeResults(), load: [{ ...old, windows: [] }] })).toContain(
      'No windows: no request with a key was admitted',
    );
    expect(renderHtml({ ...makeResults(), load: [old] })).toContain(
      'These results contain no time series',
    );
    const every = { admitted: 50, refused: 1 };
    const course = { ...makeLoad().course, every };
    const sampled = renderHtml({ ...makeResults(), load: [{ ...old, course } as LoadResult] });
    expect(sampled).toContain('windows cannot be counted');
    for (const render of [renderMarkdown, inTerminal]) {
      const words = render({ ...makeResults(), load: [{ ...old, course } as LoadResult] });
      expect(words.replaceAll(/\s+/g, ' ')).toContain(
        '1 in 50 admitted responses was recorded: rates are estimates, and windows cannot be counted.',
      );
      expect(words).not.toMatch(/Window\b/);
    }
    expect(sampled.match(/class="course"/g)).toHaveLength(2);
  });
});

describe('a report about nothing', () => {
  it('says so instead of looking green', () => {
    const empty = { ...makeResults(), requirements: [], exchanges: [], readings: [], notes: [] };
    const page = renderHtml({ ...empty, verdict: 'incomplete', sentence: 'No verdict.' });
    for (const words of ['INCOMPLETE', 'No windows: ', 'None recorded.']) {
      expect(page).toContain(words);
    }
  });

  it('does not say CONFORMS without saying what is not verified', () => {
    const requirements = [
      makeRequirement('4.2/news', 'passed'),
      makeRequirement('5/expired-key', 'untested', {
        reason: 'add keys.expired to the target file',
        cause: missingSetting('keys.expired'),
      }),
    ];
    const page = renderHtml({ ...makeResults(), verdict: 'conforms', exitCode: 0, requirements });
    expect(page).toContain('1 of 2 musts verified, 1 not verified');
    expect(page).toContain('needs <code>keys.expired</code>');
  });
});
