import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { renderHtml } from '../../src/report/page/page.tsx';
import { describeInBrowser, go, launch, open, Pages, ready } from './chromium.ts';
import type { Watched } from './chromium.ts';
import { fullResults, largeResults, manyFindings } from './reports.ts';

/** From this width on there is room for two panes. */
const WIDE = { width: 1100, height: 800 };
const NARROW = { width: 1099, height: 800 };

/** Address of what is marked as chosen in the list. */
const CHOSEN = `(() => { const one = document.querySelector('.list-pane [aria-current]'); return (one?.closest('a') ?? one?.querySelector('a.id'))?.getAttribute('href') ?? null; })()`;
/** Scroll of the list that is beside what is chosen. */
const SCROLLED =
  "Math.max(...[...document.querySelectorAll('.scroller, .list-pane')].map((one) => one.scrollTop))";
/** True when the marked row is within its list, and within the screen. */
const IN_SIGHT = `(() => { const row = document.querySelector('.list-pane [aria-current]').getBoundingClientRect(); const list = document.querySelector('.list-pane').getBoundingClientRect(); return row.top >= list.top - 1 && row.bottom <= Math.min(list.bottom, innerHeight) + 1; })()`;
/** True when what has the focus has a ring that can be seen. */
const RING =
  "[null, '::after'].some((part) => { const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement, part); return outlineStyle === 'solid' && parseFloat(outlineWidth) >= 2; })";

