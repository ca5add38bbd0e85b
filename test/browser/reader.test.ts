import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { renderHtml, renderHtmlFolder } from '../../src/report/page/page.tsx';
import { describeInBrowser, go, launch, open, Pages, ready } from './chromium.ts';
import { fullResults, reviewResults } from './reports.ts';

describeInBrowser('a reviewer', () => {
  const pages = new Pages();
  const url = pages.write('report.html', renderHtml(fullResults()));
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    pages.remove();
  });

  async function start(
    hash = '',
  ): Promise<{ page: Page; trouble: string[]; close: () => Promise<void> }> {
    const watched = await open(browser, url + hash);
    await ready(watched.page);
    return watched;
  }

  it('sees what is violated and whether it is new, without a click', async () => {
    const { page, trouble, close } = await start();
    const first = await page.innerText('#summary');
    expect(first).toContain('7 of 30 musts are violated');
    expect(first).toContain('GET /etfs/summary-history answers with the wrong code');
    expect(await page.locator('.index li', { hasText: 'wrong code' }).innerText()).toContain('new');
    expect(first).toMatch(/\+ \d+ new violations?/);
    expect(first).toContain('Since 20 Nov 2026');
    expect(trouble).toEqual([]);
    await close();
  });

  it('sees with one click what was sent and received, the failing place marked', async () => {
    const { page, close } = await start();
    await page
      .locator('article.finding', { hasText: 'wrong code' })
      .locator('a[href="#x-x2"]')
      .first()
      .click();
    await page.waitForSelector('[data-evidence="x2"]');
    const text = await page.innerText('#evidence');
    expect(text).toContain(
      'GET https://staging.example/v1/etfs/summary-history?symbol=LTC&country_code=HK',
    );
    expect(text).toContain('Status 400');
    expect(await page.locator('mark').allTextContents()).toContain('  "code": 400003,');
    expect(text).toContain('Response in the earlier run: status 200');
    await close();
  });

  it('goes from a refused request to its control', async () => {
    const { page, close } = await start('#x-x2');
    const control = page.locator('#evidence p', { hasText: 'differs in symbol, and succeeds.' });
    await control.getByRole('link').click();
    await page.locator('#evidence .panel', { hasText: 'Status 200' }).waitFor();
    await close();
  });

  it('sees with one click what was not checked and what would change it', async () => {
    const { page, close } = await start();
    await page.getByRole('link', { name: 'Not verified: reasons and next steps' }).click();
    const table = page.locator('table.gaps');
    expect(await table.isVisible()).toBe(true);
    expect(await table.innerText()).toContain('keys.expired');
    expect(await page.evaluate('document.activeElement.id')).toBe('not-verified');
    await close();
  });

  it('copies how to reproduce it, an issue and a link from one menu, and sees that it did', async () => {
    const { page, close } = await start();
    await page.evaluate(
      "Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { globalThis.copied = text; } } })",
    );
    const article = page.locator('article.finding', { hasText: 'wrong code' });
    const menu = article.locator('details.copy');
    await menu.locator('summary').click();
    const copied = async (label: string): Promise<string> => {
      await menu.getByRole('button', { name: `Copy: ${label}` }).click();
      await menu.getByText('✓ Copied').last().waitFor();
      return page.evaluate<string>('globalThis.copied');
    };
    expect(await copied('Repeat the request')).toMatch(
      /^curl .*X-API-KEY: \$\{ASSAY_API_KEY%%,\*\}.*summary-history\?symbol=LTC&country_code=HK'?$/,
    );
    expect(await copied('Rerun the check')).toBe(
      'assay run --base-url https://staging.example/v1 --seed 7 --only 4.3/unlisted',
    );
    const issue = await copied('Markdown for an issue');
    for (const words of ['code 400001', 'curl -sS', 'HTTP 400', '"code": 400003'])
      expect(issue).toContain(words);
    const link = await copied('Link to this finding');
    expect(link).toBe(`${page.url().replace(/#.*$/, '')}#${await article.getAttribute('id')}`);
    await close();
  });

  it('keeps the filter in the address, and the back button works', async () => {
    const { page, close } = await start();
    await page.getByRole('navigation').getByRole('link', { name: 'Requirements' }).click();
    await page.getByLabel('Search').fill('is:failed 4.3');
    await page.waitForURL(({ hash }) => hash === '#requirements?q=is%3Afailed+4.3');
    const shown = (tab: Page): Promise<readonly string[]> =>
      tab.locator('#requirements tr[id]:visible').allInnerTexts();
    const rows = await shown(page);
    expect(rows.length).toBeGreaterThan(1);
    for (const row of rows) expect(row).toMatch(/failed[^]*4\.3\//);
    await page.locator('#requirements td a[href^="#x-"]:visible').first().click();
    await page.locator('[data-evidence]').waitFor();
    await page.goBack();
    await page.waitForURL(({ hash }) => hash.startsWith('#requirements'));
    expect(await page.getByLabel('Search').inputValue()).toBe('is:failed 4.3');
    const again = await open(browser, page.url());
    await ready(again.page);
    expect(await shown(again.page)).toEqual(rows);
    await again.close();
    await close();
  });

  it('follows a deep link to everything', async () => {
    const { page, close } = await start();
    for (const [hash, words] of [
      ['#r-2.2/price', 'price" is null'],
      ['#x-x6', 'no answer within 10000 ms'],
      ['#x-none', 'This report does not contain #x-none'],
      ['#s-4.3', 'ETF summary history'],
      ['#readings', 'Order of klines'],
      ['#changes-new-violation', 'new violation'],
      ['#not-there', 'This report does not contain #not-there'],
      ['#f-nope', 'This report does not contain #f-nope'],
      ['#r-9.9/none', 'This report does not contain #r-9.9/none'],
      ['#%E0%A4%A', 'This report does not contain'],
    ] as const) {
      await go(page, hash);
      await page.locator('main', { hasText: words }).waitFor({ timeout: 3_000 });
      expect(await page.title()).toMatch(/\S: \S/);
    }
    await close();
  });

  it('comes back to the same place, with the same parts open, and goes on from there', async () => {
    const { page, close } = await start();
    const article = page.locator('article.finding:has(a[href^="#x-"])').nth(1);
    await article.scrollIntoViewIfNeeded();
    const details = article.locator('.folds details').first();
    await details.locator('summary').first().click();
    const link = article.locator('a[href^="#x-"]').first();
    await link.scrollIntoViewIfNeeded();
    const before = await page.evaluate<number>('scrollY');
    expect(before).toBeGreaterThan(100);
    await link.click();
    await page.locator('[data-evidence]').waitFor();
    const other = page.locator('#evidence .ids a').first();
    const first = await other.innerText();
    await other.click();
    await page.locator('tr.detail').waitFor();
    expect(page.url()).toContain(first);
    await page.goBack();
    await page.locator('[data-evidence]').waitFor();
    await page.goBack();
    await article.waitFor();
    await expect.poll(() => page.evaluate<number>('scrollY')).toBe(before);
    expect(await details.getAttribute('open')).not.toBeNull();
    expect(await page.evaluate('document.activeElement.getAttribute("href")')).toBe(
      await link.getAttribute('href'),
    );
    await close();
  });

  it('shows a body raw without a changed digit, and saves and copies it', async () => {
    const { page, close } = await start('#x-x4');
    await page.waitForSelector('[data-evidence="x4"]');
    expect(await page.innerText('#evidence pre.json')).toContain('"price": "64000.10"');
    await page.getByRole('button', { name: 'Raw' }).click();
    expect(await page.innerText('#evidence pre.json')).toBe(
      '{"price":"64000.10","change_pct_24h":null,"note":"harmless"}',
    );
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save body' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('x4-body.txt');
    await close();
  });

  it('waives a finding and takes the waiver file away', async () => {
    const { page, close } = await start();
    const article = page.locator('article.finding', { hasText: 'wrong code' });
    await article.getByText('Review: accept, dispute or waive').click();
    await article.getByLabel('Decision').selectOption('waive');
    await article.getByRole('button', { name: 'Save' }).click();
    // The browser asks for what is missing; blanks are no answer.
    expect(await page.evaluate('document.activeElement.name')).toBe('owner');
    await article.getByLabel('Owner').fill('  ');
    await article.getByRole('button', { name: 'Save' }).click();
    expect(await page.evaluate('document.activeElement.name')).toBe('owner');
    await article.getByLabel('Owner').fill('Ada');
    await article.getByLabel('Reason').fill('the fix ships with release 12');
    await article.getByLabel('Waived until').fill('2020-12-01');
    await article.getByRole('button', { name: 'Save' }).click();
    expect(await page.evaluate('document.activeElement.validity.rangeUnderflow')).toBe(true);
    await article.getByLabel('Waived until').fill('2099-12-01');
    await article.getByRole('button', { name: 'Save' }).click();
    await go(page, '#review');
    const file = JSON.parse(await page.innerText('#review pre.json')) as {
      readonly waivers: readonly Readonly<Record<string, string>>[];
    };
    // The waiver of the run that still holds is in the file, too.
    expect(file.waivers.map(({ id }) => id)).toEqual(['4.4/volume', '4.3/unlisted']);
    const [, made] = file.waivers;
    expect(made).toMatchObject({ owner: 'Ada', expires: '2099-12-01' });
    expect(made?.['evidence']).toMatch(/^e2-[0-9a-f]{16}$/);
    await close();
  });

  it('goes from a contradiction of the specification to an exchange that shows a form, and back', async () => {
    const { page, close } = await open(
      browser,
      pages.write('forms.html', renderHtml(reviewResults())),
    );
    await ready(page);
    await go(page, '#behaviour');
    const row = page.locator('table.contradictions tbody tr', { hasText: '7/code-form' });
    const [first, second] = [row.locator('td').nth(0), row.locator('td').nth(1)];
    expect(await first.innerText()).toMatch(/six digits[^]*§7[^]*seen 2 times: x2, x3/);
    expect(await second.innerText()).toMatch(/five digits[^]*§7[^]*seen 1 time: x60/);
    await second.getByRole('link', { name: 'x60' }).click();
    await page.waitForSelector('[data-evidence="x60"]');
    await page.goBack();
    await row.waitFor();
    // What is told of a contradiction is not told a second time, where the text is silent.
    expect(await page.locator('table.readings').innerText()).not.toContain('error codes');
    await close();
  });

  it.each([true, false])(
    'reads a finding on a phone in half a screen, the reasons folded (script: %s)',
    async (javaScriptEnabled) => {
      const phone = { viewport: { width: 390, height: 844 }, javaScriptEnabled };
      const { page, close } = await open(browser, url, phone);
      if (javaScriptEnabled) await ready(page);
      const article = page.locator('article.finding').first();
      const reason = article.locator('.advice').first();
      const height = await article.evaluate(
        (element) => (element as unknown as { offsetHeight: number }).offsetHeight,
      );
      expect(height).toBeLessThan(350);
      expect(await reason.isVisible()).toBe(false);
      await article.getByText('Why it matters').first().click();
      expect(await reason.isVisible()).toBe(true);
      // Where there is room nothing is folded, and nothing says that it could be.
      await page.setViewportSize({ width: 1280, height: 800 });
      const other = page.locator('article.finding:has(.advice)').nth(1);
      expect(await other.locator('.advice').first().isVisible()).toBe(true);
      expect(await other.locator('.why > summary').isVisible()).toBe(false);
      await close();
    },
  );

  it('gets everywhere with the keyboard alone', async () => {
    const { page, close } = await start();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
    await page.keyboard.press('/');
    await page.waitForSelector('.search-field:focus');
    await page.keyboard.type('is:failed unlisted');
    await page.locator('#requirements tr[id]:visible').nth(2).waitFor({ state: 'detached' });
    await page.locator('#requirements th a.id:visible').first().focus();
    await page.keyboard.press('Enter');
    await page.locator('tr.detail', { hasText: 'Rerun' }).waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('r-4.3/unlisted');
    await close();
  });
});

describeInBrowser('without a script', () => {
  const pages = new Pages();
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    pages.remove();
  });

  it.each(['one file', 'a folder'])('%s is readable as it stands', async (form) => {
    const results = fullResults();
    let url = '';
    if (form === 'one file') url = pages.write('report.html', renderHtml(results));
    else
      for (const { name, text } of renderHtmlFolder(results)) {
        const written = pages.write(name, text);
        if (name === 'index.html') url = written;
      }
    const { page, trouble, close } = await open(browser, url, { javaScriptEnabled: false });
    const text = await page.innerText('body');
    for (const words of [
      'VIOLATES',
      '7 of 30 musts are violated',
      'Expected',
      'code 400001',
      'keys.expired',
      'Order of klines',
      '21 were admitted',
      'new violation',
      'Legend and method',
    ]) {
      expect(text).toContain(words);
    }
    // What passed is folded.
    expect(await page.textContent('body')).toContain('2.10/date');
    // Evidence of a finding opens without a script, too.
    const details = page.locator('details[id="x-x2"]');
    await details.locator('summary').first().click();
    expect(await details.locator('mark').innerText()).toContain('400003');
    expect(trouble).toEqual([]);
    await close();
  });
});
