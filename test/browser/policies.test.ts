import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { renderHtml, renderHtmlFolder } from '../../src/report/page/page.tsx';
import { describeInBrowser, launch } from './chromium.ts';
import { fullResults } from './reports.ts';

/** What a viewer allows: everything, the styled page, or the text alone. */
type Level = 'full' | 'styled' | 'text';

/** Policies that viewers of build artifacts put on a page, and what each form of the report reaches under them. */
const POLICIES: readonly (readonly [name: string, policy: string, single: Level, folder: Level])[] =
  [
    ['none', '', 'full', 'full'],
    [
      'Jenkins',
      "sandbox allow-same-origin; default-src 'none'; img-src 'self'; style-src 'self';",
      'text',
      'styled',
    ],
    ['own origin only', "default-src 'self'", 'text', 'full'],
    [
      'Gitea',
      "default-src 'none'; script-src 'unsafe-inline' 'self'; style-src 'unsafe-inline' 'self'; connect-src 'none'; sandbox allow-scripts",
      'full',
      'full',
    ],
    ['sandbox with scripts', 'sandbox allow-scripts', 'full', 'full'],
    ['sandbox', 'sandbox', 'styled', 'styled'],
  ];

describeInBrowser('under the policies of viewers', () => {
  const results = fullResults();
  const files = new Map<string, readonly [type: string, text: string]>([
    ['/report.html', ['text/html', renderHtml(results)]],
    ...renderHtmlFolder(results).map(
      ({ name, text }) =>
        [
          `/${name}`,
          [
            name.endsWith('.css')
              ? 'text/css'
              : name.endsWith('.js')
                ? 'text/javascript'
                : 'text/html',
            text,
          ],
        ] as const,
    ),
  ]);
  let policy = '';
  let server: Server;
  let base = '';
  let browser: Browser;
  beforeAll(async () => {
    server = createServer((request, response) => {
      const file = files.get(request.url ?? '');
      response.writeHead(file === undefined ? 404 : 200, {
        'content-type': `${file?.[0] ?? 'text/plain'}; charset=utf-8`,
        ...(policy === '' ? {} : { 'content-security-policy': policy }),
      });
      response.end(file?.[1]);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    server.close();
  });

  async function levelOf(path: string): Promise<Level> {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(base + path);
    // Everything is readable on every level. Without styles the later findings are folded; that unfolds without a script.
    await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
    const text = await page.locator('body').innerText();
    for (const words of ['VIOLATES', 'code 400001', 'Findings']) expect(text).toContain(words);
    const styled = await page.evaluate<string>(
      "getComputedStyle(document.querySelector('.first')).display",
    );
    await page.waitForTimeout(700);
    const ready = await page.locator('html').getAttribute('data-ready');
    if (ready === null) {
      expect(await page.locator('main > section.view').count()).toBeGreaterThan(8);
    } else {
      await page.locator('a[href="#x-x2"]').first().click();
      await page.waitForSelector('[data-evidence="x2"]');
    }
    await context.close();
    return ready !== null ? 'full' : styled === 'grid' ? 'styled' : 'text';
  }

  it.each(POLICIES)('%s', async (_name, wanted, single, folder) => {
    policy = wanted;
    expect({ single: await levelOf('/report.html'), folder: await levelOf('/index.html') }).toEqual(
      {
        single,
        folder,
      },
    );
  });
});
