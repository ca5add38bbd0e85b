// Notifications on their way: signed, tried again until they are taken, and no receiver can do harm.
import { mkdtempSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deliveriesOf, type DeliveryNote } from '../../src/monitor/notify/deliveries.ts';
import type { Notification } from '../../src/monitor/notify/notification.ts';
import { newState, readState, storeOf, type Store } from '../../src/monitor/state.ts';
import {
  deliver,
  receiverOf,
  receiverSecrets,
  signed,
  type Attempt,
} from '../../src/monitor/notify/webhook.ts';
import { receiver, SECRET_PATH, type Receiver } from './service.ts';

const notification = (id: string): Notification => ({
  version: 1,
  id,
  type: 'turn',
  at: '2026-11-23T06:00:00.000Z',
  target: { baseUrl: 'http://127.0.0.1:1' },
  from: 'holds',
  to: 'violates',
  text: 'It turned.',
  violated: [],
  mended: [],
  run: {
    folder: 'f',
    startedAt: '2026-11-23T06:00:00.000Z',
    verdict: 'violates',
    sentence: '',
    profile: 'smoke',
    seed: 1,
  },
  report: 'runs/f/report.html',
});

let hook: Receiver;
beforeEach(async () => {
  hook = await receiver();
});
afterEach(() => hook.close());

const send = (url: string, secret: string | null = null, signal = new AbortController().signal) =>
  deliver(receiverOf(url, secret), notification('n1'), {
    signal,
    now: 1_800_000_000_000,
  });

describe('one attempt', () => {
  it('posts JSON, with the id in the headers as well', async () => {
    expect(await send(hook.url)).toEqual({ delivered: true, status: 204 });
    const [one] = hook.received;
    expect(JSON.parse(one?.body ?? '')).toEqual(notification('n1'));
    expect(one?.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': 'n1',
      'webhook-timestamp': '1800000000',
    });
    expect(one?.headers['webhook-signature']).toBeUndefined();
  });

  it('signs as the example of the Standard Webhooks convention does', () => {
    const key = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
    const body = '{"test": 2432232314}';
    const at = 1_614_265_330_000;
    expect(signed('msg_p5jXN8AQM9LWM0D4loKWxJek', body, key, at)).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
    const { secret } = receiverOf(hook.url, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
    expect(secret?.equals(key)).toBe(true);
  });

  it('sends the user info of the URL as credentials', async () => {
    const url = new URL(hook.url);
    url.username = 'me';
    url.password = 'pass%20word';
    await send(url.href);
    const [one] = hook.received;
    expect(one?.headers.authorization).toBe(
      `Basic ${Buffer.from('me:pass word').toString('base64')}`,
    );
  });

  it.each([500, 404, 429, 301, 307, 418])('does not take %d for delivered', async (status) => {
    hook.answer = (_, response) =>
      void response.writeHead(status, { location: hook.url }).end('no');
    const attempt = await send(hook.url);
    expect(attempt).toMatchObject({
      delivered: false,
      why: expect.stringContaining(String(status)),
    });
    // A redirect leads nowhere.
    expect(hook.received).toHaveLength(1);
  });

  it('is not delayed by an endless response', async () => {
    hook.answer = (_, response) => {
      response.writeHead(200);
      const more = setInterval(() => response.write('x'.repeat(4096)), 1);
      response.on('close', () => clearInterval(more));
    };
    expect(await send(hook.url)).toMatchObject({ delivered: true, status: 200 });
  });

  it.each([
    ['says nothing', () => undefined],
    ['begins and does not end', (_: unknown, response: ServerResponse) => void response.write('{')],
  ])('does not wait for a receiver that %s', async (_, answer) => {
    hook.answer = answer;
    const attempt = await deliver(receiverOf(hook.url, null), notification('n1'), {
      signal: new AbortController().signal,
      now: 0,
      timeoutMs: 100,
    });
    // What it says beyond its status is read by nobody.
    expect(attempt).toMatchObject(
      hook.answer.length === 0
        ? { delivered: false, why: expect.stringContaining('no response within 0.1 s') }
        : { delivered: true },
    );
  });

  it('stops immediately when the monitor ends', async () => {
    hook.answer = () => undefined;
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 50);
    const attempt = await send(hook.url, null, stop.signal);
    expect(attempt).toMatchObject({
      delivered: false,
      why: expect.not.stringContaining('no response within'),
    });
  });

  it.each([
    ['nobody there', async () => hook.close()],
    ['a closed connection', () => void (hook.answer = (_, response) => response.destroy())],
    [
      'a hostile answer',
      () =>
        void (hook.answer = (_, response) => {
          response.socket?.write('HTTP/1.1 200 \u001B[31m\r\n\u0000: x\r\n\r\n');
          response.destroy();
        }),
    ],
  ])('shows only the host of the address: %s', async (_, disturb) => {
    await disturb();
    const attempt = await send(`${hook.url}?token=${SECRET_PATH}`, 'a-secret-that-is-long-enough');
    expect(attempt.delivered).toBe(false);
    const text = JSON.stringify(attempt);
    expect(text).not.toContain(SECRET_PATH);
    expect(text).toContain(new URL(hook.url).host);
  });
});

