import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createReference, movableClock } from '../../src/reference/reference.ts';
import type { Results, WaiverResult } from '../../src/report/model/results.ts';
import { assay } from '../cli/assay.ts';
import { describeInBrowser, go, launch, open, ready } from './chromium.ts';
import { WORLD } from '../kept/data.ts';

/** What became of a run of the two requirements that the faults of this test break. */
interface Run {
  readonly exitCode: number | null;
  readonly text: string;
  readonly results: Results;
}

describeInBrowser('a review, from the finding to the gate', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-review-'));
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs `assay` against a reference server with these faults. */
  async function judged(
    name: string,
    faults: readonly string[],
    ...words: readonly string[]
  ): Promise<Run> {
    const reference = createReference({
      world: WORLD,
      clock: movableClock(),
      control: true,
      faults,
    });
    const listening = await reference.listen();
    const target = path.join(folder, 'target.json');
    writeFileSync(target, JSON.stringify(reference.targetFile(listening.baseUrl)));
    const output = path.join(folder, name);
    const only = ['--only', '4.3/symbol-enum', '--format', 'html,json'];
    try {
      const run = ['run', '--target', target, '--output', output, ...only, ...words];
      const { code: exitCode, text } = await assay(run);
      const results = JSON.parse(
        readFileSync(path.join(output, 'results.json'), 'utf8'),
      ) as Results;
      return { exitCode, text, results };
    } finally {
      await listening.close();
    }
  }

  const stateOf = ({ results }: Run): WaiverResult['state'] | undefined =>
    results.waivers?.[0]?.state;

  it('waives a violation in the report; the gate passes until the day, the evidence or the defect changes', async () => {
    const first = await judged('first', ['summary-symbol-code']);
    expect(first.exitCode).toBe(1);

    const { page, close } = await open(
      browser,
      pathToFileURL(path.join(folder, 'first', 'report.html')).href,
    );
    await ready(page);
    const article = page.locator('article.finding');
    await article.getByText('Review: accept, dispute or waive').click();
    await article.getByLabel('Decision').selectOption('waive');
    await article.getByLabel('Owner').fill('Ada');
    await article.getByLabel('Reason').fill('the fix ships with release 12');
    await article.getByLabel('Ticket').fill('MD-12');
    await article.getByLabel('Waived until').fill('2099-12-01');
    await article.getByRole('button', { name: 'Save' }).click();
    await go(page, '#review');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download assay-waivers.json' }).click(),
    ]);
    const waivers = path.join(folder, 'assay-waivers.json');
    await download.saveAs(waivers);
    await close();

    const waived = await judged('waived', ['summary-symbol-code'], '--waivers', waivers);
    expect(stateOf(waived)).toBe('applied');
    expect(waived.results.summary.must).toMatchObject({ failed: 0, waived: 1 });
    // The only requirement of this run is set aside, so nothing verified is left: that is no success either.
    expect(waived.exitCode).not.toBe(1);

    const fixed = await judged('fixed', [], '--waivers', waivers);
    expect([fixed.exitCode, stateOf(fixed)]).toEqual([1, 'unmatched']);

    const other = await judged('other', ['summary-symbol-any'], '--waivers', waivers);
    expect([other.exitCode, stateOf(other)]).toEqual([1, 'drifted']);

    const old = path.join(folder, 'old.json');
    writeFileSync(old, readFileSync(waivers, 'utf8').replaceAll('2099-12-01', '2020-12-01'));
    const expired = await judged('expired', ['summary-symbol-code'], '--waivers', old);
    expect([expired.exitCode, stateOf(expired)]).toEqual([1, 'expired']);

    const shown = await open(
      browser,
      pathToFileURL(path.join(folder, 'expired', 'report.html')).href,
    );
    await ready(shown.page);
    await go(shown.page, '#waivers');
    expect(await shown.page.locator('#run').innerText()).toMatch(/✗ expired[^]*Ada[^]*MD-12/);
    await shown.close();
  });

  it('takes accepted and disputed findings along without changing how a run comes out', async () => {
    const first = await judged('again', ['summary-symbol-code']);
    const { page, close } = await open(
      browser,
      pathToFileURL(path.join(folder, 'again', 'report.html')).href,
    );
    await ready(page);
    const article = page.locator('article.finding');
    await article.getByText('Review: accept, dispute or waive').click();
    await article.getByLabel('Decision').selectOption('dispute');
    await article.getByLabel('Owner').fill('Grace');
    await article.getByLabel('Reason').fill('the client never sends it');
    await article.getByRole('button', { name: 'Save' }).click();
    await go(page, '#review');
    const file = path.join(folder, 'disputed.json');
    writeFileSync(file, await page.innerText('#review pre.json'));
    await close();
    const again = await judged('disputed', ['summary-symbol-code'], '--waivers', file);
    expect(again.exitCode).toBe(first.exitCode);
    expect(again.results.summary).toEqual(first.results.summary);
    expect(readFileSync(file, 'utf8')).toContain('the client never sends it');
  });
});
