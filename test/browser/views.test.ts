import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { renderHtml } from '../../src/report/page/page.tsx';
import type { Results } from '../../src/report/model/results.ts';
import { describeInBrowser, go, launch, open, Pages, ready } from './chromium.ts';
import { makeResults } from '../report/fixture.ts';
import { fullResults, makeLoad } from './reports.ts';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const VIEWS = [
  '#summary',
  '#requirements',
  '#requirements?q=is%3Afailed',
  '#requirements?q=is%3Apassed',
  '#s-2.10',
  '#history',
  '#proof',
  '#behaviour',
  '#changes',
  '#access',
  '#rate-limit',
  '#load',
  '#run',
  '#exchanges',
  '#requirements?q=nothing-like-it',
  '#exchanges?q=nothing-like-it',
  '#review',
  '#legend',
  '#r-4.3/unlisted',
  '#x-x2',
  '#x-x6',
  '#x-x8',
];

/** Runs that leave most of a report empty. */
function empty(what: string): Results {
  const full = makeResults();
  const outcome = what === 'nothing was found' ? ('passed' as const) : ('untested' as const);
  const reason = outcome === 'passed' ? null : 'the target does not answer';
  const requirements = full.requirements.map((one) => ({
    ...one,
    outcome,
    reason,
    findings: [],
    checks: [],
    exchanges: [],
  }));
  const load = what === 'only load was run' ? [makeLoad()] : [];
  return { ...full, requirements, exchanges: [], readings: [], load };
}

/** Every view is looked at by axe in both colour schemes and at both widths; not in every pair of them, as it takes a second each. */
const SCREENS = [
  ['light', 1280, 0],
  ['dark', 1280, 1],
  ['light', 360, 1],
  ['dark', 360, 0],
] as const;

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/**
 * What axe finds on a page, to which its script was added. It also walks through what is not shown, which takes it longer
 * than all the rest, so that `shown` takes the other views out meanwhile.
 */
function axe(page: Page, what: 'all' | 'shown'): Promise<readonly Violation[]> {
  const out = what === 'all' ? '[]' : "[...document.querySelectorAll('main > section')]";
  return page.evaluate<readonly Violation[]>(`(async () => {
    const out = ${out}.filter((one) => !one.checkVisibility());
    const places = out.map(() => document.createComment(''));
    out.forEach((one, index) => one.replaceWith(places[index]));
    const { violations } = await axe.run(document, { runOnly: ${JSON.stringify(RULES)} });
    places.forEach((one, index) => one.replaceWith(out[index]));
    return violations;
  })()`);
}

