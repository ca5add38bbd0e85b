import { afterEach, describe, expect, it } from 'vitest';
import { startEmbedded, type EmbeddedOptions } from '../../run/embedded.ts';
import { SuiteSession } from '../../ask/session.ts';
import { LIMITER } from '../../ask/properties.ts';
import { LimiterTrials, steps } from './limiter.ts';
import { search, type SearchResult } from './search.ts';
import { Tokens } from './tokens.ts';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

const NOW = Date.UTC(2026, 8, 9, 15);

async function openSession(options: EmbeddedOptions, seed: number): Promise<SuiteSession> {
  const embedded = await startEmbedded({ now: NOW, validKeys: 3, ...options });
  const session = new SuiteSession({
    runId: 'test',
    target: embedded.target,
    profile: 'full',
    seed,
    only: ['4.6'],
    skip: [],
    maxRequests: null,
    path: null,
    tell: null,
  });
  cleanups.push(
    () => embedded.close(),
    () => session.close(),
  );
  await session.send('/analyses', {});
  return session;
}

async function searched(options: EmbeddedOptions, seed = 1): Promise<SearchResult> {
  const session = await openSession(options, seed);
  const tokens = new Tokens(LIMITER.requests);
  const trials = await LimiterTrials.open(session, tokens);
  try {
    const attempt = trials.try.bind(trials);
    return await search({ kinds: [steps(3)], attempt, seed, tokens });
  } finally {
    trials.release();
  }
}

const seen = ({ seen: all }: SearchResult): string[] =>
  [...all].map(([id, { message }]) => `${id}: ${message}`);

describe('the limiter and its model', () => {
  const conforming = [
    '',
    'sliding-window',
    'anchored-window',
    'no-rate-headers',
    'refused-not-counted',
    'refused-requests-count',
    'sliding-window-later-reset',
    'no-rate-headers-on-errors',
    'quota-like-rate-limit',
    'sliding-window no-rate-headers',
    'anchored-window refused-not-counted',
    'token-bucket',
    'weighted-counter',
    'reset-from-rest-in-seconds',
    'reset-from-rest-in-ms anchored-window',
    'date-behind',
    'no-date sliding-window',
  ];
  it.each(conforming)('agree: %s', async (names) => {
    const result = await searched({ variants: names.split(' ').filter((name) => name !== '') });
    expect(seen(result)).toEqual([]);
    expect([...result.judged.keys()]).toContain('8/limit-not-early');
    expect(result.requests).toBeLessThanOrEqual(LIMITER.requests);
  });

  const faults = [
    ['limit-off', '8/limit-enforced'],
    ['limit-one-more', '8/limit-enforced'],
    ['limit-racy', '8/limit-enforced'],
    ['limit-one-less', '8/limit-not-early'],
    ['limit-shared', '8/per-key'],
    ['limit-never-resets', '8/reset'],
  ] as const;
  it.each(faults)('disagree: %s', async (fault, requirement) => {
    const result = await searched({ faults: [fault] });
    expect([...result.found.keys()]).toEqual([requirement]);
    expect(result.requests).toBeLessThanOrEqual(LIMITER.requests);
  });

  it('gives the keys back', async () => {
    const session = await openSession({}, 1);
    const trials = await LimiterTrials.open(session, new Tokens(0));
    expect(await trials.try([{ kind: 'fill', key: 0 }])).toBeUndefined();
    trials.release();
    expect((await session.send('/analyses', { fresh: true })).response?.status).toBe(200);
  });
});
