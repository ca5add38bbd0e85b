import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Results } from '../../src/report/results.ts';
import { sampleCount } from '../sample.ts';
import { disturbed } from '../trust/servers.ts';
import { scratch, start } from './assay.ts';

/** Requests that may be under way when the signal comes, `--concurrency` by default. */
const UNDER_WAY = 6;

describe('a signal in the middle of a run', () => {
  it('ends it in order, whenever it comes', async () => {
    const server = await disturbed((_request, _response, answer) => void setTimeout(answer, 10));
    try {
      const run = (folder: string) =>
        start(['run', '-t', server.target, '--profile', 'smoke', '--output', folder]);
      const begun = Date.now();
      const whole = await run('whole').ended;
      expect(whole.code, whole.text).toBe(0);
      const long = Date.now() - begun;

      const moments = sampleCount(40);
      let inOrder = 0;
      for (let moment = 0; moment < moments; moment += 1) {
        const folder = `signal ${moment}`;
        const before = server.requests();
        const { child, ended } = run(folder);
        await sleep((long * (moment + 0.5)) / moments);
        const sent = server.requests();
        child.kill(moment % 2 === 0 ? 'SIGINT' : 'SIGTERM');
        const { code, text } = await ended;
        const what = `moment ${moment}: code ${code}\n${text}`;
        const file = path.join(scratch, folder, 'results.json');
        if (code === null) {
          // Node itself was still starting: nothing of ours had been loaded, and nothing was sent.
          expect(text, what).toBe('');
          expect(server.requests(), what).toBe(before);
          continue;
        }
        const { verdict } = JSON.parse(readFileSync(file, 'utf8')) as Results;
        // The last moments are after the end on a machine that has become quicker.
        if (code === 0) {
          expect(verdict, what).not.toBe('interrupted');
          continue;
        }
        expect(code, what).toBe(130);
        expect(verdict, what).toBe('interrupted');
        expect(existsSync(path.join(scratch, folder, 'report.html')), what).toBe(true);
        expect(server.requests() - sent, what).toBeLessThanOrEqual(UNDER_WAY);
        inOrder += 1;
      }
      expect(inOrder).toBeGreaterThanOrEqual(moments / 2);
    } finally {
      await server.close();
    }
  });
});
