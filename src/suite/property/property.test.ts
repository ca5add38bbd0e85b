import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  CRASH,
  FakeSession,
  parameter,
  type Planted,
} from '../../../test/property/fake-session.ts';
import { Inconclusive, Untested } from '../../ask/outcome.ts';
import { Violation } from '../outcome.ts';
import { DRAWN } from '../../ask/properties.ts';
import { BudgetExhausted } from '../../http/errors.ts';
import { checkProperty, search } from './property.ts';

afterEach(() => vi.unstubAllEnvs());

const crashFrom38: Planted = (request) =>
  Number(parameter(request, 'limit')) >= 38 ? CRASH : undefined;

async function thrown(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('a check of a property', () => {
  it('passes on what its search judged, and notes it', async () => {
    const session = new FakeSession();
    await checkProperty('currency-klines', session);
    expect(session.noted.length).toBeGreaterThan(3);
  });

  it('names the smallest case, its seed and its path', async () => {
    const session = new FakeSession({ planted: crashFrom38, seed: 42 });
    const error = await thrown(checkProperty('etf-history', session));
    expect(error).toBeInstanceOf(Violation);
    const { message, findings } = error as Violation;
    const command =
      /replay: assay run … --profile full --seed 42 --path etf-history:\d+(:\d+)* --only 4\/no-5xx/;
    const [crash] = findings.filter((one) => one.requirement === '4/no-5xx');
    expect(crash?.replay).toMatch(/^etf-history:\d+(:\d+)*$/);
    expect(crash?.message).not.toContain('replay');
    expect(message).toMatch(command);
    expect(message).toContain('limit=');
    expect(message).toContain('curl');
  });

  it('tries the named case again, and leaves the other properties out', async () => {
    const session = new FakeSession({ planted: crashFrom38, seed: 42 });
    const error = await thrown(checkProperty('etf-history', session));
    const path = (error as Violation).findings[0]?.replay ?? '';
    const again = new FakeSession({ planted: crashFrom38, seed: 42, path });
    const second = await thrown(checkProperty('etf-history', again));
    expect((second as Violation).findings[0]?.message).toBe(
      (error as Violation).findings[0]?.message,
    );
    expect(again.sent.length).toBeLessThan(3);
    expect(await thrown(checkProperty('news', again))).toBeInstanceOf(Untested);
    const wrong = new FakeSession({ path: 'news' });
    await expect(checkProperty('news', wrong)).rejects.toThrow('is not a case');
  });

  it('returns what it finds about other requirements, with how to replay it', async () => {
    const planted: Planted = (request) =>
      parameter(request, 'limit') === undefined ? undefined : { status: 400, body: {} };
    const found = await checkProperty('etf-history', new FakeSession({ planted }));
    const [shape] = found.filter(({ requirement }) => requirement === '7/error-shape');
    expect(shape?.replay).toMatch(/^etf-history:\d+(:\d+)*$/);
  });

  it('is untested without requests, and says what to raise', async () => {
    const error = await thrown(checkProperty('news', new FakeSession({ left: 9 })));
    expect(error).toBeInstanceOf(Untested);
    expect((error as Untested).message).toContain('--max-requests');
  });

  it('is inconclusive when requests got no answer', async () => {
    const planted: Planted = ({ query }) => (query.length > 1 ? 'no answer' : undefined);
    const session = new FakeSession({ planted });
    const error = await thrown(checkProperty('currency-klines', session));
    expect(error).toBeInstanceOf(Inconclusive);
    expect((error as Inconclusive).message).toContain('connection reset');
  });
});

describe('a search', () => {
  it.each(DRAWN.map(({ name }) => name))('finds nothing in %s that conforms', async (name) => {
    const session = new FakeSession();
    const { found, asked, judged } = await search(name, session, 25);
    expect([...found.values()]).toEqual([]);
    expect(asked).toHaveLength(25);
    expect(session.sent).toHaveLength(25);
    expect(judged.size).toBeGreaterThan(5);
  });

  it('finds a planted crash and shrinks it within its requests', async () => {
    const session = new FakeSession({ planted: crashFrom38 });
    const crash = (await search('etf-history', session, 60)).found.get('4/no-5xx');
    expect(session.sent.length).toBeLessThanOrEqual(60);
    expect(crash?.shrinks).toBeGreaterThan(0);
    expect(crash?.exchange?.request.query.every(([name]) => name === 'limit')).toBe(true);
  });

  it('goes on for other violations behind the first one', async () => {
    const planted: Planted = (request) =>
      parameter(request, 'limit') === undefined
        ? undefined
        : Number(parameter(request, 'limit')) > 0
          ? CRASH
          : { status: 400, body: {} };
    const session = new FakeSession({ planted });
    const { found } = await search('etf-history', session, 60);
    expect([...found.keys()]).toEqual(expect.arrayContaining(['4/no-5xx', '7/error-shape']));
  });

  it('asks for the same with the same seed, and otherwise with another', async () => {
    const urls = async (seed: number): Promise<readonly string[]> => {
      const session = new FakeSession({ seed });
      await search('news', session, 20);
      return session.urls;
    };
    expect(await urls(7)).toEqual(await urls(7));
    expect(await urls(8)).not.toEqual(await urls(7));
  });

  it('ends with what keeps it from sending, and shrinks nothing then', async () => {
    const error = new BudgetExhausted('max-requests', '5 requests');
    const session = new FakeSession({ fails: { from: 5, error } });
    await expect(search('news', session, 20)).rejects.toBe(error);
    expect(session.sent).toHaveLength(5);
  });
});
