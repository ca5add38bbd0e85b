import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { renderHtml } from '../../src/report/page/page.tsx';
import { describeInBrowser, go, launch, open, Pages, ready } from './chromium.ts';
import { largeResults } from './reports.ts';

// What a page costs is its size and the elements that are there at once: neither may grow with the run.
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

  it.each([
    { count: 5_000, megabytes: 3 },
    { count: 20_000, megabytes: 11 },
  ])(
    'of $count results has a small page and few elements in each view',
    async ({ count, megabytes }) => {
      const results = largeResults(count);
      const evidence = results.exchanges.reduce((sum, one) => sum + (one.response?.bytes ?? 0), 0);
      const page = renderHtml(results);
      expect(evidence).toBeGreaterThan(count * 1_800);
      expect(page.length).toBeLessThan(megabytes * 1e6);
      const { page: tab, close } = await open(browser, pages.write(`report-${count}.html`, page));
      await ready(tab);
      const elements = (): Promise<number> =>
        tab.evaluate<number>("document.querySelectorAll('*').length");
      const most = [await elements()];
      // The matrix is the largest view: with and without a filter that fits everything.
      for (const view of ['#requirements', '#requirements?q=is%3Apassed', '#exchanges']) {
        await go(tab, view);
        most.push(await elements());
      }
      expect(Math.max(...most)).toBeLessThan(12_000);
      expect(await tab.locator('#exchanges [data-search] li').count()).toBe(100);
      for (let opened = Math.floor(count / 6); opened < count; opened += Math.floor(count / 6)) {
        await go(tab, `#x-x${opened}`);
        await tab.waitForSelector(`[data-evidence="x${opened}"]`);
      }
      await close();
    },
    240_000,
  );
});
