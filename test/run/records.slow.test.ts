// A full run looks at every record of a short list, at each endpoint below it.
import { beforeAll, describe, expect, it } from 'vitest';
import { localReference } from '../../src/run/embedded.ts';
import { rehearse } from '../../src/suite/rehearsal.ts';
import { SuiteRun } from '../../src/suite/suite-run.ts';
import type { EndpointPath } from '../../src/spec/endpoints.ts';
import type { Exchange, KeyRole } from '../../src/spec/exchange.ts';
import { WORLD } from '../kept/data.ts';

const FUNDRAISING: EndpointPath = '/currencies/{currency_id}/fundraising';

/** The exchanges of a rehearsed run that looks at records. */
async function exchangesOf(forbidden: readonly EndpointPath[]): Promise<readonly Exchange[]> {
  const { keys, ...target } = await localReference(WORLD);
  const restricted = { key: keys.restricted?.key ?? '', forbidden };
  const run = new SuiteRun({
    runId: 'records',
    target: { ...target, keys: { ...keys, restricted } },
    profile: 'full',
    seed: 1,
    only: ['4/no-5xx', '5/restricted-elsewhere'],
    skip: [],
    maxRequests: null,
    path: null,
    tell: null,
  });
  try {
    await rehearse(run, false);
    return run.sent?.exchanges ?? [];
  } finally {
    await run.close();
  }
}

/** Identifiers with a record at an endpoint. */
const shown = (
  exchanges: readonly Exchange[],
  path: EndpointPath,
  roles: readonly KeyRole[] = ['valid', 'restricted'],
): Set<string> =>
  new Set(
    exchanges
      .filter((one) => one.endpoint === path && roles.includes(one.role))
      .filter(({ response }) => response?.status === 200)
      .flatMap(({ pathParameters }) => Object.values(pathParameters)),
  );

describe('a full run', () => {
  let open: readonly Exchange[] = [];
  beforeAll(async () => {
    open = await exchangesOf([]);
  });

  it.each([
    ['/indices/{index_ticker}/constituents', 8],
    ['/indices/{index_ticker}/market-snapshot', 8],
    ['/indices/{index_ticker}/klines', 8],
    ['/crypto-stocks/sector/{sector_name}/index', 5],
    ['/macro/events/{event}/history', 10],
  ] as const)('requests every record of a short list: %s', (path, records) => {
    expect(shown(open, path).size).toBe(records);
  });

  it('requests different records of a long list at each endpoint', () => {
    const all = open.flatMap(({ endpoint, pathParameters: { currency_id: id = '' } }) =>
      endpoint !== null && endpoint.startsWith('/currencies/{') ? [id] : [],
    );
    expect(new Set(all).size).toBeGreaterThan(20);
    expect(shown(open, FUNDRAISING).size).toBeGreaterThan(6);
  });

  it('uses valid keys where the restricted key has no access', async () => {
    expect(shown(open, FUNDRAISING, ['valid']).size).toBe(1);
    const closed = await exchangesOf([FUNDRAISING]);
    expect(shown(closed, FUNDRAISING, ['restricted']).size).toBe(0);
    expect(shown(closed, FUNDRAISING, ['valid']).size).toBeGreaterThan(6);
  });
});
