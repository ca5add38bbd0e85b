import { describe, expect, it } from 'vitest';
import {
  CRASH,
  FakeSession,
  parameter,
  type Planted,
} from '../../../test/property/fake-session.ts';
import { BudgetExhausted } from '../../http/errors.ts';
import { CASES } from './cases.ts';
import { DRAWN, type DrawnName } from '../../ask/properties.ts';
import { Laboratory } from './laboratory.ts';
import { search, type SearchResult } from './search.ts';
import { Tokens } from './tokens.ts';

function searched(
  name: DrawnName,
  session: FakeSession,
  requests: number,
  path?: string,
): Promise<SearchResult> {
  const tokens = new Tokens(requests);
  const laboratory = new Laboratory(session, tokens);
  const attempt = laboratory.try.bind(laboratory);
  return search({ kinds: CASES[name], attempt, seed: session.seed, tokens, path });
}

const findings = ({ seen }: SearchResult): string[] =>
  [...seen.values()].map(({ requirement, message }) => `${requirement}: ${message}`);

/** Crashes for a limit of 38 and more. */
const crashFrom38: Planted = (request) =>
  Number(parameter(request, 'limit')) >= 38 ? CRASH : undefined;

describe('search', () => {
  it.each(DRAWN.map(({ name }) => name))('finds nothing in %s that conforms', async (name) => {
    const session = new FakeSession();
    const result = await searched(name, session, 25);
    expect(findings(result)).toEqual([]);
    expect(session.sent).toHaveLength(25);
    expect(result.requests).toBe(25);
    expect(result.judged.size).toBeGreaterThan(5);
  });

  it('finds a planted crash and shrinks it within its requests', async () => {
    const session = new FakeSession({ planted: crashFrom38 });
    const result = await searched('etf-history', session, 40);
    const crash = result.found.get('4/no-5xx');
    expect(session.sent.length).toBeLessThanOrEqual(40);
    expect(crash?.shrinks).toBeGreaterThan(0);
    const { request } = crash?.exchange ?? {};
    expect(request?.query).toEqual([['limit', '38']]);
  });

  it('tries a counterexample again with the same request, and only that', async () => {
    const first = new FakeSession({ planted: crashFrom38, seed: 42 });
    const found = (await searched('etf-history', first, 40)).found.get('4/no-5xx');
    const again = new FakeSession({ planted: crashFrom38, seed: 42 });
    const replayed = await searched('etf-history', again, 8, found?.path);
    expect(replayed.found.get('4/no-5xx')?.exchange?.request).toEqual(found?.exchange?.request);
    expect(replayed.found.get('4/no-5xx')?.path).toBe(found?.path);
    // The plain request, and what the case asks for.
    expect(again.sent.length).toBeLessThanOrEqual(3);
    const repaired = new FakeSession({ seed: 42 });
    expect(findings(await searched('etf-history', repaired, 8, found?.path))).toEqual([]);
    expect(repaired.urls).toEqual(again.urls);
  });

  it('sends the same requests for the same seed, and others for another one', async () => {
    const urls = async (seed: number): Promise<readonly string[]> => {
      const session = new FakeSession({ seed, planted: crashFrom38 });
      await searched('currency-klines', session, 20);
      return session.urls;
    };
    const first = await urls(7);
    expect(await urls(7)).toEqual(first);
    expect(await urls(8)).not.toEqual(first);
  });

  it('finds what only two parameters together do', async () => {
    const planted: Planted = (request) =>
      parameter(request, 'category') !== undefined && parameter(request, 'language') !== undefined
        ? CRASH
        : undefined;
    const result = await searched('news', new FakeSession({ planted }), 40);
    const { request } = result.found.get('4/no-5xx')?.exchange ?? {};
    expect(request?.query.map(([name]) => name).toSorted()).toEqual(['category', 'language']);
  });

  it('goes on for other violations after the first one', async () => {
    const planted: Planted = (request) => {
      if (Number.isNaN(Number(parameter(request, 'limit') ?? 1))) return CRASH;
      const interval = parameter(request, 'interval');
      return interval === undefined || interval === '1d' ? undefined : { status: 200, body: [] };
    };
    const result = await searched('currency-klines', new FakeSession({ planted }), 60);
    expect([...result.found.keys()]).toEqual(
      expect.arrayContaining(['4/no-5xx', '4.1/klines-interval-enum']),
    );
  });

  it('lets the run end when nothing more can be sent', async () => {
    const error = new BudgetExhausted(5);
    const session = new FakeSession({ planted: crashFrom38, fails: { from: 5, error } });
    await expect(searched('etf-history', session, 40)).rejects.toBe(error);
    expect(session.sent).toHaveLength(5);
  });

  it('stays within what the run has left', async () => {
    const session = new FakeSession({ left: 6 });
    const result = await searched('pairs', session, 40);
    expect(session.sent).toHaveLength(6);
    expect(findings(result)).toEqual([]);
  });

  it('counts requests without an answer as neither right nor wrong', async () => {
    const planted: Planted = (request) =>
      parameter(request, 'limit') === undefined ? undefined : 'no answer';
    const result = await searched('etf-history', new FakeSession({ planted }), 20);
    expect(findings(result)).toEqual([]);
    expect(result.unanswered.length).toBeGreaterThan(0);
  });
});
