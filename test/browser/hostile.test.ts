import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { renderHtml } from '../../src/report/page/page.tsx';
import { HOSTILE } from '../report/hostile.ts';
import { sampleOf } from '../sample.ts';
import { describeInBrowser, go, launch, open, Pages, ready } from './chromium.ts';
import { FOREIGN } from './foreign.ts';
import { fullResults } from './reports.ts';

const VIEWS = [
  '#summary',
  '#requirements',
  '#behaviour',
  '#changes',
  '#access',
  '#rate-limit',
  '#load',
  '#run',
  '#requirements?q=is%3Afailed',
  '#exchanges',
  '#review',
  '#r-4.3/unlisted',
  '#x-x2',
  '#x-x3',
  '#x-x4',
  '#x-x5',
  '#x-x6',
];

/** Texts put into one page: the more of them, the fewer pages; the fewer, the easier to find the culprit. */
const TOGETHER = 30;
const batches = Array.from({ length: Math.ceil(HOSTILE.length / TOGETHER) }, (_, index) =>
  HOSTILE.slice(index * TOGETHER, (index + 1) * TOGETHER),
);

describeInBrowser('hostile text', () => {
  const pages = new Pages();
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    pages.remove();
  });

  // With the page's own policy, and without it: the policy is the second wall, not the first.
  it.each([false, true])('runs nowhere and adds nothing (policy off: %s)', async (bypassCSP) => {
    expect(HOSTILE.length).toBeGreaterThanOrEqual(140);
    // Without the policy all of them, for nothing else would stop them there.
    for (const [index, batch] of bypassCSP ? batches.entries() : sampleOf([...batches.entries()])) {
      const url = pages.write('report.html', renderHtml(fullResults(batch.join(' '))));
      const { page, trouble, close } = await open(browser, url, { bypassCSP });
      await ready(page);
      for (const view of VIEWS) {
        await go(page, view);
        const foreign = await page.locator(FOREIGN).count();
        expect({ index, view, foreign }).toEqual({ index, view, foreign: 0 });
      }
      await go(page, '#x-x2');
      if ((await page.getByRole('button', { name: 'Raw' }).count()) > 0) {
        await page.getByRole('button', { name: 'Raw' }).first().click();
      }
      await page.evaluate(
        'for (const one of document.querySelectorAll("details")) one.open = true',
      );
      expect(await page.evaluate('globalThis.__pwned')).toBeUndefined();
      expect({ index, trouble }).toEqual({ index, trouble: [] });
      await close();
    }
  });

  it('takes nothing from the address', async () => {
    const url = pages.write('report.html', renderHtml(fullResults()));
    for (const text of sampleOf(HOSTILE.filter((_, index) => index % 8 === 0))) {
      const hash = `#requirements?q=${encodeURIComponent(Buffer.from(text).toString())}`;
      const { page, trouble, close } = await open(browser, url + hash);
      await ready(page);
      expect(await page.locator(FOREIGN).count()).toBe(0);
      await go(page, `#${text}`);
      await go(page, `#x-${text}`);
      expect(await page.locator(FOREIGN).count()).toBe(0);
      expect(trouble).toEqual([]);
      await close();
    }
  });

  it('would be seen: the policy refuses what got into the page some other way', async () => {
    const url = pages.write('report.html', renderHtml(fullResults()));
    const { page, trouble, close } = await open(browser, url);
    await ready(page);
    const refused = await page.evaluate(
      `try { document.body.innerHTML = '<img src=x onerror="globalThis.__pwned=1">'; false } catch { true }`,
    );
    expect(refused).toBe(true);
    await page.evaluate(
      `try { const link = document.createElement('a'); link.setAttribute('onclick', 'globalThis.__pwned=1'); document.body.append(link); link.click(); } catch {}`,
    );
    expect(await page.evaluate('globalThis.__pwned')).toBeUndefined();
    expect(trouble.length).toBeGreaterThan(0);
    await close();
  });
});
