import { afterEach, describe, expect, it } from 'vitest';
import { MINUTE } from '../../spec/time.ts';
import { manualClock, movableClock } from '../clock.ts';
import { createReference } from '../reference.ts';
import type { Listening } from '../http-server.ts';
import { DIMENSIONS } from './choices.ts';
import { deploymentOf, drawWorld, printWorld, readChoice } from './worlds.ts';
import { WORLD } from '../../../test/kept/data.ts';

const NOW = Date.UTC(2026, 8, 9, 15);
const base = WORLD;

describe('drawWorld', () => {
  it('draws the same choices from the same seed', () => {
    for (const seed of [1, 2, 77, 123_456]) expect(drawWorld(seed)).toEqual(drawWorld(seed));
    const drawn = Array.from({ length: 40 }, (_, seed) => printWorld(drawWorld(seed)).join());
    expect(new Set(drawn).size).toBeGreaterThan(35);
  });

  it('takes a forced choice and leaves all others as they were', () => {
    const { day: _day, ...others } = drawWorld(5);
    expect(drawWorld(5, { day: 'saturday' })).toEqual({ ...others, day: 'saturday' });
    expect(drawWorld(5, { day: 'a-wednesday' })).toEqual(others);
  });

  it('reaches every choice', () => {
    const drawn = new Set(
      Array.from({ length: 4000 }, (_, seed) => printWorld(drawWorld(seed))).flat(),
    );
    const all = DIMENSIONS.flatMap(({ name, choices }) =>
      [...choices.keys()].slice(1).map((value) => `${name}=${value}`),
    );
    expect(all.filter((choice) => !drawn.has(choice))).toEqual([]);
  });
});

describe('readChoice', () => {
  it('reads what is printed', () => {
    for (const choice of printWorld(drawWorld(3))) {
      expect(readChoice(choice).join('=')).toBe(choice);
    }
  });

  it('names the nearest dimension, or the answers of one', () => {
    expect(() => readChoice('calender=none')).toThrow('Did you mean "calendar"?');
    expect(() => readChoice('clock=fast')).toThrow('There are: movable, real.');
  });
});

describe('the dimensions', () => {
  it('have different names', () => {
    const names = DIMENSIONS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  const valuesOf = (wanted: string): readonly string[] => [
    ...(DIMENSIONS.find(({ name }) => name === wanted)?.choices.keys() ?? []),
  ];
  const announced = valuesOf('announced-reset');
  const units = valuesOf('unit-of-retry_after').filter((unit) => unit !== 'seconds');
  it.each(announced)('never say a wait of less than none: announced-reset=%s', (value) => {
    for (const unit of units) {
      // The window ends 300 ms after a full second, which rounding takes for its end.
      const clock = manualClock(NOW + 300);
      const choices = {
        'kind-of-window': 'anchored-window',
        'announced-reset': value,
        'unit-of-retry_after': unit,
      };
      const { modifications } = deploymentOf(choices);
      const reference = createReference({ clock, world: base, modifications });
      const [key = ''] = reference.keys.valid;
      const waits = Array.from({ length: 120 }, (_, count) => {
        if (count >= 21) clock.advance(count === 21 ? MINUTE - 500 : 5);
        const { body } = reference.handle({
          method: 'GET',
          path: '/v1/currencies',
          headers: { 'x-api-key': key },
        });
        return /"retry_after":(-?[\d.]+)/.exec(body)?.[1];
      });
      const told = waits.flatMap((wait) => (wait === undefined ? [] : [Number(wait)]));
      expect(told.length).toBeGreaterThan(50);
      expect(Math.min(...told), unit).toBeGreaterThanOrEqual(0);
    }
  });

  let listening: Listening | undefined;
  afterEach(() => listening?.close());

  const choices = DIMENSIONS.flatMap(({ name, choices: answers }) =>
    [...answers.keys()].map((value) => [name, value] as const),
  );
  it.each(choices)('%s=%s answers', async (name, value) => {
    const deployment = deploymentOf({ [name]: value });
    const reference = createReference({
      clock: movableClock(deployment.start ?? NOW),
      world: base,
      modifications: deployment.modifications,
    });
    const [key = ''] = reference.keys.valid;
    const headers = { 'X-API-KEY': key };
    const { network } = deployment;
    // Without a socket, unless the choice is one of the network.
    const isLocal = Object.keys(network).length === 0;
    listening = isLocal ? undefined : await reference.listen({ network });
    const { baseUrl } = listening ?? { baseUrl: 'http://127.0.0.1:1/v1' };
    const ask = async (path: string): Promise<number> => {
      if (isLocal) {
        const answer = reference.handle({ method: 'GET', path: `/v1${path}`, headers });
        JSON.parse(answer.body);
        return answer.status;
      }
      try {
        const response = await fetch(baseUrl + path, { headers });
        await response.json();
        return response.status;
      } catch {
        // A world may reset a connection now and then, never twice in a row.
        return (await fetch(baseUrl + path, { headers })).status;
      }
    };
    expect(await ask('/currencies')).toBe(200);
    expect(await ask('/news')).toBe(200);
    const [first] = reference.world.currencyIds;
    if (first !== undefined) expect(await ask(`/currencies/${first}`)).toBe(200);
    const file = deployment.target(reference.targetFile(baseUrl), reference.world);
    expect(file.keys.valid).not.toEqual([]);
  });
});