describeInBrowser('every view, for everybody', () => {
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

  it.each(SCREENS)(
    'has nothing for axe in %s at %i px, and fits the width',
    async (colorScheme, width, first) => {
      // The page's own policy keeps axe out as it keeps out everything else.
      const { page, trouble, close } = await open(browser, url, {
        colorScheme,
        viewport: { width, height: 800 },
        bypassCSP: true,
      });
      await ready(page);
      await page.addScriptTag({ path: AXE });
      const found: string[] = [];
      for (const [index, view] of VIEWS.entries()) {
        await go(page, view);
        const over = await page.evaluate<number>(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        );
        if (over > 0) found.push(`${view} is ${over} px too wide`);
        if (index % 2 !== first) continue;
        // Under the navigation that stays in place, a link would count as too small.
        await page.evaluate("scrollTo({ top: 0, behavior: 'instant' })");
        for (const { id, nodes } of await axe(page, index === first ? 'all' : 'shown')) {
          found.push(
            `${view} ${id}: ${nodes.length} × ${nodes[0]?.html.slice(0, 200) ?? ''} ${nodes[0]?.failureSummary ?? ''}`,
          );
        }
      }
      expect(found).toEqual([]);
      expect(trouble).toEqual([]);
      await close();
    },
  );

  it('is as clean with findings, reviews and details opened', async () => {
    const { page, close } = await open(browser, url, { bypassCSP: true });
    await ready(page);
    await page.addScriptTag({ path: AXE });
    await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
    await page.waitForTimeout(100);
    const violations = await axe(page, 'all');
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)).toEqual([]);
    await close();
  });

  it('would find a defect', async () => {
    const { page, close } = await open(browser, url, { bypassCSP: true });
    await ready(page);
    await page.addScriptTag({ path: AXE });
    await page.evaluate(
      "document.querySelector('main').append(document.createElement('img'), document.createElement('button'))",
    );
    const violations = await axe(page, 'shown');
    expect(violations.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['button-name', 'image-alt']),
    );
    await close();
  });

  it.each([
    ['nothing was judged', 'Nothing was judged.', 0],
    ['nothing was found', 'No violations or warnings: ', 1],
    ['only load was run', 'Load rl-exact', 2],
  ])('has something to say when %s', async (what, words, first) => {
    const page = pages.write(`${what}.html`, renderHtml(empty(what)));
    const tab = await open(browser, page, { bypassCSP: true });
    await ready(tab.page);
    expect(await tab.page.innerText('#summary')).toContain(words);
    await tab.page.addScriptTag({ path: AXE });
    // Wherever a page is scrolled to, a sticky bar covers part of some link, which axe takes for a small one.
    await tab.page.addStyleTag({ content: 'nav { position: static !important; }' });
    for (const [index, view] of VIEWS.entries()) {
      await go(tab.page, view);
      expect((await tab.page.innerText('main')).length).toBeGreaterThan(20);
      if (index % 3 !== first) continue;
      const violations = await axe(tab.page, index === first ? 'all' : 'shown');
      expect(violations.map(({ id, nodes }) => `${view} ${id}: ${nodes[0]?.html ?? ''}`)).toEqual(
        [],
      );
    }
    expect(tab.trouble).toEqual([]);
    await tab.close();
  });

  it.each([
    ['screen', 1280],
    ['screen', 1000],
    ['screen', 800],
    ['screen', 705],
    ['print', 718],
  ] as const)('gives every cell room for its words on %s at %i px', async (media, width) => {
    const viewport = { width, height: 900 };
    const { page, close } = await open(browser, url, { viewport });
    await ready(page);
    const narrow: string[] = [];
    const measure = async (where: string): Promise<void> => {
      narrow.push(
        ...(await page.evaluate<readonly string[]>(
          `[...document.querySelectorAll('main :is(td, th)')].filter((one) => one.checkVisibility() && one.textContent.trim().length > 6 && (one.clientWidth < 40 || one.scrollWidth > one.clientWidth + 1)).map((one) => ${JSON.stringify(where)} + ' ' + one.clientWidth + ': ' + one.textContent.trim().slice(0, 60))`,
        )),
      );
    };
    if (media === 'print') {
      await page.emulateMedia({ media });
      await measure('paper');
    } else {
      for (const view of VIEWS) {
        await go(page, view);
        await measure(view);
      }
    }
    expect(narrow).toEqual([]);
    await close();
  });

  it('says no outcome by colour alone', async () => {
    const { page, close } = await open(browser, url);
    await ready(page);
    for (const view of ['#summary', '#requirements?q=level%3Amust', '#r-4.3/unlisted']) {
      await go(page, view);
      const texts = await page.locator('main .outcome:visible').allTextContents();
      expect(texts.length).toBeGreaterThan(5);
      for (const text of texts) expect(text).toMatch(/^[^\w\s]\s\w+$/);
    }
    await close();
  });

  it('prints findings with their evidence, and the matrix', async () => {
    const { page, close } = await open(browser, url);
    await ready(page);
    await go(page, '#requirements?q=is%3Afailed');
    await page.emulateMedia({ media: 'print' });
    const text = await page.innerText('main');
    for (const words of [
      '7 of 30 musts are violated',
      '400001',
      '2.10/date',
      'Legend and method',
    ]) {
      expect(text).toContain(words);
    }
    expect(await page.locator('nav').isVisible()).toBe(false);
    expect(await page.locator('.place mark').first().isVisible()).toBe(true);
    expect(await page.locator('details.copy').first().isVisible()).toBe(false);
    await page.emulateMedia({ media: 'screen' });
    expect(await page.locator('main > section.view:visible').count()).toBe(1);
    expect((await page.pdf()).length).toBeGreaterThan(10_000);
    await close();
  });
});
