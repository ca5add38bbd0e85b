import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { useHarness } from '../../../test/http/harness.ts';
import { json } from '../../../test/http/loopback.ts';
import type { Exchange } from '../../spec/exchange.ts';
import { journalWriter } from './journal-writer.ts';
import type { KnownRun } from './known-answers.ts';

const { server, session } = useHarness();

const folder = mkdtempSync(path.join(tmpdir(), 'assay journal '));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The record of a run that sent these exchanges. */
function known(mode: KnownRun['mode'], exchanges: readonly Exchange[], salt: string): KnownRun {
  const keys = { valid: [...new Set(exchanges.flatMap(({ key }) => key ?? []))] };
  return {
    mode,
    exchanges,
    advances: 0,
    waitedMs: 0,
    salt,
    keys,
    foreign: false,
  };
}

describe('a resumed session', () => {
  it('replays recorded answers in their order and sends the rest', async () => {
    const { baseUrl, requests } = await server((_, response, count) =>
      json(response, 200, { count }),
    );
    const first = session(baseUrl, { salt: 's' });
    await first.get('/news');
    await first.get('/news', { fresh: true });
    await first.get('/etfs', { role: 'none' });
    const second = session(baseUrl, { known: known('resume', first.exchanges, 's') });
    const bodies = [
      await second.get('/news'),
      await second.get('/news', { fresh: true }),
      await second.get('/etfs', { role: 'none' }),
    ].map(({ response }) => response?.text);
    expect(bodies).toEqual(['{"count":1}', '{"count":2}', '{"count":3}']);
    expect(requests).toHaveLength(3);
    // A third time, another role, another letter case: none of these was recorded.
    await second.get('/news', { fresh: true });
    await second.get('/etfs');
    const cased = await second.get('/etfs', { role: 'valid', headerCase: 'lower' });
    expect(requests).toHaveLength(6);
    expect(cased.id).toBe('x6');
    expect(second.stats().total).toBe(6);
  });

  it('distinguishes an empty key header from a missing one', async () => {
    const { baseUrl, requests } = await server((_, response, count) =>
      json(response, 401, { count }),
    );
    const first = session(baseUrl, { salt: 's' });
    await first.get('/etfs', { role: 'none', emptyKey: true });
    await first.get('/etfs', { role: 'none' });
    expect(requests.map(({ headers }) => headers['x-api-key'])).toEqual(['', undefined]);
    const second = session(baseUrl, { known: known('resume', first.exchanges, 's') });
    const bodies = [
      await second.get('/etfs', { role: 'none' }),
      await second.get('/etfs', { role: 'none', emptyKey: true }),
    ].map(({ response }) => response?.text);
    expect(bodies).toEqual(['{"count":2}', '{"count":1}']);
    expect(requests).toHaveLength(2);
  });

  it('replays a sequence as a whole or sends all of it again', async () => {
    const { baseUrl, requests } = await server((_, response, count) =>
      json(response, 200, { count }),
    );
    const burst = (one: ReturnType<typeof session>) =>
      one.together(async () => {
        for (let sent = 0; sent < 3; sent += 1) await one.get('/news', { fresh: true });
      });
    const first = session(baseUrl, { salt: 's' });
    await burst(first);
    await burst(session(baseUrl, { known: known('resume', first.exchanges, 's') }));
    expect(requests).toHaveLength(3);
    const cutShort = first.exchanges.slice(0, 2).map(({ sequence: _sequence, ...exchange }) => ({
      ...exchange,
      purpose: 'interrupted' as const,
    }));
    const third = session(baseUrl, { known: known('resume', cutShort, 's') });
    await burst(third);
    expect(requests).toHaveLength(6);
    expect(third.exchanges.map(({ purpose }) => purpose ?? 'asked')).toEqual([
      'interrupted',
      'interrupted',
      'asked',
      'asked',
      'asked',
    ]);
  });

  it('is not ended by the limit of its profile for repeated requests, only by that of the user', async () => {
    const { baseUrl } = await server((_, response) => json(response, 200, {}));
    const first = session(baseUrl, { salt: 's' });
    for (let page = 1; page <= 3; page += 1) await first.get('/news', { query: { page } });
    const lost = first.exchanges.map((exchange) => ({
      ...exchange,
      purpose: 'interrupted' as const,
    }));
    const bounds = { planned: 3, repeat: 0, limiter: 0, total: 3 };
    const resumed = session(baseUrl, { known: known('resume', lost, 's'), bounds });
    for (let page = 1; page <= 3; page += 1) await resumed.get('/news', { query: { page } });
    expect(resumed.stats().byRole.valid).toBe(6);
    await expect(resumed.get('/etfs')).rejects.toMatchObject({ code: 'ASSAY_BUDGET_EXHAUSTED' });

    const held = session(baseUrl, { known: known('resume', lost, 's'), maxRequests: 4 });
    await held.get('/news', { query: { page: 1 } });
    await expect(held.get('/news', { query: { page: 2 } })).rejects.toMatchObject({
      code: 'ASSAY_BUDGET_EXHAUSTED',
    });
  });

  it('knows the window that was used before the interruption', async () => {
    const { baseUrl } = await server((_, response) => json(response, 200, {}));
    const first = session(baseUrl, { salt: 's' });
    for (let page = 1; page <= 5; page += 1) await first.get('/news', { query: { page } });
    const second = session(baseUrl, { known: known('resume', first.exchanges, 's') });
    const pin = await second.pin('valid', 0);
    expect(pin.capacity().available).toBe(15);
    pin.release();
  });
});

describe('a recording that is judged again', () => {
  it('sends nothing and names missing requests', async () => {
    const { baseUrl, requests } = await server((_, response) => json(response, 200, { a: 1 }));
    const first = session(baseUrl, { salt: 's' });
    await first.get('/news');
    const again = session(baseUrl, { known: known('replay', first.exchanges, 's') });
    expect((await again.get('/news')).id).toBe('x1');
    await expect(again.get('/etfs')).rejects.toThrow('not in the recording: GET /etfs.');
    expect(again.targetNow()).toBe(
      Math.round(first.exchanges[0]?.receivedAt ?? 0) + (first.exchanges[0]?.skewMs ?? 0),
    );
    expect(again.keyRing.fingerprints().valid).toEqual([first.exchanges[0]?.key]);
    expect(requests).toHaveLength(1);
  });
});

describe('the journal', () => {
  it('records every request before its response, without keys', async () => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'assay journal ')), 'journal.ndjson');
    const seenWhenSent: string[] = [];
    const { baseUrl } = await server((_, response) => {
      seenWhenSent.push(readFileSync(file, 'utf8'));
      json(response, 200, { a: 1 });
    });
    const api = session(baseUrl, { journal: journalWriter(file) });
    await api.get('/news');
    await api.close();
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { type: string }).type)).toEqual([
      'sent',
      'answer',
    ]);
    expect(seenWhenSent[0]).toBe(`${lines[0]}\n`);
    expect(lines.join('')).not.toContain(api.keyRing.keys('valid')[0]);
    rmSync(path.dirname(file), { recursive: true });
  });
});
