import { readFileSync } from 'node:fs';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { renderHtml } from '../../src/report/page/page.tsx';
import type { Results, WaiverResult } from '../../src/report/model/results.ts';
import { describeInBrowser, go, launch, open, Pages, ready } from './chromium.ts';
import { fullResults } from './reports.ts';

const waiver = (id: string, state: WaiverResult['state'], expires: string): WaiverResult => ({
  id,
  owner: 'Ada',
  reason: 'the fix ships with release 12',
  ticket: 'MD-12',
  expires,
  state,
  detail: `what to do about ${state}`,
});

const base = fullResults();

/** A run with a waiver of each kind, those that no longer hold last in the file. */
const results: Results = {
  ...base,
  failing: [
    ...(base.failing ?? []),
    { id: '4.3/unlisted', why: 'waiver' },
    { id: '7/details-object', why: 'waiver' },
  ],
  waivers: [
    waiver('4.4/volume', 'applied', '2027-01-01'),
    waiver('5/disabled-key', 'idle', '2027-02-01'),
    waiver('4.3/unlisted', 'expired', '2026-11-01'),
    waiver('7/details-object', 'drifted', '2027-03-01'),
  ],
};

const card = (page: Page, words: string): Locator =>
  page.locator('article.finding', { has: page.locator('h4', { hasText: words }) });

/** Decides about a finding in its form. */
async function decide(
  form: Locator,
  decision: string,
  fields: Readonly<Record<string, string>>,
): Promise<void> {
  await form.getByText('Review: accept, dispute or waive').click();
  await form.getByLabel('Decision').selectOption(decision);
  for (const [label, value] of Object.entries(fields)) await form.getByLabel(label).fill(value);
  await form.getByRole('button', { name: 'Save' }).click();
}

const BY = { Owner: 'Grace', Reason: 'seen on staging' };

describeInBrowser('a review', () => {
  const pages = new Pages();
  const url = pages.write('report.html', renderHtml(results));
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    pages.remove();
  });

  it('shows without a script which waivers are no longer valid, first, and the days of all', async () => {
    const { page, trouble, close } = await open(browser, url, { javaScriptEnabled: false });
    expect(await page.locator('.verdict .failing', { hasText: 'waive' }).allInnerTexts()).toEqual([
      'Exit code 1: waiver drifted because the evidence differs: the target fails in another way, or the run sent other requests: 7/details-object',
      'Exit code 1: waiver expired (fix the target, or renew the waiver with assay waive): 4.3/unlisted',
      '1 violated and waived until 2027-01-01 by Ada (the fix ships with release 12): 4.4/volume',
    ]);
    const rows = await page.locator('table.waivers tbody tr').allInnerTexts();
    expect(rows.map((row) => /drifted|expired|applied|idle/.exec(row)?.[0])).toEqual([
      'drifted',
      'expired',
      'applied',
      'idle',
    ]);
    expect(await card(page, 'wrong code').locator('.head').innerText()).toContain(
      '✗ waiver expired on 2026-11-01',
    );
    expect(await page.locator('.index li', { hasText: 'wrong code' }).innerText()).toContain(
      '✗ waiver expired on 2026-11-01',
    );
    expect(trouble).toEqual([]);
    await close();
  });

  it('makes a decided finding look decided, wherever it is named', async () => {
    const { page, trouble, close } = await open(browser, url);
    await ready(page);
    const article = card(page, 'did not go down');
    const line = page.locator('.index li', { hasText: 'did not go down' });
    const look = (): Promise<string> =>
      article.evaluate((element) => {
        const { borderLeftColor, backgroundColor } = getComputedStyle(element as never);
        return `${borderLeftColor} ${backgroundColor}`;
      });
    const before = await look();
    await decide(article, 'accept', BY);
    expect(await article.locator('.head').innerText()).toContain('✓ accepted by Grace');
    expect(await line.innerText()).toContain('✓ accepted by Grace');
    expect(await look()).not.toBe(before);
    // It is kept: the same page opened again looks the same.
    await page.reload();
    await ready(page);
    expect(await article.locator('.head').innerText()).toContain('✓ accepted by Grace');
    await article.locator('.review summary').click();
    await article.getByRole('button', { name: 'Undo' }).click();
    expect(await look()).toBe(before);
    expect(await line.innerText()).not.toContain('accepted');
    expect(trouble).toEqual([]);
    await close();
  });

  it('lists the undecided with their number, what has to be decided again first', async () => {
    const { page, close } = await open(browser, url);
    await ready(page);
    const all = await page.locator('article.finding:not(.waived)').count();
    const link = page.getByRole('navigation').getByRole('link', { name: /^Review/ });
    expect(await link.innerText()).toBe(`Review (${all})`);
    await link.click();
    const items = page.locator('#undecided + ol > li');
    await items.first().waitFor();
    expect(await items.count()).toBe(all);
    expect(
      (await items.allInnerTexts()).slice(0, 3).map((text) => text.includes('✗ waiver')),
    ).toEqual([true, true, false]);
    // Decided where it is listed, it goes over to the decided.
    await decide(items.last(), 'dispute', BY);
    expect(await items.count()).toBe(all - 1);
    expect(await page.locator('#undecided').innerText()).toBe(`Undecided: ${all - 1}`);
    expect(await page.evaluate('document.activeElement.id')).toBe('undecided');
    expect(await link.innerText()).toBe(`Review (${all - 1})`);
    expect(await page.locator('#decided + ol > li').innerText()).toContain('? disputed (Grace)');
    await close();
  });

  it('decides an expired waiver anew with its owner and reason, and asks for the day', async () => {
    const { page, close } = await open(browser, url);
    await ready(page);
    const article = card(page, 'wrong code');
    await article.getByText('Review: accept, dispute or waive').click();
    expect(await article.getByLabel('Decision').inputValue()).toBe('waive');
    expect(await article.getByLabel('Owner').inputValue()).toBe('Ada');
    await article.getByRole('button', { name: 'Save' }).click();
    expect(await page.evaluate('document.activeElement.name')).toBe('expires');
    await article.getByLabel('Waived until').fill('2099-12-01');
    await article.getByRole('button', { name: 'Save' }).click();
    expect(await article.locator('.head').innerText()).toContain(
      '~ waived until 2099-12-01 by Ada',
    );
    await close();
  });

  it('copies and downloads the same file, with the waivers that still hold', async () => {
    const { page, close } = await open(browser, url);
    await ready(page);
    await page.evaluate(
      "Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { globalThis.copied = text; } } })",
    );
    await decide(card(page, 'wrong code'), 'waive', { 'Waived until': '2099-12-01' });
    await go(page, '#review');
    const shown = await page.innerText('#review pre.json');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download assay-waivers.json' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('assay-waivers.json');
    const saved = readFileSync(await download.path(), 'utf8');
    const copy = page.getByRole('button', { name: 'Copy: assay-waivers.json' });
    await copy.click();
    expect(await copy.innerText()).toBe('✓ Copied');
    expect(await page.evaluate('globalThis.copied')).toBe(saved);
    expect(saved.trim()).toBe(shown.trim());
    const { waivers } = JSON.parse(saved) as {
      readonly waivers: readonly Readonly<Record<string, string>>[];
    };
    expect(waivers.map(({ id, expires }) => [id, expires])).toEqual([
      ['4.4/volume', '2027-01-01'],
      ['4.3/unlisted', '2099-12-01'],
    ]);
    expect(await page.locator('#review').innerText()).toContain(
      '2 waivers: 1 decided here, 1 kept from this run.',
    );
    await close();
  });
});