describe('an invalid receiver', () => {
  it.each(['', 'ftp://x/y', 'hooks.example/x', 'javascript:alert(1)'])(
    'is refused without being repeated: %j',
    (url) => {
      const wrong = `${url}${SECRET_PATH}`;
      let message = '';
      try {
        receiverOf(wrong, null);
      } catch (error) {
        message = String(error);
      }
      expect(message).toContain('not an http or https URL');
      expect(message).not.toContain(SECRET_PATH);
    },
  );

  it('has a short secret', () => {
    expect(() => receiverOf(hook.url, 'short')).toThrow('shorter than 16 bytes');
  });

  it('has its secret texts', () => {
    const secrets = receiverSecrets(hook.url, ` ${'s'.repeat(20)} `).map(({ value }) => value);
    expect(secrets).toEqual([SECRET_PATH, 's'.repeat(20)]);
  });
});

describe('deliveries', () => {
  let output: string;
  let store: Store;
  let notes: DeliveryNote[];
  const queue = (...ids: readonly string[]) =>
    store.update((state) => ({
      ...state,
      notifications: [
        ...state.notifications,
        ...ids.map((id) => ({
          id,
          body: notification(id),
          attempts: 0,
          queuedAt: Date.now(),
          nextAt: 0,
        })),
      ],
    }));
  const started = (answers: (Attempt | 'hang')[], sent: string[] = []) => {
    const deliveries = deliveriesOf({
      store,
      pauses: [5, 10],
      tell: (note) => notes.push(note),
      async send({ id }, signal) {
        sent.push(id);
        const answer = answers.shift() ?? { delivered: true, status: 200 };
        if (answer !== 'hang') return answer;
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        return { delivered: false, why: 'given up' };
      },
    });
    return { deliveries, sent };
  };
  beforeEach(() => {
    output = mkdtempSync(path.join(tmpdir(), 'assay deliveries '));
    store = storeOf(output, newState('http://127.0.0.1:1', 0));
    notes = [];
  });
  const no: Attempt = { delivered: false, why: 'it answered 500' };
  const never = new AbortController().signal;

  it('retry until accepted, one at a time and in order', async () => {
    await queue('a', 'b');
    const { deliveries, sent } = started([no, no, no]);
    await deliveries.drained(5000, never);
    await deliveries.stop();
    expect(sent).toEqual(['a', 'a', 'a', 'a', 'b']);
    expect(notes.map(({ attempts, delivered }) => [attempts, delivered])).toEqual([
      [1, false],
      [2, false],
      [3, false],
      [4, true],
      [1, true],
    ]);
    expect((await readState(output, 'http://127.0.0.1:1'))?.notifications).toEqual([]);
  });

  it('are woken by later notifications', async () => {
    const { deliveries, sent } = started([]);
    await sleep(20);
    await queue('a');
    await deliveries.drained(5000, never);
    await deliveries.stop();
    expect(sent).toEqual(['a']);
  });

  it('leave open attempts to the next process, with the same id', async () => {
    await queue('a');
    const { deliveries } = started(['hang']);
    await sleep(20);
    await deliveries.stop();
    expect(notes).toEqual([]);
    const state = await readState(output, 'http://127.0.0.1:1');
    expect(state?.notifications).toMatchObject([{ id: 'a', attempts: 0 }]);
  });

  it('give up after three days', async () => {
    await queue('a');
    await store.update((state) => ({
      ...state,
      notifications: state.notifications.map((one) => ({
        ...one,
        queuedAt: Date.now() - 73 * 3_600_000,
      })),
    }));
    const { deliveries } = started([no]);
    await deliveries.drained(5000, never);
    await deliveries.stop();
    expect(notes).toMatchObject([{ delivered: false, next: null }]);
    expect(store.state.notifications).toEqual([]);
  });

  it('do not wait for an unreachable receiver at the end', async () => {
    await queue('a');
    const { deliveries } = started(Array.from({ length: 1000 }, () => no));
    await deliveries.drained(200, never);
    await deliveries.stop();
    expect(notes.length).toBeLessThan(1000);
    expect(store.state.notifications).toHaveLength(1);
  });
});
