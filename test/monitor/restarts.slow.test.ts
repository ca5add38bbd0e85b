// Whatever ends a monitor, the next one in the same folder goes on: nothing is spent twice or forgotten, and no turn is told
// twice or lost.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { sampleCount } from '../sample.ts';
import { assay, scratch, start } from '../cli/assay.ts';
import { drawn } from '../resume/counting.ts';
import { accountIn, countedBy, eventsIn, receiver, service, told } from './service.ts';

const sum = (months: Readonly<Record<string, number>>): number =>
  Object.values(months).reduce((all, one) => all + one, 0);

describe('kill -9', () => {
  it('during a run: its cost is booked, and the run is resumed', async () => {
    const live = await service({ start: '2026-11-23T05:00:00Z' });
    const args = [
      'monitor',
      '-t',
      live.target,
      '-o',
      'killed',
      '--events',
      'killed.ndjson',
      '--once',
    ];
    try {
      let killed = 0;
      for (const at of drawn(20261123, sampleCount(4), 80)) {
        const running = start(args);
        const until = live.counted.length + at;
        live.onRequest = (number) => {
          if (number === until) running.child.kill('SIGKILL');
          return true;
        };
        const { code } = await running.ended;
        if (code === null) killed += 1;
        live.onRequest = () => true;
      }
      expect(killed).toBeGreaterThan(0);
      const before = live.counted.length;
      const last = await assay(args);
      expect(last.code, last.text).toBe(0);
      // A request that was written down and did not go out any more counts all the same: one a kill, for each that may be under way.
      const booked = sum(accountIn('killed'));
      const counted = sum(countedBy(live));
      expect(booked).toBeGreaterThanOrEqual(counted);
      expect(booked - counted).toBeLessThanOrEqual(6 * killed);
      expect(live.counted.length).toBeGreaterThan(before);
      const begun = told(eventsIn('killed.ndjson'), 'begin');
      expect(begun.filter(({ resumed }) => resumed).length).toBeGreaterThan(0);
      // Taken up, and not begun anew: no folder holds half a run.
      const results = new Set(told(eventsIn('killed.ndjson'), 'run').map(({ folder }) => folder));
      expect(new Set(begun.map(({ folder }) => folder))).toEqual(results);
    } finally {
      await live.close();
    }
  });

  it('between a notification and its bookkeeping: it is sent once more with the same id', async () => {
    const live = await service({
      start: '2026-11-23T05:00:00Z',
      faulty: { faults: ['summary-symbol-code'], when: () => true },
    });
    const hook = await receiver();
    const args = ['monitor', '-t', live.target, '-o', 'told', '--events', 'told.ndjson', '--once'];
    const more = ['--only', '4.3/symbol-enum', '--max-requests', '20', '--webhook', hook.url];
    try {
      const first = start([...args, ...more]);
      hook.answer = (_, response) => {
        first.child.kill('SIGKILL');
        response.destroy();
      };
      expect((await first.ended).code).toBeNull();
      hook.answer = (_, response) => void response.writeHead(200).end('ok');
      for (let time = 0; time < 2; time += 1) {
        const { code, text } = await assay([...args, ...more]);
        expect(code, text).toBe(1);
      }
      const ids = hook.received.map(({ headers }) => String(headers['webhook-id']));
      expect(ids).toHaveLength(2);
      expect(new Set(ids).size).toBe(1);
      expect(told(eventsIn('told.ndjson'), 'turn')).toHaveLength(1);
    } finally {
      await live.close();
      await hook.close();
    }
  });
});

describe('a signal', () => {
  it('ends a monitor regularly at any time, with all requests booked', async () => {
    const live = await service({ start: '2026-11-23T05:00:00Z' });
    const args = ['monitor', '-t', live.target, '-o', 'stopped', '--events', 'stopped.ndjson'];
    try {
      const moments = sampleCount(6);
      for (let moment = 0; moment < moments; moment += 1) {
        const { child, ended } = start([...args, '--for', '6d']);
        await sleep(400 + moment * 700);
        child.kill(moment % 2 === 0 ? 'SIGINT' : 'SIGTERM');
        const { code, text } = await ended;
        expect(code === null || code === 0, `${String(code)} ${text}`).toBe(true);
        // Before it has begun there is nothing to be booked.
        const file = path.join(scratch, 'stopped', 'state', 'monitor.json');
        const state = existsSync(file)
          ? (JSON.parse(readFileSync(file, 'utf8')) as { account: { reserved: unknown } })
          : null;
        if (state === null) expect(live.counted, text).toEqual([]);
        if (state?.account.reserved === null) {
          expect(sum(accountIn('stopped'))).toBeGreaterThanOrEqual(sum(countedBy(live)));
        }
      }
      const last = await assay([...args, '--once']);
      expect(last.code, last.text).toBe(0);
      expect(sum(accountIn('stopped'))).toBeGreaterThanOrEqual(sum(countedBy(live)));
    } finally {
      await live.close();
    }
  });
});
