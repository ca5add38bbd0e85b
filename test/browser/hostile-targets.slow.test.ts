import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Results } from '../../src/report/model/results.ts';
import { ATTACKS } from '../hostile/attacks.ts';
import { ECHOES } from '../hostile/echoes.ts';
import { tryBehaviour } from '../hostile/trial.ts';
import { sampleOf } from '../sample.ts';
import { describeInBrowser, go, launch, open, ready } from './chromium.ts';
import { FOREIGN } from './foreign.ts';

/** Echoes whose markup reaches the page, beside all attacks. */
const SHOWN = [
  ...ATTACKS,
  ...ECHOES.filter(({ id }) => ['echo-html', 'echo-error', 'echo-field-name'].includes(id)),
];

const VIEWS = [
  '#summary',
  '#requirements',
  '#behaviour',
  '#access',
  '#rate-limit',
  '#run',
  '#requirements?q=is%3Afailed',
];

describeInBrowser('reports about hostile targets', () => {
  const scratch = mkdtempSync(path.join(tmpdir(), 'assay hostile pages '));
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    rmSync(scratch, { recursive: true, force: true });
  });

  it.each(sampleOf(SHOWN).map((behaviour) => [behaviour.id, behaviour] as const))(
    'run nothing and hold nothing foreign: %s',
    async (_, behaviour) => {
      const { folder, broken } = await tryBehaviour(behaviour, scratch);
      expect(broken.join('\n')).toBe('');
      const results = JSON.parse(
        readFileSync(path.join(folder, 'results.json'), 'utf8'),
      ) as Results;
      const exchanges = results.exchanges.slice(0, 8).map(({ id }) => `#x-${id}`);
      // The script may not run even without the policy: that is the second wall.
      for (const [file, bypassCSP] of [
        ['report.html', false],
        ['report.html', true],
        ['report/index.html', false],
      ] as const) {
        const url = pathToFileURL(path.join(folder, file)).href;
        const { page, trouble, close } = await open(browser, url, { bypassCSP });
        await ready(page);
        for (const view of [...VIEWS, ...exchanges]) {
          await go(page, view);
          const foreign = await page.locator(FOREIGN).count();
          expect({ file, view, foreign }).toEqual({ file, view, foreign: 0 });
        }
        expect(await page.evaluate('globalThis.__pwned')).toBeUndefined();
        expect({ file, trouble }).toEqual({ file, trouble: [] });
        await close();
      }
    },
  );
});
