// How long a page is on a phone, for a run with many causes.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MANY, runWith, waiverFileFor } from '../report-runs/real-runs.ts';
import { describeInBrowser, go, launch, open, Pages, ready } from './chromium.ts';

describeInBrowser('on a phone', () => {
  const pages = new Pages();
  let browser: Browser;
  let url: string;
  let waived: string;
  beforeAll(async () => {
    browser = await launch();
    const run = await runWith(MANY);
    url = pages.write('report.html', (await runWith(MANY, ['--baseline', run.file])).html);
    const words = ['--waivers', waiverFileFor(run)];
    waived = pages.write('waived.html', (await runWith(MANY, words)).html);
  });
  afterAll(async () => {
    await browser.close();
    pages.remove();
  });

  it.each([
    ['as found', () => url],
    ['all waived', () => waived],
  ])('no view is longer than 8,000 px at 390 px before it is unfolded: %s', async (_, of) => {
    const { page, close } = await open(browser, of(), { viewport: { width: 390, height: 844 } });
    await ready(page);
    const views = await page.evaluate<readonly string[]>(
      "[...document.querySelectorAll('nav a')].map((link) => link.hash)",
    );
    expect(views).toContain('#summary');
    const heights: Record<string, number> = {};
    for (const view of views) {
      await go(page, view);
      heights[view] = await page.evaluate<number>('document.documentElement.scrollHeight');
    }
    expect(Object.entries(heights).filter(([, height]) => height > 8_000)).toEqual([]);
    await close();
  });

  it.each([390, 1280])('no view is wider than %d px, Changes included', async (width) => {
    const { page, close } = await open(browser, url, { viewport: { width, height: 844 } });
    await ready(page);
    const views = await page.evaluate<readonly string[]>(
      "[...document.querySelectorAll('nav a')].map((link) => link.hash)",
    );
    expect(views).toContain('#changes');
    for (const view of views) {
      await go(page, view);
      const own = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect(own, view).toBeLessThanOrEqual(width);
    }
    await close();
  });
});
