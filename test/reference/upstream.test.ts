// Defects before a server that knows nothing of them: the independent service.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultsNamed, listFaults, listOperatorFaults } from '../../src/reference/catalog.ts';
import type { Listening } from '../../src/reference/http-server.ts';
import { fitsUpstream, listenBefore } from '../../src/reference/upstream.ts';
import { startIndependent, type Running } from '../proof/independent/server.ts';

let upstream: Running;
const open: Listening[] = [];
let key = '';

beforeAll(async () => {
  upstream = await startIndependent({ now: Date.UTC(2026, 8, 9, 15) });
  key = (upstream.target['keys'] as { valid: string[] }).valid[0] ?? '';
});
afterAll(async () => {
  for (const one of [...open, upstream]) await one.close();
});

/** What a path is answered with these faults before the service, each time in a window of its own. */
async function asked(path: string, faults: readonly string[] = [], apiKey = key) {
  const before = await listenBefore(upstream.baseUrl, faultsNamed(faults), 0);
  open.push(before);
  await fetch((upstream.target['clock'] as { control: string }).control, {
    method: 'POST',
    body: JSON.stringify({ advanceMs: 61_000 }),
  });
  const answer = await fetch(before.baseUrl + path, { headers: { 'X-API-KEY': apiKey } });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text };
}

const rowsIn = (text: string): Record<string, unknown>[] =>
  JSON.parse(text) as Record<string, unknown>[];
const SUMMARY = '/etfs/summary-history?symbol=BTC&country_code=US';

describe('a defect before another server', () => {
  it('fits when it needs the request or the answer only, as most do', () => {
    expect(listFaults().filter(fitsUpstream).length).toBeGreaterThan(listFaults().length / 2);
    expect(listOperatorFaults().filter(fitsUpstream).length).toBeGreaterThan(2000);
    for (const id of ['limit-off', 'quota-off', 'disabled-key-admitted'])
      expect([id, faultsNamed([id]).some(fitsUpstream)]).toEqual([id, false]);
  });

  it('changes nothing but what it is about', async () => {
    const [plain, other] = [await asked(SUMMARY), await asked(SUMMARY, ['op/gone/news/html'])];
    expect(other.text).toBe(plain.text);
    expect(other.status).toBe(200);
    expect(other.headers.get('x-ratelimit-limit')).toBe('20');
  });

  it('changes rows, records, and the request', async () => {
    const plain = rowsIn((await asked(SUMMARY)).text);
    const reversed = rowsIn(
      (await asked(SUMMARY, ['op/order/etfs-summary-history/reversed'])).text,
    );
    expect(reversed).toEqual(plain.toReversed());
    const short = rowsIn((await asked(SUMMARY, ['op/missing/etfs-summary-history.date'])).text);
    expect(short.every((row) => !('date' in row))).toBe(true);
    const limited = `${SUMMARY}&limit=3`;
    expect(rowsIn((await asked(limited)).text)).toHaveLength(3);
    const ignored = await asked(limited, ['op/ignored/etfs-summary-history.limit']);
    expect(rowsIn(ignored.text).length).toBeGreaterThan(3);
  });

  it('refuses what it is to refuse, but nobody whose key is refused first', async () => {
    const crash = ['op/crash/currencies-klines.interval/left-out'];
    expect((await asked('/currencies/1/klines', crash)).status).toBe(500);
    expect((await asked('/currencies/1/klines', crash, 'no-such-key')).status).toBe(401);
  });
});
