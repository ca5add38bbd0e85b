import type { Server } from 'node:http';
import axe from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listenAt } from '../../src/run/listen-address.ts';
import { livePage, type Shown } from '../../src/watch/live-page.ts';
import { describeInBrowser, launch } from './chromium.ts';

const HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=1</script>\u202e';

/** A state in which everything that comes from a target or a client is hostile. */
const STATE: Shown = {
  at: new Date().toISOString(),
  since: new Date().toISOString(),
  baseUrl: `http://127.0.0.1/${HOSTILE}`,
  verdict: 'violates',
  sentence: HOSTILE,
  exchanges: { passed: 12, judged: 10, waiting: 1, leftOut: [{ reason: HOSTILE, count: 1 }] },
  statuses: { '2xx': 9, '4xx': 3 },
  findings: [
    {
      at: new Date().toISOString(),
      requirement: '4.3/order',
      level: 'must',
      message: HOSTILE,
      expected: HOSTILE,
      actual: HOSTILE,
      exchange: 'x7',
    },
  ],
  keys: [
    {
      key: 'k:01234567',
      role: 'valid',
      isTold: false,
      requests: 12,
      accepted: 9,
      limited: 0,
      unauthorized: 0,
      forbidden: 0,
      clients: 2,
    },
  ],
  sampled: 5,
  isSampling: true,
  connections: 2,
};

describeInBrowser('the live page of a watch', () => {
  let browser: Browser;
  let page: Server;
  let address = '';
  let state = STATE;
  beforeAll(async () => {
    browser = await launch();
    page = livePage({
      shown: () => Promise.resolve(state),
      evidence: () => Promise.resolve('{"a":1}'),
    });
    const { port } = await listenAt(page, { host: '127.0.0.1', port: 0 });
    address = `http://127.0.0.1:${port}/`;
  });
  afterAll(async () => {
    await browser.close();
    page.close();
    page.closeAllConnections();
  });

  it.each(['light', 'dark'] as const)(
    'follows what happens, runs nothing of the target, and can be read by everybody (%s)',
    async (colorScheme) => {
      const context = await browser.newContext({ colorScheme, bypassCSP: false });
      const tab = await context.newPage();
      const complaints: string[] = [];
      tab.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      tab.on('pageerror', (error) => complaints.push(error.message));
      state = STATE;
      await tab.goto(address);
      await tab.getByText('VIOLATES').waitFor();
      expect(await tab.title()).toBe('assay watch');
      expect(await tab.locator('img').count()).toBe(0);
      expect(await tab.locator('.findings td').nth(1).textContent()).toContain('<img src=x');
      expect(await tab.locator('#summary').textContent()).toContain('behind');
      expect(await tab.locator('.keys td').first().textContent()).toBe('valid (inferred)');
      // It goes on by itself.
      state = { ...STATE, verdict: 'no-violation', isSampling: false };
      await tab.getByText('NO VIOLATION FOUND').waitFor();
      expect(complaints).toEqual([]);
      // The policy of the page lets no script in, so the one that looks is brought in past it.
      const looked = await browser.newContext({ colorScheme, bypassCSP: true });
      const other = await looked.newPage();
      await other.goto(address);
      await other.getByText('NO VIOLATION FOUND').waitFor();
      await other.addScriptTag({ content: axe.source });
      const { violations } = (await other.evaluate('axe.run()')) as {
        violations: { id: string; nodes: unknown[] }[];
      };
      expect(violations.map(({ id }) => id)).toEqual([]);
      await context.close();
      await looked.close();
    },
  );
});
