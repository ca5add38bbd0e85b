import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Results } from '../../src/report/model/results.ts';
import { sampleCount } from '../sample.ts';
import { disturbed } from '../trust/servers.ts';
import { scratch, start, type Ended } from './assay.ts';
import { hasTerminal, startInTerminal } from './terminal.ts';

/** Requests that may be in flight at the signal, `--concurrency` by default. */
const UNDER_WAY = 6;

if (!hasTerminal) {
  console.warn('\nSKIPPED: signals in a terminal were not tried. It needs Linux and `script`.\n');
}

/** One report is enough to see that there are reports. */
const SMALL = ['--profile', 'smoke', '--format', 'html'];

/** A run stopped by alternating signals, or by hand. */
interface Stoppable {
  stop(moment: number): void;
  readonly ended: Promise<Ended>;
}

const piped = (args: readonly string[]): Stoppable => {
  const { child, ended } = start(args);
  return { stop: (moment) => void child.kill(moment % 2 === 0 ? 'SIGINT' : 'SIGTERM'), ended };
};

const inTerminal = (args: readonly string[]): Stoppable => {
  const { type, signal, ended } = startInTerminal(args);
  return {
    stop: (moment) => {
      if (moment % 2 === 0) type('\u0003');
      else signal('SIGTERM');
    },
    ended,
  };
};

/** Results of a process stopped while Node starts: by signal, as reported by a shell, or no process yet. */
const NOT_YET: readonly (number | null)[] = [null, 130, 143];

describe('a signal in the middle of a run', () => {
  it.for([
    ['without a terminal', piped, true, 0],
    // Input typed before a program has the terminal is lost.
    ['in a terminal', inTerminal, hasTerminal, 1],
  ] as const)(
    'ends it in order, whenever it comes: %s',
    async ([where, begin, possible, least], { skip }) => {
      skip(!possible);
      let stopped = false;
      // The server stops answering at the signal, so the number of later requests is not a race.
      const server = await disturbed(
        (_request, _response, answer) =>
          void setTimeout(() => {
            if (!stopped) answer();
          }, 10),
      );
      try {
        const run = (folder: string): Stoppable =>
          begin(['run', '-t', server.target, ...SMALL, '--output', folder]);
        // Signals are spread over the requests of an uninterrupted run, so that none depends on the speed of the machine.
        const whole = await run(`whole ${where}`).ended;
        expect(whole.code, whole.text).toBe(0);
        const all = server.requests();

        const moments = sampleCount(40);
        for (let moment = 0; moment < moments; moment += 1) {
          const folder = `signal ${where} ${moment}`;
          const before = server.requests();
          const { stop, ended } = run(folder);
          const due = before + Math.max(least, Math.floor((all * moment) / moments));
          while (server.requests() < due) await sleep(5);
          const sent = server.requests();
          stopped = true;
          stop(moment);
          const { code, text } = await ended;
          stopped = false;
          const what = `moment ${moment}: code ${code}\n${text}`;
          const file = path.join(scratch, folder, 'results.json');
          if (NOT_YET.includes(code) && !existsSync(file)) {
            // Node was still starting: Assay was not loaded and sent nothing.
            expect(text.replaceAll('^C', '').trim(), what).toBe('');
            expect(server.requests(), what).toBe(before);
            continue;
          }
          const { verdict } = JSON.parse(readFileSync(file, 'utf8')) as Results;
          expect(code, what).toBe(130);
          expect(verdict, what).toBe('interrupted');
          expect(existsSync(path.join(scratch, folder, 'report.html')), what).toBe(true);
          expect(server.requests() - sent, what).toBeLessThanOrEqual(UNDER_WAY);
        }
      } finally {
        await server.close();
      }
    },
  );
});
