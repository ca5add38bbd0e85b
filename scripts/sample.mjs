// Regenerates reports/sample: a report of the reference server with a handful of faults, compared with a run before,
// and its picture. Needs a build; the picture needs Chromium.
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { startEmbedded } from '../dist/run/embedded.js';
import { run } from '../dist/run/run.js';
import { withBaseline } from '../dist/report/diff.js';
import { writeReports } from '../dist/report/write.js';

const BEFORE = ['snapshot-high-below-low', 'candle-close-above-high', 'not-found-details-empty'];
const NOW = [
  'snapshot-high-below-low',
  'candle-close-above-high',
  'auth-header-name',
  'news-matched-null',
  'etf-summary-two-swapped',
  'refusal-message',
];
const sample = fileURLToPath(new URL('../reports/sample/', import.meta.url));

async function runWith(faults) {
  const embedded = await startEmbedded({ faults, validKeys: 6 });
  // Not every key role is at hand, as with most targets: the report shows what that leaves open.
  const { valid, disabled, restricted } = embedded.target.keys;
  try {
    return await run({
      target: { ...embedded.target, keys: { valid, disabled, restricted } },
      reference: true,
      profile: 'standard',
      seed: 1,
      only: [],
      skip: [],
      maxRequests: null,
      failOn: ['must'],
    });
  } finally {
    await embedded.close();
  }
}

async function picture(page) {
  const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync);
  if (executablePath === undefined) {
    process.stderr.write('No Chromium, so reports/sample/report.png stays as it was.\n');
    return;
  }
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const tab = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
  await tab.goto(pathToFileURL(page).href);
  await tab.locator('html[data-ready]').waitFor({ state: 'attached' });
  await tab.screenshot({ path: path.join(sample, 'report.png') });
  await browser.close();
}

const before = await runWith(BEFORE);
const results = withBaseline(await runWith(NOW), before);
const folder = await mkdtemp(path.join(tmpdir(), 'assay-sample-'));
await writeReports(results, folder, ['html', 'md']);
await mkdir(sample, { recursive: true });
for (const name of ['report.html', 'summary.md']) {
  await copyFile(path.join(folder, name), path.join(sample, name));
}
await rm(folder, { recursive: true });
await picture(path.join(sample, 'report.html'));
process.stdout.write(`${results.sentence}\nwritten reports/sample\n`);
