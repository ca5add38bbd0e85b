// Checks the built site in a real browser: accessibility (axe) at both widths, light and dark, no request to another origin,
// and that search, filter, sample report and 404 page work.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { BASE, DIST } from './pages.mjs';
import { serveSite } from '../server.mjs';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const CHROMIUM = [
  process.env['ASSAY_CHROMIUM'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((place) => place !== '' && existsSync(place));

/** One page of each type. */
const TYPES = {
  start: '',
  document: 'ci',
  // One section: axe takes 15 seconds for the list of all.
  'list of requirements': 'requirements/4.4/',
  requirement: 'requirements/4.1/pairs-exchange-complete',
  'sample report': 'sample-report',
  'not found': 'no-such-page',
};
const FORMS = [
  [1280, 'light'],
  [1280, 'dark'],
  [360, 'light'],
  [360, 'dark'],
];
const REQUIREMENT = '4.4/t1-completes';
const REPORT = 'reports/sample/report.html';

/** Opens a page and collects its errors. */
async function opened(browser, origin, address, options = {}) {
  const context = await browser.newContext({ bypassCSP: true, ...options });
  const page = await context.newPage();
  const trouble = [];
  const note = (text) => trouble.push(`${address || '/'}: ${text}`);
  page.on('pageerror', (error) => note(`error: ${error.message}`));
  page.on('console', (message) => {
    // Browsers log every 404.
    if (message.type() === 'error' && !message.text().includes('404')) note(message.text());
  });
  page.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(origin))
      note(`requests ${request.url()}`);
  });
  await page.goto(origin + BASE + address);
  // Before the app is mounted, the page does not react to keys and clicks.
  await page.waitForFunction(
    () => globalThis.document.querySelector('#app')?.['__vue_app__'] !== undefined,
  );
  await page.locator('.VPContent').waitFor();
  return { page, trouble, note, close: () => context.close() };
}

/** Checks accessibility and width of a page in each form, without reloading it. */
async function checkLooks(browser, origin, address) {
  const { page, trouble, note, close } = await opened(browser, origin, address, {
    reducedMotion: 'reduce',
  });
  await page.addScriptTag({ path: AXE });
  for (const [width, colorScheme] of FORMS) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    const dark = page.locator('html.dark');
    await dark.waitFor({ state: colorScheme === 'dark' ? 'attached' : 'detached' });
    const { violations } = await page.evaluate(
      (values) => globalThis.axe.run(globalThis.document, { runOnly: { type: 'tag', values } }),
      RULES,
    );
    const form = `${width} px, ${colorScheme}`;
    for (const { id, help, nodes } of violations)
      note(
        `${form}: axe ${id} (${help}): ${nodes
          .map(({ html }) => html)
          .slice(0, 3)
          .join(' ')}`,
      );
    const wide = await page.evaluate(() => globalThis.document.documentElement.scrollWidth);
    if (wide > width) note(`${form}: the page is ${wide} px wide`);
  }
  await close();
  return trouble;
}

/** The search finds a requirement by the second half of its id, using only the keyboard. */
async function checkSearch(browser, origin) {
  const { page, trouble, note, close } = await opened(browser, origin, '');
  await page.keyboard.press('Control+k');
  await page.locator('.VPLocalSearchBox input').fill(REQUIREMENT.split('/')[1]);
  const first = page.locator('.VPLocalSearchBox .result').first();
  await first.waitFor();
  const found = await first.innerText();
  if (!found.includes(REQUIREMENT)) note(`the search finds ${JSON.stringify(found)} first`);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/requirements/${REQUIREMENT}*`, { timeout: 5000 }).catch(() => {
    note('Enter does not open the result');
  });
  await close();
  return trouble;
}

/** The filter narrows the list and is part of the address. */
async function checkFilter(browser, origin) {
  const { page, trouble, note, close } = await opened(browser, origin, 'requirements/?q=limiter');
  const list = page.locator('.requirement-list li');
  const told = await page.locator('.requirement-list output').innerText();
  if (!told.startsWith(`${await list.count()} of `)) note(`the list says ${told}`);
  await page.getByLabel('Words').fill('t1-completes');
  const [only] = await list.allInnerTexts();
  if ((await list.count()) !== 1 || only?.includes(REQUIREMENT) !== true)
    note(`the filter leaves ${await list.count()} requirements`);
  if (!page.url().endsWith('?q=t1-completes')) note(`the address is ${page.url()}`);
  await close();
  return trouble;
}

/** The sample report opens from its page, matches the repository, and runs under its own policy. */
async function checkSample(browser, origin) {
  const { page, trouble, note, close } = await opened(browser, origin, 'sample-report', {
    bypassCSP: false,
  });
  await page.getByRole('link', { name: 'Open the report' }).click();
  await page.locator('html[data-ready]').waitFor({ state: 'attached', timeout: 30_000 });
  if (!page.url().endsWith(`/${REPORT}`)) note(`the link leads to ${page.url()}`);
  const policy = await page
    .locator('meta[http-equiv="Content-Security-Policy"]')
    .getAttribute('content');
  if (policy?.includes("default-src 'none'") !== true) note(`the policy is ${policy}`);
  const own = fileURLToPath(new URL(`../../${REPORT}`, import.meta.url));
  if (!readFileSync(own).equals(readFileSync(path.join(DIST, REPORT))))
    note('the sample differs from the one in the repository');
  await close();
  return trouble;
}

/**
 * Problems in a browser, one line each.
 *
 * @returns {Promise<{ problems: string[], looks: number }>}
 * @throws Error without Chromium
 */
export async function checkInBrowser() {
  if (CHROMIUM === undefined)
    throw new Error(
      'Chromium not found: install it (apt-get install chromium) or set ASSAY_CHROMIUM.',
    );
  const { origin, close } = await serveSite();
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];
  const browser = await chromium.launch({ executablePath: CHROMIUM, args });
  try {
    const tasks = [
      ...Object.values(TYPES).map((address) => () => checkLooks(browser, origin, address)),
      ...[checkSearch, checkFilter, checkSample].map((check) => () => check(browser, origin)),
    ];
    const problems = [];
    const work = async () => {
      for (let task = tasks.shift(); task !== undefined; task = tasks.shift())
        problems.push(...(await task()));
    };
    await Promise.all([work(), work()]);
    return { problems, looks: Object.keys(TYPES).length * FORMS.length };
  } finally {
    await browser.close();
    await close();
  }
}