describeInBrowser('two panes', () => {
  const pages = new Pages();
  const url = pages.write('report.html', renderHtml(fullResults()));
  const large = pages.write('large.html', renderHtml(largeResults(5_000)));
  const many = pages.write('many.html', renderHtml(manyFindings()));
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    pages.remove();
  });

  async function start(hash: string, viewport = WIDE, page = url): Promise<Watched> {
    const watched = await open(browser, page + hash, { viewport, reducedMotion: 'reduce' });
    await ready(watched.page);
    return watched;
  }
  const panes = (page: Page): Promise<number> =>
    page.locator('.split > :is(.list-pane, .detail-pane)').count();
  const chosen = (page: Page): Promise<string | null> => page.evaluate<string | null>(CHOSEN);

  it.each([
    ['#x-x2', 'exchanges'],
    ['#r-4.3/unlisted', 'requirements'],
  ])('%s stands beside its list from 1,100 px on, and alone below', async (hash, list) => {
    const { page, trouble, close } = await start(hash);
    expect(await panes(page)).toBe(2);
    expect(await chosen(page)).toBe(hash);
    await expect.poll(() => page.evaluate<boolean>(IN_SIGHT)).toBe(true);
    const current = page.locator('nav [aria-current="page"]');
    expect(await current.getAttribute('href')).toBe(`#${list}`);
    await page.setViewportSize(NARROW);
    await expect.poll(() => panes(page)).toBe(0);
    expect(await page.locator('.search').count()).toBe(0);
    await page.setViewportSize(WIDE);
    await expect.poll(() => panes(page)).toBe(2);
    expect(await chosen(page)).toBe(hash);
    // An address with a slash makes the page itself look like a request to somewhere else.
    expect(trouble.filter((one) => !one.endsWith('/report.html'))).toEqual([]);
    await close();
  });

  it('keeps search and place of a list while things of it are chosen, and gives them back', async () => {
    const { page, close } = await start('#exchanges', WIDE, large);
    await page.getByLabel('Search').fill('http:400');
    await page.evaluate("document.querySelector('.scroller').scrollTo(0, 6_000)");
    await page.locator('.scroller li[aria-posinset="180"]').waitFor();
    const row = page.locator('.scroller li[aria-posinset="180"] a');
    const first = await row.getAttribute('href');
    await row.click();
    await page.locator('[data-evidence]').waitFor();
    await expect.poll(() => chosen(page)).toBe(first);
    expect(await page.evaluate<boolean>(IN_SIGHT)).toBe(true);
    const scrolled = await page.evaluate<number>(SCROLLED);
    expect(scrolled).toBeGreaterThan(5_500);
    expect(await page.getByLabel('Search').inputValue()).toBe('http:400');
    // The next ones come beside the same list, and the focus stays on the row.
    const press = async (key: string): Promise<string | null> => {
      const before = await chosen(page);
      await page.keyboard.press(key);
      await expect.poll(() => chosen(page)).not.toBe(before);
      return chosen(page);
    };
    await press('j');
    const third = await press('j');
    expect(third).not.toBe(first);
    expect(new URL(page.url()).hash).toBe(third);
    expect(await page.evaluate("document.activeElement.getAttribute('href')")).toBe(third);
    expect(await page.evaluate<boolean>(RING)).toBe(true);
    expect(Math.abs((await page.evaluate<number>(SCROLLED)) - scrolled)).toBeLessThan(200);
    expect(await press('k')).not.toBe(first);
    // A search beside what is chosen changes the list alone.
    await page.getByLabel('Search').fill('http:200');
    expect(new URL(page.url()).hash).toMatch(/^#x-/);
    expect(await page.locator('.search [role=status]').innerText()).toMatch(/^\d+ of 5000/);
    for (let step = 0; step < 3; step += 1) await page.goBack();
    await expect.poll(() => chosen(page)).toBe(first);
    expect(await page.getByLabel('Search').inputValue()).toBe('http:400');
    expect(Math.abs((await page.evaluate<number>(SCROLLED)) - scrolled)).toBeLessThan(2);
    await page.goBack();
    await page.waitForURL(({ hash }) => hash === '#exchanges?q=http%3A400');
    await expect.poll(() => panes(page)).toBe(0);
    expect(await page.evaluate<number>(SCROLLED)).toBeGreaterThan(5_500);
    await close();
  });

  it('keeps a row of the matrix where it is when it is chosen, and when what is chosen is closed', async () => {
    const { page, close } = await start('#requirements');
    await page.getByRole('button', { name: 'Unfold all' }).click();
    const link = page.locator('.matrix a.id').nth(20);
    await link.scrollIntoViewIfNeeded();
    const href = await link.getAttribute('href');
    const top = async (): Promise<number> =>
      (await page.locator(`.list-pane a.id[href="${href ?? ''}"]`).boundingBox())?.y ?? Number.NaN;
    const before = await top();
    expect(await page.evaluate<number>('scrollY')).toBeGreaterThan(100);
    await link.click();
    await expect.poll(() => panes(page)).toBe(2);
    expect(await chosen(page)).toBe(href);
    await expect.poll(() => page.evaluate<boolean>(IN_SIGHT)).toBe(true);
    expect(Math.abs((await top()) - before)).toBeLessThan(120);
    // Parts stay open.
    expect(await page.locator('.part:not([open])').count()).toBe(0);
    const beside = await top();
    await page.getByRole('link', { name: 'Close: back to the list of requirements' }).click();
    await page.waitForURL(({ hash }) => hash === '#requirements');
    await expect.poll(() => panes(page)).toBe(0);
    expect(Math.abs((await top()) - beside)).toBeLessThan(120);
    await close();
  });

  it('stands beside the list that it was chosen in', async () => {
    const { page, close } = await start('#checks?q=is%3Afailed');
    await page.locator('.scroller a').first().click();
    await expect.poll(() => panes(page)).toBe(2);
    expect(await page.locator('.list-pane h2').innerText()).toBe('All checks');
    expect(await page.getByLabel('Search').inputValue()).toBe('is:failed');
    // A link from elsewhere leads to the matrix, and going back to the checks.
    await go(page, '#summary');
    const link = page.locator('article.finding .claim a').first();
    const href = await link.getAttribute('href');
    await link.click();
    await expect.poll(() => panes(page)).toBe(2);
    expect(await page.locator('.list-pane h2').innerText()).toBe('Requirements');
    await expect.poll(() => chosen(page)).toBe(href);
    await page.goBack();
    await page.goBack();
    await expect.poll(() => page.locator('.list-pane h2').innerText()).toBe('All checks');
    expect(await page.getByLabel('Search').inputValue()).toBe('is:failed');
    await close();
  });

  it('opens the part of the matrix that holds what a link leads to', async () => {
    const { page, close } = await start('#requirements?q=is%3Afailed');
    await go(page, '#requirements');
    const section = await page.locator('.part:not([open]):not([hidden])').last().getAttribute('id');
    const part = page.locator(`[id="${section ?? ''}"]`);
    await part.locator('summary').click();
    const href = (await part.locator('a.id').first().getAttribute('href')) ?? '';
    await page.reload();
    await ready(page);
    expect(await page.locator(`.matrix a.id[href="${href}"]`).count()).toBe(0);
    await go(page, href);
    await page.locator(`.matrix tr[aria-current] a.id[href="${href}"]`).waitFor();
    await expect.poll(() => page.evaluate<boolean>(IN_SIGHT)).toBe(true);
    await close();
  });

  it.each([true, false])(
    'lists the findings beside them (script: %s)',
    async (javaScriptEnabled) => {
      const watched = await open(browser, many, {
        viewport: WIDE,
        javaScriptEnabled,
        reducedMotion: 'reduce',
      });
      const { page, trouble, close } = watched;
      if (javaScriptEnabled) await ready(page);
      const list = page.locator('.finding-list');
      const links = list.locator('li a');
      const articles = page.locator('article.finding');
      const count = await links.count();
      expect(count).toBe(await articles.count());
      expect(count).toBeGreaterThan(12);
      await list.scrollIntoViewIfNeeded();
      await links.nth(9).click();
      const { y = 0, x = 0 } = (await articles.nth(9).boundingBox()) ?? {};
      expect(y).toBeGreaterThan(30);
      expect(y).toBeLessThan(200);
      const box = await list.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan(x);
      expect((box?.y ?? 0) + (box?.height ?? Infinity)).toBeLessThanOrEqual(WIDE.height);
      if (javaScriptEnabled) {
        const marked = list.locator('[aria-current]');
        await expect
          .poll(() => marked.getAttribute('href'))
          .toBe(await links.nth(9).getAttribute('href'));
        // From the finding that was chosen on.
        for (let step = 0; step < count; step += 1) await page.keyboard.press('j');
        expect(await page.evaluate<boolean>(RING)).toBe(true);
        await expect
          .poll(() => marked.getAttribute('href'))
          .toBe(await links.last().getAttribute('href'));
        const last = await marked.boundingBox();
        const held = await list.boundingBox();
        expect((last?.y ?? Infinity) + (last?.height ?? 0)).toBeLessThanOrEqual(
          (held?.y ?? 0) + (held?.height ?? 0) + 1,
        );
      }
      await page.setViewportSize(NARROW);
      expect(await list.isVisible()).toBe(false);
      await page.setViewportSize(WIDE);
      await page.emulateMedia({ media: 'print' });
      expect(await list.isVisible()).toBe(false);
      expect(trouble).toEqual([]);
      await close();
    },
  );

  it('has the first finding within 400 px of the top', async () => {
    const { page, close } = await start('', { width: 1280, height: 800 });
    const box = await page.locator('.index li').first().boundingBox();
    expect(box?.y ?? 1_000).toBeLessThan(400);
    await close();
  });
});
