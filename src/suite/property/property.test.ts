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
import { REQUIREMENTS } from '../../requirements/catalogue.ts';
import { checkProperty, search } from './property.ts';

afterEach(() => vi.unstubAllEnvs());

const crashFrom38: Planted = (request) =>
  Number(parameter(request, 'limit')) >= 38 ? CRASH : undefined;

async function thrown(work: Promise<void>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('a check of a property', () => {
  it('passes on what its search judged, and notes it', async () => {
    const session = new FakeSession();
    await checkProperty('currency-klines', '4/no-5xx', session);
    expect(session.noted.length).toBeGreaterThan(3);
  });

  it('names the smallest case, its seed and its path', async () => {
    const session = new FakeSession({ planted: crashFrom38, seed: 42 });
    const error = await thrown(checkProperty('etf-history', '4/no-5xx', session));
    expect(error).toBeInstanceOf(Violation);
    const { message, findings } = error as Violation;
    const command =
      /replay: assay run … --profile full --seed 42 --path etf-history:\d+(:\d+)* --only 4\/no-5xx/;
    expect(findings).toHaveLength(1);
    expect(findings[0]?.requirement).toBe('4/no-5xx');
    expect(findings[0]?.replay).toMatch(/^etf-history:\d+(:\d+)*$/);
    expect(findings[0]?.message).not.toContain('replay');
    expect(message).toMatch(command);
    expect(message).toContain('limit=');
    expect(message).toContain('curl');
  });

  it('tries the named case again, and leaves the other properties out', async () => {
    const session = new FakeSession({ planted: crashFrom38, seed: 42 });
    const error = await thrown(checkProperty('etf-history', '4/no-5xx', session));
    const path = (error as Violation).findings[0]?.replay ?? '';
    const again = new FakeSession({ planted: crashFrom38, seed: 42, path });
    const second = await thrown(checkProperty('etf-history', '4/no-5xx', again));
    expect((second as Violation).findings[0]?.message).toBe(
      (error as Violation).findings[0]?.message,
    );
    expect(again.sent.length).toBeLessThan(4);
    expect(await thrown(checkProperty('news', '4/no-5xx', again))).toBeInstanceOf(Untested);
    const wrong = new FakeSession({ path: 'news' });
    await expect(checkProperty('news', '4/no-5xx', wrong)).rejects.toThrow('is not a case');
  });

  it('searches once a run, whichever requirements ask', async () => {
    const session = new FakeSession();
    const [{ name, requests }] = DRAWN;
    const drawn = REQUIREMENTS.filter((one) => one.drawn?.includes(name) === true);
    expect(drawn.length).toBeGreaterThan(5);
    for (const { id } of drawn) await thrown(checkProperty(name, id, session));
    expect(session.sent).toHaveLength(requests);
  });

  it('is untested for what nothing drawn puts to the test', async () => {
    const error = await thrown(checkProperty('macro-history', '4.2/total', new FakeSession()));
    expect(error).toBeInstanceOf(Untested);
    expect((error as Untested).message).toBe(
      'none of the 8 generated requests tests this requirement',
    );
  });

  it('is untested without requests, and says what to raise', async () => {
    const error = await thrown(checkProperty('news', '4/no-5xx', new FakeSession({ left: 9 })));
    expect(error).toBeInstanceOf(Untested);
    expect((error as Untested).message).toContain('--max-requests');
  });

  it('is inconclusive when requests got no answer', async () => {
    const planted: Planted = ({ query }) => (query.length > 1 ? 'no answer' : undefined);
    const session = new FakeSession({ planted });
    const error = await thrown(checkProperty('currency-klines', '4/no-5xx', session));
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
