// What turns a verdict beside a violation that every run sees: a row that never settles, and a service that is away.
import { describe, expect, it } from 'vitest';
import { assay, start } from '../cli/assay.ts';
import { eventsIn, receiver, service, told } from './service.ts';
import type { Notification } from '../../src/monitor/notify/notification.ts';

describe('a row that is not settled in time', () => {
  it('changes the verdict once after a follow-up, and back when it settles', async () => {
    const healed = Date.parse('2026-11-20T00:00:00Z');
    // A Monday: its row must be complete when Tuesday has ended everywhere.
    const live = await service({
      start: '2026-11-16T15:00:00Z',
      faulty: { faults: ['history-never-settles'], when: (now) => now < healed },
    });
    const args = ['-t', live.target, '-o', 'late', '--events', 'late.ndjson'];
    const only = ['--only', '4.4/t1-filled,4.4/t1-completes', '--seed', '1'];
    try {
      const { code, text } = await assay(['monitor', ...args, ...only, '--for', '6d']);
      expect(code, text).toBe(0);
      const events = eventsIn('late.ndjson');
      const turns = told(events, 'turn');
      expect(
        turns.map(({ to }) => to),
        text,
      ).toEqual(['violates', 'holds']);
      expect(turns[0]?.violated).toEqual(['4.4/t1-completes']);
      expect(turns[0]?.at.slice(0, 13)).toBe('2026-11-18T12');
      expect(turns[1]?.mended).toEqual(['4.4/t1-completes']);
      expect(Date.parse(turns[1]?.at ?? '')).toBeGreaterThan(healed);
      const rows = told(events, 'settlement').filter(({ date }) => date === '2026-11-16');
      expect(rows.map(({ state }) => state)).toEqual(['waiting', 'overdue', 'complete']);
    } finally {
      await live.close();
    }
  });
});

describe('a limiter that is mended', () => {
  it('is asked again with all requests, since fewer judge nothing', async () => {
    const healed = Date.parse('2026-11-17T12:00:00Z');
    const live = await service({
      start: '2026-11-16T05:00:00Z',
      faulty: { faults: ['limit-one-less'], when: (now) => now < healed },
    });
    const args = ['-t', live.target, '-o', 'limiter', '--events', 'limiter.ndjson'];
    // Where in a minute a run begins decides whether a window that refuses too early is seen from its first request.
    const only = ['--only', '8', '--no-jitter'];
    try {
      const { code, text } = await assay([
        'monitor',
        ...args,
        ...only,
        '--every',
        '1d',
        '--for',
        '3d',
      ]);
      expect(code, text).toBe(0);
      const events = eventsIn('limiter.ndjson');
      expect(told(events, 'turn').map(({ to }) => to)).toEqual(['violates', 'holds']);
      const asked = told(events, 'run').filter(({ kind }) => kind === 'confirmation');
      expect(
        asked.map(({ requests }) => requests.valid > 20),
        text,
      ).toEqual([true]);
    } finally {
      await live.close();
    }
  });
});

describe('a service that is away', () => {
  it('changes the verdict with the second run, and back with the first that has one', async () => {
    const live = await service({ start: '2026-11-16T05:00:00Z' });
    const hook = await receiver();
    const args = [
      '-t',
      live.target,
      '-o',
      'away',
      '--events',
      'away.ndjson',
      '--webhook',
      hook.url,
    ];
    const once = ['monitor', ...args, '--only', '4.3', '--once'];
    try {
      for (const away of [false, true, false, true, true, true, false]) {
        live.onRequest = () => !away;
        const { code, text } = await assay(once);
        expect(code, text).toBe(away ? 3 : 0);
        live.advance(6 * 3_600_000);
      }
      const turns = told(eventsIn('away.ndjson'), 'turn');
      expect(turns.map(({ from, to }) => `${from ?? ''} ${to}`)).toEqual([
        'holds incomplete',
        'incomplete holds',
      ]);
      const sent = hook.received.map(({ body }) => JSON.parse(body) as Notification);
      expect(sent.map(({ id }) => id)).toEqual(turns.map(({ id }) => id));
    } finally {
      await live.close();
      await hook.close();
    }
  });
});

describe('a receiver that is away', () => {
  it('gets the verdict change from a later process, once', async () => {
    const live = await service({
      start: '2026-11-16T05:00:00Z',
      faulty: { faults: ['summary-symbol-code'], when: () => true },
    });
    const hook = await receiver();
    const small = ['--only', '4.3/symbol-enum', '--max-requests', '20', '--every', '1d'];
    const args = ['monitor', '-t', live.target, '-o', 'later', '--webhook', hook.url, ...small];
    hook.answer = (_, response) => void response.writeHead(503).end();
    try {
      const running = start([...args, '--events', 'later.ndjson']);
      await running.until('notification not delivered, attempt 1');
      running.child.kill('SIGTERM');
      expect((await running.ended).code).toBe(0);
      const failed = hook.received.length;
      expect(failed).toBeGreaterThan(0);
      hook.answer = (_, response) => void response.writeHead(202).end();
      await assay([...args, '--once', '--events', 'later.ndjson']);
      await assay([...args, '--once', '--events', 'later.ndjson']);
      expect(hook.received).toHaveLength(failed + 1);
      expect(new Set(hook.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
      const delivered = told(eventsIn('later.ndjson'), 'delivery').filter((one) => one.delivered);
      expect(delivered).toHaveLength(1);
    } finally {
      await live.close();
      await hook.close();
    }
  });
});
