import { describe, expect, it } from 'vitest';
import type { FixtureKind } from '../../src/spec/endpoints.ts';
import { openSession } from '../../src/http/session.ts';
import { createReference, movableClock } from '../../src/reference/reference.ts';
import { resolveTarget } from '../../src/target/file/resolve-target.ts';
import { parseTargetFile } from '../../src/target/file/target-file.ts';
import { WORLD } from '../kept/data.ts';

const KINDS: readonly FixtureKind[] = [
  'currencyIds',
  'etfTickers',
  'stockTickers',
  'indexTickers',
  'sectorNames',
  'macroEvents',
  'chartNames',
  'projectIds',
];

describe('a session against the reference server', () => {
  it('discovers every kind of fixture and stays within the limits, as counted by the server', async () => {
    const reference = createReference({ world: WORLD, clock: movableClock(), control: true });
    let arrived = 0;
    const listening = await reference.listen({ onRequest: () => void (arrived += 1) });
    const source = JSON.stringify(reference.targetFile(listening.baseUrl));
    const target = resolveTarget({ env: {}, file: parseTargetFile(source, 'target.json', {}) });
    const keys = { ...target.keys, valid: target.keys.valid.slice(0, 2) };
    const session = openSession({ ...target, keys }, { seed: 1 });
    try {
      for (const kind of KINDS) {
        const { ids, reason } = await session.fixtures.get(kind);
        expect(reason).toBeNull();
        expect(ids.length).toBeGreaterThan(0);
      }
      const [currency = ''] = (await session.fixtures.get('currencyIds')).ids;
      const path = '/currencies/{currency_id}/pairs';
      const answers = await Promise.all(
        Array.from({ length: 92 }, (_, index) =>
          session.get(path, {
            pathParameters: { currency_id: currency },
            query: { page: 1, page_size: index + 1 },
          }),
        ),
      );
      expect(answers.every(({ response }) => response?.status === 200)).toBe(true);
      const rejected = await session.get('/news', { role: 'unknown' });
      expect(rejected.response?.status).toBe(401);
      expect(session.exchanges.filter(({ response }) => response?.status === 429)).toEqual([]);
      expect(session.stats()).toMatchObject({ total: 101, byRole: { valid: 100, unknown: 1 } });
      expect(arrived).toBe(101);
      // 100 requests over two keys need the rest of one window and two more.
      expect(session.stats().waitedMs).toBeLessThanOrEqual(1.05 * 3 * 60_000);
    } finally {
      await session.close();
      await listening.close();
    }
  });
});
