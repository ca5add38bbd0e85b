import type { Browser, BrowserContextOptions } from 'playwright-core';
import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { groupCauses } from '../../src/report/analysis/causes.ts';
import { renderHtml } from '../../src/report/page/page.tsx';
import { titleOf } from '../../src/report/model/head.ts';
import type { Results } from '../../src/report/model/results.ts';
import { message } from '../../src/report/page/view/parts.tsx';
import { describeInBrowser, go, launch, open, Pages, ready } from './chromium.ts';
import { crowdedResults, fullResults, greenResults, reviewResults } from './reports.ts';

/** Causes that the summary names; of more it gives the number. */
const NAMED = 12;

/** Without spaces: where a line of a PDF ends, its text may have one or none. */
const dense = (text: string): string => text.replaceAll(/\s+/g, '');

describeInBrowser('on paper', () => {
  const pages = new Pages();
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    pages.remove();
  });

  /** The text of each page, as it comes out when the report is printed while `view` is open. */
  async function print(
    results: Results,
    view = '',
    options: BrowserContextOptions = {},
  ): Promise<readonly string[]> {
    const url = pages.write('report.html', renderHtml(results));
    const { page, trouble, close } = await open(browser, url, options);
    if (options.javaScriptEnabled !== false) {
      await ready(page);
      await go(page, view);
    }
    const pdf = await getDocumentProxy(new Uint8Array(await page.pdf({ preferCSSPageSize: true })));
    const { text } = await extractText(pdf, { mergePages: false });
    expect(trouble).toEqual([]);
    await close();
    return text;
  }

  /** Pages of the summary; what follows must begin a page with the findings. */
  function summaryOf(paper: readonly string[]): readonly string[] {
    const findings = paper.findIndex((text) => /\nFindings by cause: \d+ violation/.test(text));
    expect(findings).toBeGreaterThan(0);
    expect(paper[findings]).toMatch(
      /^Page \d+ of \d+\s*Assay conformance report\s*\nFindings by cause: /,
    );
    return paper.slice(0, findings);
  }

  it.each([
    ['violates, with its script', reviewResults, true],
    ['violates, without its script', reviewResults, false],
    ['has a first screen as full as it gets', crowdedResults, true],
    ['conforms', greenResults, true],
  ] as const)(
    'begins with at most two pages of summary: a run that %s',
    async (_, make, script) => {
      const results = make();
      const paper = await print(results, '', { javaScriptEnabled: script });
      const summary = summaryOf(paper);
      expect(summary.length).toBeLessThanOrEqual(2);
      const text = dense(summary.join(''));
      const causes = groupCauses(results).slice(0, NAMED);
      for (const words of [
        titleOf(results),
        results.sentence,
        ...causes.map((cause) => message(cause.message, 160)),
        'Findings',
        'One square per requirement',
        'Not verified: ',
      ]) {
        expect(text).toContain(dense(words));
      }
      for (const [index, one] of paper.entries()) {
        expect(one).toContain(`Page ${index + 1} of ${paper.length}`);
      }
    },
  );

  /** What comes out when no view was opened before. */
  let plain: Promise<readonly string[]> | undefined;
  const plainly = (): Promise<readonly string[]> => (plain ??= print(fullResults()));

  it('shows evidence that is folded on a screen', async () => {
    const rest = (await plainly()).slice(2).join('\n');
    for (const words of ['Request headers (2)', '"code": 400003', 'Usual causes']) {
      expect(rest).toContain(words);
    }
    expect(rest).not.toContain('Copy');
  });

  it.each(['#exchanges', '#requirements?q=is%3Afailed', '#r-4.3/unlisted', '#x-x2', '#review'])(
    'is the whole report when %s is open',
    async (view) => {
      expect(await print(fullResults(), view)).toEqual(await plainly());
    },
  );

  it('keeps the colours of a bright page', async () => {
    const url = pages.write('report.html', renderHtml(fullResults()));
    const styles = async (options: BrowserContextOptions, media: 'print' | 'screen') => {
      const { page, close } = await open(browser, url, options);
      await page.emulateMedia({ media, colorScheme: options.colorScheme ?? null });
      const seen = await page.evaluate<readonly string[]>(
        `['.verdict', '.verdict .word', '.sq.failed', '.sq.passed', '.compare .actual'].map((one) => {
          const { color, backgroundColor } = getComputedStyle(document.querySelector(one));
          return color + ' on ' + backgroundColor;
        })`,
      );
      const exact = await page.evaluate<boolean>(
        "[...document.querySelectorAll('main *')].every((one) => getComputedStyle(one).printColorAdjust === 'exact')",
      );
      await close();
      return { seen: seen.slice(1), exact };
    };
    const bright = await styles({ colorScheme: 'light' }, 'screen');
    for (const colorScheme of ['light', 'dark'] as const) {
      const { seen, exact } = await styles({ colorScheme }, 'print');
      expect(exact).toBe(true);
      expect(seen.slice(0, 3)).toEqual(bright.seen.slice(0, 3));
    }
  });
});
