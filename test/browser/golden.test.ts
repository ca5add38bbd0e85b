import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { renderHtml } from '../../src/report/page/page.tsx';
import type { Results } from '../../src/report/model/results.ts';
import { describeInBrowser, go, launch, open, Pages, ready } from './chromium.ts';
import type { Watched } from './chromium.ts';
import { compare, judge, SAME_DRAWING, take, useSameLetters } from './pictures.ts';
import type { Shot } from './pictures.ts';
import { reviewResults } from './reports.ts';
import { sampleOf } from '../sample.ts';

/** One request more admitted than a window allows, so that the timeline has something to show. */
function overLimit(results: Results): Results {
  const refused = results.exchanges.find(({ response }) => response?.status === 429);
  const found = {
    kind: 'admitted-beyond-limit',
    message: 'The rate limiter admits a request beyond the limit',
    expected: 'status 429 for request 21 of the window',
    actual: 'status 200',
    pointer: null,
    exchange: refused?.id ?? null,
  };
  return {
    ...results,
    requirements: results.requirements.map((one) =>
      one.id === '8/limit-enforced' ? { ...one, outcome: 'failed', findings: [found] } : one,
    ),
    exchanges: results.exchanges.map((one) =>
      one === refused && one.response !== null
        ? { ...one, response: { ...one.response, status: 200, text: '[]', bytes: 2 } }
        : one,
    ),
  };
}

interface Subject extends Shot {
  readonly name: string;
  readonly view: string;
  /** A part without which the picture must count as another one. */
  readonly part: string;
  /** A colour of a status that is in it, and that of another status. */
  readonly colours: readonly [string, string];
}

const SUBJECTS: readonly Subject[] = [
  {
    name: 'first-screen',
    view: '#summary',
    selector: null,
    height: 800,
    part: '.byline',
    colours: ['--failed', '--passed'],
  },
  {
    name: 'finding',
    view: '#summary',
    selector: 'article.finding:has(.compare):visible',
    height: 800,
    part: 'article.finding:has(.compare) .compare',
    colours: ['--failed', '--passed'],
  },
  {
    name: 'timeline',
    view: '#rate-limit',
    selector: '#rate-limit',
    height: 700,
    part: '#rate-limit .windows tbody',
    colours: ['--observed', '--failed'],
  },
  {
    name: 'coverage',
    view: '#summary',
    selector: '#coverage',
    height: 900,
    part: '#coverage .sq.failed',
    colours: ['--passed', '--failed'],
  },
  {
    name: 'load',
    view: '#load',
    selector: '#load',
    height: 900,
    part: '#load .found',
    colours: ['--failed', '--passed'],
  },
];

const WIDTHS = [1280, 390] as const;
const SCHEMES = ['light', 'dark'] as const;
const KINDS = WIDTHS.flatMap((width) => SCHEMES.map((scheme) => [width, scheme] as const));

describeInBrowser('golden pictures', () => {
  const pages = new Pages();
  const url = pages.write('report.html', renderHtml(overLimit(reviewResults())));
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch(SAME_DRAWING);
  });
  afterAll(async () => {
    await browser.close();
    pages.remove();
  });

  async function opened(width: number, colorScheme: 'light' | 'dark'): Promise<Watched> {
    const watched = await open(browser, url, {
      viewport: { width, height: 900 },
      colorScheme,
      deviceScaleFactor: 1,
      reducedMotion: 'reduce',
      locale: 'en-GB',
      timezoneId: 'UTC',
      // For the letters; what the policy forbids is tested elsewhere.
      bypassCSP: true,
    });
    await ready(watched.page);
    await useSameLetters(watched.page);
    return watched;
  }

  /** A picture of the page with one more style, which is taken away again. */
  async function takeWith(page: Page, css: string, shot: Shot): Promise<Buffer> {
    await page.addStyleTag({ content: css });
    const picture = await take(page, shot);
    await page.evaluate('document.head.lastElementChild.remove()');
    return picture;
  }

  it.each(KINDS)('are as they were at %i px, %s', async (width, scheme) => {
    const { page, trouble, close } = await opened(width, scheme);
    const wrong: string[] = [];
    for (const subject of SUBJECTS) {
      await go(page, subject.view);
      const picture = await take(page, subject);
      expect(picture.length).toBeLessThan(80_000);
      wrong.push(judge(`${subject.name}-${width}-${scheme}`, picture) ?? '');
    }
    expect(wrong.filter((one) => one !== '')).toEqual([]);
    expect(trouble).toEqual([]);
    await close();
  });

  it.each(sampleOf(KINDS))(
    'would show what is missing or has another colour at %i px, %s',
    async (width, scheme) => {
      const { page, close } = await opened(width, scheme);
      const unseen: string[] = [];
      for (const subject of SUBJECTS) {
        await go(page, subject.view);
        const kept = await take(page, subject);
        for (const css of [
          `${subject.part} { visibility: hidden !important; }`,
          `${subject.part} { display: none !important; }`,
          `:root { ${subject.colours[0]}: var(${subject.colours[1]}) !important; }`,
        ]) {
          const { tooMuch } = compare(kept, await takeWith(page, css, subject));
          if (tooMuch === null) unseen.push(`${subject.name}: ${css}`);
        }
      }
      expect(unseen).toEqual([]);
      await close();
    },
  );

  it.each(sampleOf(KINDS))(
    'tolerate letters that are drawn in another way at %i px, %s',
    async (width, scheme) => {
      const { page, close } = await opened(width, scheme);
      for (const subject of SUBJECTS) {
        await go(page, subject.view);
        const kept = await take(page, subject);
        // Placed at whole pixels, as where letters are hinted.
        const css = '* { text-rendering: auto !important; }';
        const { share, tooMuch } = compare(kept, await takeWith(page, css, subject));
        expect({ name: subject.name, tooMuch }).toEqual({ name: subject.name, tooMuch: null });
        // Or nothing would have been tried.
        expect(share).toBeGreaterThan(0);
      }
      await close();
    },
  );
});
