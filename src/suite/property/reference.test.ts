import { afterEach, describe, expect, it } from 'vitest';
import { startEmbedded, type EmbeddedOptions } from '../../run/embedded.ts';
import { SuiteSession } from '../../ask/session.ts';
import { DRAWN, type DrawnName } from '../../ask/properties.ts';
import { search, type SearchResult } from './property.ts';
import { WORLD } from '../../../test/kept/data.ts';

/** A Wednesday afternoon, with an unsettled row. */
const NOW = Date.UTC(2026, 8, 9, 15);

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

/** A search over a socket, with the pacing of a run; windows are not waited for. */
async function searched(
  name: DrawnName,
  options: EmbeddedOptions & { readonly requests?: number; readonly runSeed?: number },
): Promise<SearchResult> {
  const { requests = DRAWN.find((one) => one.name === name)?.requests ?? 0, runSeed = 1 } = options;
  const embedded = await startEmbedded({ now: NOW, world: WORLD, ...options });
  const session = new SuiteSession({
    runId: 'test',
    target: embedded.target,
    profile: 'full',
    seed: runSeed,
    only: [],
    skip: [],
    maxRequests: null,
    path: null,
    tell: null,
  });
  cleanups.push(
    () => embedded.close(),
    () => session.close(),
  );
  return search(name, session, requests);
}

/** Requests that are enough to come upon one bad value of one parameter, with the seed below; a run has fewer. */
const MANY = 80;

describe('properties against the reference server', () => {
  // Each crashes for some values of one parameter only.
  const crashes = [
    ['macro-history', 'macro-zero-crash', '4.6/macro-limit-invalid', 'limit'],
    ['news', 'news-unknown-language-crash', '4.2/language-unknown', 'language'],
    ['currency-klines', 'currency-klines-zero-crash', '4.1/klines-limit-invalid', 'limit'],
  ] as const;
  it.each(crashes)('%s finds %s', async (name, fault, requirement, parameter) => {
    const { found, asked } = await searched(name, { faults: [fault], requests: MANY, runSeed: 3 });
    expect(asked.length).toBeLessThanOrEqual(MANY);
    const crash = found.get('4/no-5xx');
    expect(crash?.exchange?.response?.status).toBe(500);
    // What is left of the request is what is required, and the parameter at fault.
    const names = crash?.exchange?.request.query.map(([one]) => one) ?? [];
    expect(new Set(names.filter((one) => one !== 'interval'))).toEqual(new Set([parameter]));
    expect(found.get(requirement)?.exchange?.id).toBe(crash?.exchange?.id);
  });

  it('finds nothing wrong with variants that answer strange requests in their own way', async () => {
    const variants = [
      'category-fallback',
      'language-fallback',
      'range-refused-403',
      'five-digit-codes',
    ];
    for (const name of ['news', 'etf-summary'] as const) {
      const { found, judged } = await searched(name, { variants, runSeed: 3 });
      expect([...found.values()]).toEqual([]);
      expect(judged.size).toBeGreaterThan(5);
    }
  });
});
