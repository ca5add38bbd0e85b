// Writes reports/sample: a report of the reference server with a few faults, compared with an earlier run, with a load
// scenario, and a screenshot. The results are not kept because of their size.
//
// Needs k6, and Chromium for the screenshot.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, mkdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { resolveTarget } from '../dist/src/target/file/resolve-target.js';
import { createReference, movableClock } from '../dist/src/reference/reference.js';
import { earlierRun, historyOf } from '../dist/src/report/analysis/history.js';
import { run } from '../dist/src/run/run.js';
import { withBaseline } from '../dist/src/report/model/diff.js';
import { writeReports } from '../dist/src/report/write.js';

const MONDAY = ['snapshot-high-below-low', 'not-found-details-empty'];
const TUESDAY = [...MONDAY, 'candle-close-above-high'];
const TODAY = [
  'snapshot-high-below-low',
  'candle-close-above-high',
  'auth-header-name',
  'news-matched-null',
  'etf-summary-two-swapped',
  'refusal-message',
];
/** Port of the target in the sample. */
const PORT = 4010;
const sample = fileURLToPath(new URL('../reports/sample/', import.meta.url));
const assay = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

/** One run against a new server, always on the same port. */
async function runWith(faults) {
  const reference = createReference({ seed: 1, clock: movableClock(), control: true, faults });
  const listening = await reference.listen({ port: PORT });
  const file = reference.targetFile(listening.baseUrl);
  // Some key roles are missing, as for most targets: the report shows what is untested.
  const { valid, disabled, restricted } = file.keys;
  const keys = { valid: valid.slice(0, 6), disabled, restricted };
  const target = resolveTarget({ env: {}, file: { ...file, keys } });
  try {
    return await run({
      target,
      reference: false,
      profile: 'standard',
      seed: 1,
      only: [],
      skip: [],
      maxRequests: null,
      path: null,
      failOn: ['must'],
    });
  } finally {
    await listening.close();
  }
}

/** One load scenario against the embedded server, as `assay load` runs it. */
async function loadWith(folder, ...words) {
  const output = path.join(folder, `load-${words.length}`);
  const options = ['--windows', '4', '--window-ms', '4000', '-o', output, '--format', 'json'];
  await new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [assay, 'load', 'rl-exact', ...options, ...words], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child.once('error', reject);
    child.once('exit', resolve);
  });
  const { load } = JSON.parse(await readFile(path.join(output, 'results.json'), 'utf8'));
  return load;
}

/** Results of a run, compared with two earlier runs. */
async function record(folder) {
  const first = await runWith(MONDAY);
  const before = await runWith(TUESDAY);
  const now = await runWith(TODAY);
  const load = [
    ...(await loadWith(folder)),
    ...(await loadWith(folder, '--fault', 'limit-one-more')),
  ];
  const results = withBaseline({ ...now, load }, before);
  return { ...results, history: historyOf(results, [first, before].map(earlierRun)) };
}

async function picture(page) {
  const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync);
  if (executablePath === undefined) {
    process.stderr.write('Chromium not found: reports/sample/report.png was not renewed.\n');
    return;
  }
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const tab = await browser.newPage({
    viewport: { width: 1280, height: 1080 },
    colorScheme: 'light',
  });
  await tab.goto(pathToFileURL(page).href);
  await tab.locator('html[data-ready]').waitFor({ state: 'attached' });
  await tab.screenshot({ path: path.join(sample, 'report.png') });
  await browser.close();
}

const folder = await mkdtemp(path.join(tmpdir(), 'assay-sample-'));
try {
  const results = await record(folder);
  await writeReports(results, folder, ['html', 'md']);
  await mkdir(sample, { recursive: true });
  for (const name of ['report.html', 'summary.md']) {
    await copyFile(path.join(folder, name), path.join(sample, name));
  }
  await picture(path.join(sample, 'report.html'));
  process.stdout.write(`${results.sentence}\nWritten to reports/sample.\n`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
