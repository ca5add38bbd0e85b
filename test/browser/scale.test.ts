import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { renderHtml } from '../../src/report/html/page.tsx';
import type { Results } from '../../src/report/results.ts';
import { describeInBrowser, go, launch, open, Pages, ready } from './chromium.ts';
import { largeResults } from './reports.ts';

/** The page that a simple generator would write: everything as markup, all of it at once. */
function naive({ exchanges }: Results): string {
  const escape = (text: string): string =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const rows = exchanges.map(
    ({ id, request, response }) =>
      `<details><summary><b>${id}</b> <code>${escape(request.url)}</code></summary><h4>Request</h4><pre>${escape(JSON.stringify(request.headers, null, 1))}</pre><h4>Response</h4><pre>${escape(response?.text ?? '')}</pre></details>`,
  );
  return `<!doctype html><html lang="en"><title>naive</title><body>${rows.join('\n')}`;
}

const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;

/** A machine that is busy with other things makes every time longer; ratios to the naive page stay. */
const SLOW = 4;

describeInBrowser('a large run', () => {
  const pages = new Pages();
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    pages.remove();
  });

  async function repeat(times: number, once: () => Promise<number>): Promise<number> {
    const all: number[] = [];
    for (let index = 0; index < times; index += 1) all.push(await once());
    return median(all);
  }

  async function readyTime(url: string): Promise<number> {
    const { page, close } = await open(browser, url);
    const time = await ready(page);
    await close();
    return time;
  }

  async function loadTime(url: string): Promise<number> {
    const { page, close } = await open(browser, url);
    const time = await page.evaluate<number>(
      "performance.getEntriesByType('navigation')[0].loadEventEnd",
    );
    await close();
    return time;
  }

  /** Time from an act in the page until its effect is drawn, ms, measured in the page. */
  function timed(page: Page, act: string, seen: string): Promise<number> {
    return page.evaluate<number>(
      `(async () => { const start = performance.now(); ${act}; while (!(${seen}) && performance.now() - start < 9000) await new Promise((done) => setTimeout(done, 1)); document.body.offsetHeight; return performance.now() - start; })()`,
    );
  }

  it.each([
    // What does not grow with the run, such as the first layout, is most of the time here.
    { count: 5_000, megabytes: 3, readyMs: 500, ratio: 0.65 },
    { count: 20_000, megabytes: 11, readyMs: 1_000, ratio: 0.25 },
  ])(
    'of $count results opens at once',
    async ({ count, megabytes, readyMs, ratio }) => {
      const results = largeResults(count);
      const evidence = results.exchanges.reduce((sum, one) => sum + (one.response?.bytes ?? 0), 0);
      const before = performance.now();
      const page = renderHtml(results);
      const generated = performance.now() - before;
      const url = pages.write(`report-${count}.html`, page);
      const plain = pages.write(`naive-${count}.html`, naive(results));
      // In turn, so that what the machine does besides hits both.
      const rounds = count > 10_000 ? 2 : 5;
      const pairs: (readonly [ours: number, naive: number])[] = [];
      for (let round = 0; round < rounds; round += 1) {
        pairs.push([await readyTime(url), await loadTime(plain)]);
      }
      const ours = median(pairs.map(([one]) => one));
      const naiveMs = median(pairs.map(([, other]) => other));
      const shareOfNaive = median(pairs.map(([one, other]) => one / other));
      const { page: tab, close } = await open(browser, url);
      await ready(tab);
      const nodes = await tab.evaluate<number>("document.querySelectorAll('*').length");
      // The matrix is the largest view: with and without a filter that fits everything.
      const most: number[] = [nodes];
      for (const view of [
        '#requirements',
        '#requirements?q=is%3Apassed',
        '#exchanges',
        '#checks',
      ]) {
        await go(tab, view);
        most.push(await tab.evaluate<number>("document.querySelectorAll('*').length"));
      }
      let turn = 0;
      const filter = await repeat(5, () => {
        turn += 1;
        return timed(
          tab,
          `const field = document.querySelector('.search-field'); field.value = '"for case ${turn}" is:passed'; field.dispatchEvent(new Event('input', { bubbles: true }))`,
          `document.querySelector('.scroller li .what')?.textContent.includes('case ${turn}')`,
        );
      });
      let opened = 0;
      const evidenceMs = await repeat(5, () => {
        opened += Math.floor(count / 6);
        return timed(
          tab,
          `location.hash = '#x-x${opened}'`,
          `document.querySelector('[data-evidence="x${opened}"]')`,
        );
      });
      await close();
      process.stdout.write(
        `report of ${count} results: ${(evidence / 1e6).toFixed(1)} MB of evidence, file ${(page.length / 1e6).toFixed(2)} MB, generated in ${generated.toFixed(0)} ms, ready in ${ours.toFixed(0)} ms (naive ${naiveMs.toFixed(0)} ms, ratio ${shareOfNaive.toFixed(2)}), ${most.join('/')} elements, filter ${filter.toFixed(1)} ms, evidence ${evidenceMs.toFixed(1)} ms, memory ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB\n`,
      );
      expect(evidence).toBeGreaterThan(count * 1_800);
      expect(page.length).toBeLessThan(megabytes * 1e6);
      expect(Math.max(...most)).toBeLessThan(3_000);
      expect(shareOfNaive).toBeLessThan(ratio);
      expect(ours).toBeLessThan(readyMs * SLOW);
      expect(filter).toBeLessThan(50 * SLOW);
      expect(evidenceMs).toBeLessThan(100 * SLOW);
      expect(generated).toBeLessThan(3_000 * SLOW);
    },
    240_000,
  );
});
