import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  CRASH,
  FakeSession,
  parameter,
  type Planted,
} from '../../../test/property/fake-session.ts';
import { Inconclusive, Untested } from '../../ask/outcome.ts';
import { Violation } from '../outcome.ts';
import { ALL_REQUESTS, allot, DRAWN, PROPERTIES, type PropertyName } from '../../ask/properties.ts';
import { REQUIREMENTS } from '../../requirements/catalogue.ts';
import { checkProperty } from './property.ts';

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
    await expect(checkProperty('news', '4/no-5xx', wrong)).rejects.toThrow('names no case');
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
    expect((error as Untested).message).toBe('nothing drawn within 8 requests puts it to the test');
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

describe('the requests that are left for properties', () => {
  const least = (): number => 6;
  const given = (left: number, seed = 1): ReadonlyMap<PropertyName, number> =>
    allot({ left, seed, least });
  const sum = (allotted: ReadonlyMap<PropertyName, number>): number =>
    [...allotted.values()].reduce((all, one) => all + one, 0);

  it('are what each may ask for in a run without a bound', () => {
    const allotted = given(Number.POSITIVE_INFINITY);
    expect(Object.fromEntries(allotted)).toEqual(
      Object.fromEntries(PROPERTIES.map(({ name, requests }) => [name, requests])),
    );
  });

  it('are never exceeded, and no search gets fewer than it needs', () => {
    for (const left of [0, 3, 17, 29, 30, 41, 100, ALL_REQUESTS, 10_000]) {
      for (let seed = -3; seed < 15; seed += 1) {
        const allotted = given(left, seed);
        expect(sum(allotted)).toBeLessThanOrEqual(Math.max(0, left - 24));
        for (const [name, share] of allotted) {
          expect(share).toBeGreaterThanOrEqual(least());
          const property = PROPERTIES.find((one) => one.name === name);
          expect(share).toBeLessThanOrEqual(property?.requests ?? 0);
        }
      }
    }
  });

  it('go to a few when they do not suffice for all, to others with another seed', () => {
    const few = Array.from({ length: PROPERTIES.length }, (_, index) => given(24 + 25, index + 1));
    for (const allotted of few) {
      expect(allotted.size).toBeGreaterThan(0);
      expect(allotted.size).toBeLessThan(PROPERTIES.length);
    }
    const searched = new Set(few.flatMap((allotted) => [...allotted.keys()]));
    expect([...searched].toSorted()).toEqual(PROPERTIES.map(({ name }) => name).toSorted());
    expect(given(24 + 25, 3)).toEqual(given(24 + 25, 3 + PROPERTIES.length));
  });
});
