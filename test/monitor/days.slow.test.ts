// Three days of a monitor, on a service whose clock is moved instead of waited for.
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MonitorEvent } from '../../src/monitor/events.ts';
import type { Notification } from '../../src/monitor/notify/notification.ts';
import type { MonitorHistory } from '../../src/report/model/monitor-history.ts';
import { validate } from '../../src/judge/schema/schemas.ts';
import { scratch, start, type Ended } from '../cli/assay.ts';
import {
  accountIn,
  countedBy,
  eventsIn,
  filesBelow,
  perKeyIn,
  receiver,
  SECRET_PATH,
  service,
  told,
  type Receiver,
  type Service,
} from './service.ts';

const START = '2026-11-23T05:00:00Z';
const BROKEN = ['2026-11-24T10:00:00Z', '2026-11-25T10:00:00Z'].map((at) => Date.parse(at));
const SECRET = 'canary-secret-that-signs-0123456789';
/** 5 % of it are 750 requests with each of two keys for the eight days that are left of the month: whole runs and short ones. */
const QUOTA = 15_000;
const LIMIT = QUOTA * 0.05;

describe('three days', () => {
  let live: Service;
  let hook: Receiver;
  let ended: Ended;
  let events: readonly MonitorEvent[];
  let history: MonitorHistory;
  beforeAll(async () => {
    live = await service({
      start: START,
      monthlyQuota: QUOTA,
      validKeys: 2,
      faulty: {
        faults: ['summary-symbol-code'],
        when: (now) => now >= (BROKEN[0] ?? 0) && now < (BROKEN[1] ?? 0),
      },
    });
    hook = await receiver();
    const args = ['-t', live.target, '-o', 'days', '--for', '3d', '--events', 'days.ndjson'];
    const running = start(['monitor', ...args, '--public-url', 'https://ci.example/x/'], {
      ASSAY_WEBHOOK_URL: hook.url,
      ASSAY_WEBHOOK_SECRET: SECRET,
    });
    ended = await running.ended;
    events = eventsIn('days.ndjson');
    history = JSON.parse(
      readFileSync(path.join(scratch, 'days', 'history.json'), 'utf8'),
    ) as MonitorHistory;
  }, 600_000);
  afterAll(async () => {
    await live.close();
    await hook.close();
  });

  it('end regularly, with events that match their schema', () => {
    expect(ended.code, ended.text).toBe(0);
    for (const event of events) {
      expect(validate('monitor-events', event), JSON.stringify(event)).toEqual([]);
    }
    expect(events.at(0)?.type).toBe('started');
    expect(events.at(-1)).toMatchObject({ type: 'stopped', stopped: { why: 'for' } });
    expect(validate('monitor-history', history)).toEqual([]);
  });

  it('run on schedule, once per scheduled time', () => {
    const scheduled = told(events, 'run').filter(({ kind }) => kind === 'scheduled');
    // 05:00 at once, then 06, 12, 18 and 0 o'clock until 05:00 of the fourth day.
    expect(scheduled.length + told(events, 'left-out').length).toBe(13);
    const profiles = new Set(scheduled.map(({ profile }) => profile));
    expect(profiles).toEqual(new Set(['standard', 'smoke']));
    for (const { startedAt } of scheduled.slice(1)) {
      const minutes = (Date.parse(startedAt) % (6 * 3_600_000)) / 60_000;
      expect(minutes, startedAt).toBeLessThan(15.1);
    }
    expect(new Set(scheduled.map(({ seed }) => seed)).size).toBeGreaterThanOrEqual(3);
  });

  it('spend exactly what the account says, and never more than the share', () => {
    const { valid, restricted } = live.keys;
    expect(accountIn('days')).toEqual(countedBy(live));
    const of = (key: string): number => countedBy(live, (one) => one.key === key)['2026-11'] ?? 0;
    // Key by key, though under names that nobody knows them by.
    expect(perKeyIn('days', '2026-11')).toEqual(
      [...valid, restricted].map(of).toSorted((a, b) => a - b),
    );
    for (const key of [...valid, restricted]) expect(of(key)).toBeLessThanOrEqual(LIMIT);
    const used = valid.map(of).reduce((sum, one) => sum + one, 0);
    expect(used).toBe(history.budget.used);
    expect(of(restricted)).toBe(history.budget.restricted?.used);
    // Three of eight days: neither all of it nor next to nothing.
    expect(used).toBeGreaterThan(2 * LIMIT * 0.2);
    expect(used).toBeLessThan(2 * LIMIT * 0.6);
  });

  it('see a row complete that was not settled the day before', () => {
    const rows = told(events, 'settlement');
    const waiting = rows.filter(({ state }) => state === 'waiting').map(({ date }) => date);
    const complete = rows.filter(({ state }) => state === 'complete').map(({ date }) => date);
    expect(waiting).toContain('2026-11-23');
    expect(complete).toContain('2026-11-23');
    expect(complete).toContain('2026-11-24');
    const t1 = history.coverage.requirements.find(({ id }) => id === '4.4/t1-completes');
    expect(t1?.last).not.toBeNull();
  });

  it('change the verdict twice, and report each change once', () => {
    const turns = told(events, 'turn');
    expect(turns.map(({ from, to }) => `${from ?? ''} ${to}`)).toEqual([
      'holds violates',
      'violates holds',
    ]);
    const sent = hook.received.map(({ body }) => JSON.parse(body) as Notification);
    expect(sent.map(({ id }) => id)).toEqual(turns.map(({ id }) => id));
    for (const one of sent) expect(validate('notification', one)).toEqual([]);
    expect(sent[0]?.violated.map(({ id }) => id)).toContain('4.3/symbol-enum');
    expect(sent[1]?.mended).toContain('4.3/symbol-enum');
    expect(sent[1]?.violated).toEqual([]);
    expect(sent[0]?.report).toMatch(
      /^https:\/\/ci\.example\/x\/runs\/2026-11-24T\S+\/report\.html$/,
    );
    const [first, second] = turns.map(({ at }) => Date.parse(at));
    expect(first).toBeGreaterThan(BROKEN[0] ?? 0);
    expect(first).toBeLessThan((BROKEN[0] ?? 0) + 6.5 * 3_600_000);
    expect(second).toBeGreaterThan(BROKEN[1] ?? 0);
    expect(second).toBeLessThan((BROKEN[1] ?? 0) + 6.5 * 3_600_000);
  });

  it('sign notifications', () => {
    for (const { headers, body } of hook.received) {
      const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
      const digest = createHmac('sha256', SECRET).update(signed).digest('base64');
      expect(headers['webhook-signature']).toBe(`v1,${digest}`);
    }
  });

  it('write no key, no address of the webhook and no secret', () => {
    const { valid, restricted } = live.keys;
    const secrets = [...valid, restricted, SECRET_PATH, SECRET];
    let files = 0;
    for (const [file, text] of filesBelow(path.join(scratch, 'days'))) {
      files += 1;
      for (const secret of secrets) expect(text.includes(secret), file).toBe(false);
    }
    expect(files).toBeGreaterThan(20);
    const log = ended.text + readFileSync(path.join(scratch, 'days.ndjson'), 'utf8');
    for (const secret of secrets) expect(log.includes(secret)).toBe(false);
  });

  it('grow their coverage, and link to the reports', () => {
    const soFar = history.days.map(({ verifiedSoFar }) => verifiedSoFar).toReversed();
    expect(soFar).toEqual(soFar.toSorted((a, b) => a - b));
    expect(soFar.at(-1)).toBe(history.coverage.verified);
    const page = readFileSync(path.join(scratch, 'days', 'index.html'), 'utf8');
    for (const { report } of history.days.flatMap(({ runs }) => runs)) {
      expect(page).toContain(`href="${report ?? ''}"`);
      expect(readFileSync(path.join(scratch, 'days', report ?? ''), 'utf8')).toContain('<main');
    }
  });
});
