import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { describe } from 'vitest';

/** Where Debian and others put it; `ASSAY_CHROMIUM` names another one. */
const PLACES = [
  process.env['ASSAY_CHROMIUM'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const found = PLACES.find((place) => place !== '' && existsSync(place));

if (found === undefined) {
  const words =
    'No Chromium was found: install it (apt-get install chromium) or set ASSAY_CHROMIUM.';
  if (process.env['CI'] !== undefined && process.env['CI'] !== '') throw new Error(words);
  process.stderr.write(`\n!!! The browser tests of the report are SKIPPED. ${words}\n\n`);
}

/** `describe` for tests that need a browser: skipped loudly without one, failed in continuous integration. */
export const describeInBrowser = found === undefined ? describe.skip : describe;

/** A browser of its own, with an empty profile and without any network of its own; `more` are further arguments. */
export function launch(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: found ?? '',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...more,
    ],
  });
}

/** A folder for the pages of one test file. */
export class Pages {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'assay-pages-'));

  /** Writes a page and gives its address. */
  write(name: string, text: string): string {
    const file = path.join(this.folder, name);
    writeFileSync(file, text);
    return pathToFileURL(file).href;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A page together with everything that should not happen on it. */
export interface Watched {
  readonly page: Page;
  /** Errors of scripts, refused policies, dialogs, requests to anywhere but the page's own files. */
  readonly trouble: string[];
  close(): Promise<void>;
}

/** Opens a page of ours and watches it. */
export async function open(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Watched> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const trouble: string[] = [];
  const own = url.slice(0, url.lastIndexOf('/') + 1);
  page.on('pageerror', (error) => trouble.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) trouble.push(`console: ${message.text()}`);
  });
  page.on('dialog', (dialog) => {
    trouble.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(own)) trouble.push(`request: ${request.url()}`);
  });
  await page.goto(url);
  return { page, trouble, close: () => context.close() };
}

/**
 * Waits until the explorer runs, and gives the time that took from the start of navigation, ms. Selectors and not
 * functions are waited for: polling a function needs `eval`, which the policy of the page forbids.
 */
export async function ready(page: Page): Promise<number> {
  const html = page.locator('html[data-ready], html[data-failed]');
  await html.waitFor({ state: 'attached', timeout: 30_000 });
  const failed = await html.getAttribute('data-failed');
  if (failed !== null) throw new Error(`the explorer did not start: ${failed}`);
  return Number(await html.getAttribute('data-ready'));
}

/** Goes to a fragment and waits until its view stands. */
export async function go(page: Page, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
  );
  await page.getByText('Reading the evidence…').waitFor({ state: 'detached' });
}
