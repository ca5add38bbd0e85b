import { execFile } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { DAY } from '../../src/spec/time.ts';
import { BASE, entry, START } from './harness.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'assay big '));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Candles of a currency listed a month before: one more day every day, none removed. */
const rows = (at: number, currency: number): unknown[] =>
  Array.from({ length: 30 + Math.floor(at / DAY) - Math.floor(START / DAY) }, (_, index) => ({
    timestamp: Math.floor(at / DAY) * DAY - index * DAY,
    open: 91000.5 + currency,
    high: 92000.25 + currency + index,
    low: 90000 + currency,
    close: 91500.75 + currency,
    volume: 1500.125,
  }));

it(
  'NDJSON of more than 200 MB is judged in less than 320 MB of memory',
  { timeout: 300_000 },
  async () => {
    const file = path.join(folder, 'big.ndjson');
    const stream = createWriteStream(file);
    const image = Buffer.alloc(300_000, 'picture').toString('base64');
    let entries = 0;
    let judged = 0;
    for (let bytes = 0; bytes < 205 * 1024 * 1024; entries += 1) {
      const at = START + entries * 4000;
      const isService = entries % 20 !== 0;
      const one = isService
        ? entry({
            url: `${BASE}/currencies/${entries % 7}/klines?interval=1d`,
            at,
            body: rows(at, entries % 7),
          })
        : entry({ url: `https://cdn.example/${entries}.png`, at, key: null, body: image });
      if (isService) judged += 1;
      const text = `${JSON.stringify(one)}\n`;
      bytes += text.length;
      if (!stream.write(text)) await once(stream, 'drain');
    }
    stream.end();
    await once(stream, 'finish');
    expect(statSync(file).size).toBeGreaterThan(200 * 1024 * 1024);
    const main = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));
    const peak = "process.on('exit',()=>console.log('peak '+process.resourceUsage().maxRSS))";
    const preload = `data:text/javascript,${encodeURIComponent(peak)}`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        '--import',
        preload,
        main,
        'check',
        file,
        '--format',
        'json',
        '-o',
        path.join(folder, 'out'),
      ],
      { maxBuffer: 16 * 1024 * 1024 },
    );
    expect(stdout).toContain(`Judged ${judged} of ${entries} recorded entries`);
    expect(stdout).toContain('NO VIOLATION FOUND');
    const kilobytes = Number(/peak (\d+)/.exec(stdout)?.[1]);
    expect(kilobytes).toBeGreaterThan(10_000);
    // 295 to 307 in ten runs, by when garbage is collected; 348 where all of the traffic is judged as one batch.
    expect(kilobytes / 1024).toBeLessThan(320);
  },
);
