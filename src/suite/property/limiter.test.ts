import { afterEach, describe, expect, it } from 'vitest';
import { startEmbedded, type EmbeddedOptions } from '../../run/embedded.ts';
import { SuiteSession } from '../session.ts';
import { LIMITER_REQUESTS } from './catalogue.ts';
import { LimiterTrials, steps } from './limiter.ts';
import { search, type SearchResult } from './search.ts';
import { Tokens } from './tokens.ts';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

const NOW = Date.UTC(2026, 8, 9, 15);

async function searched(options: EmbeddedOptions, seed = 1): Promise<SearchResult> {
  const embedded = await startEmbedded({ now: NOW, validKeys: 3, ...options });
  const session = new SuiteSession({
    runId: 'test',
    target: embedded.target,
    profile: 'full',
    seed,
    only: ['4.6'],
    skip: [],
    maxRequests: null,
    channel: null,
  });
  cleanups.push(
    () => embedded.close(),
    () => session.close(),
  );
  await session.send('/analyses', {});
  const tokens = new Tokens(LIMITER_REQUESTS);
  const trials = await LimiterTrials.open(session, tokens);
  try {
    const attempt = trials.try.bind(trials);
    return await search({ cases: steps(3), attempt, seed, tokens });
  } finally {
    trials.release();
  }
}

const seen = ({ seen: all }: SearchResult): string[] =>
  [...all].map(([id, { message }]) => `${id}: ${message}`);

describe('the limiter and its model', () => {
  const conforming = [
    [],
    ['sliding-window'],
    ['anchored-window'],
    ['no-rate-headers'],
    ['refused-not-counted'],
    ['sliding-window', 'no-rate-headers'],
    ['anchored-window', 'refused-not-counted'],
  ];
  it.each(conforming)('agree: %j', async (...variants) => {
    for (const seed of [1, 2, 3]) {
      const result = await searched({ variants: variants.filter(Boolean) }, seed);
      expect(seen(result)).toEqual([]);
      expect(result.judged.has('8/limit-not-early')).toBe(true);
      expect(result.requests).toBeLessThanOrEqual(LIMITER_REQUESTS);
    }
  });
  it.each([
    'limit-off',
    'limit-one-more',
    'limit-one-less',
    'limit-racy',
    'limit-shared',
    'limit-penalty',
    'limit-never-resets',
  ])('disagree: %s', async (fault) => {
    console.log(fault);
    for (const seed of [1, 2, 3]) {
      const result = await searched({ faults: [fault] }, seed);
      console.log(
        seed,
        seen(result),
        [...result.found].map(([id, f]) => [id, f.path, f.shrinks]),
        result.requests,
      );
    }
  });
});
