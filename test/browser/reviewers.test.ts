import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { renderHtml } from '../../src/report/page/page.tsx';
import { describeInBrowser, launch, open, Pages, ready } from './chromium.ts';
import { QUESTIONS } from './questions.ts';
import { reviewResults } from './reports.ts';

/** Clicks that an answer may cost. */
const MOST = 2;

/** A reader who has only so many clicks. */
class Reader {
  readonly page: Page;
  #clicks = 0;

  constructor(page: Page) {
    this.page = page;
  }

  async click(selector: string): Promise<void> {
    this.#clicks += 1;
    if (this.#clicks > MOST)
      throw new Error(`click ${this.#clicks} of at most ${MOST}: ${selector}`);
    await this.page.locator(selector).first().click({ timeout: 5_000 });
  }

  /** What a place says. It must be on the screen, or in the view that was reached, where scrolling is enough. */
  async reads(selector: string): Promise<string> {
    const place = this.page.locator(selector).first();
    await place.waitFor({ state: 'visible', timeout: 5_000 });
    return (await place.innerText()).replaceAll('\u00a0', ' ').trim();
  }
}

describeInBrowser('five reviewers, three questions each', () => {
  const pages = new Pages();
  const url = pages.write('report.html', renderHtml(reviewResults()));
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    pages.remove();
  });

  it.each(QUESTIONS)('$reviewer: $question', async ({ clicks, answer }) => {
    const { page, trouble, close } = await open(browser, url);
    await ready(page);
    const reader = new Reader(page);
    for (const [, selector] of clicks) await reader.click(selector);
    for (const { at, says } of answer) expect(await reader.reads(at)).toMatch(says);
    // Whatever else a view holds: what answers comes first, so the reader does not have to look for it.
    const first = page.locator(answer[0]?.at ?? '').first();
    await expect.poll(() => first.evaluate(ON_SCREEN)).toBe(true);
    expect(trouble).toEqual([]);
    await close();
  });

  it('would not allow a third click', async () => {
    const { page, close } = await open(browser, url);
    await ready(page);
    const reader = new Reader(page);
    await reader.click('nav a:text-is("Run")');
    await reader.click('nav a:text-is("Behaviour")');
    await expect(reader.click('nav a:text-is("Run")')).rejects.toThrow('click 3 of at most 2');
    await close();
  });

  it.each(QUESTIONS)('without a script, $reviewer: $question', async ({ clicks, answer }) => {
    const { page, trouble, close } = await open(browser, url, { javaScriptEnabled: false });
    const reader = new Reader(page);
    for (const [, selector] of clicks) await reader.click(selector);
    for (const { at, says } of answer) expect(await reader.reads(at)).toMatch(says);
    expect(trouble).toEqual([]);
    await close();
  });
});

/** Whether any part of an element is on the screen. */
const ON_SCREEN = (element: unknown): boolean => {
  const { top, bottom } = (
    element as { getBoundingClientRect: () => { top: number; bottom: number } }
  ).getBoundingClientRect();
  const { innerHeight } = globalThis as unknown as { innerHeight: number };
  return bottom > 0 && top < innerHeight;
};
