import { describe, expect, it } from 'vitest';
import type { EndpointPath } from '../spec/endpoints.ts';
import { Api } from './api.ts';
import type { SuiteSession } from './session.ts';

const PATH = '/indices/{index_ticker}';

/** The API of checks against a target with these indices. */
const apiOf = (ids: readonly string[]): Api =>
  new Api({
    fixtures: () => Promise.resolve({ ids, source: 'target file', reason: null, exchanges: [] }),
  } as unknown as SuiteSession);

describe('fixtures', () => {
  const first = async (name: string, ids: readonly string[]): Promise<string> =>
    apiOf(ids).fixture('indexTickers', `${PATH}/${name}` as EndpointPath);

  it('differ between endpoints whose responses are not compared', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    expect(await first('market-snapshot', ids)).toBe('a');
    expect(await first('constituents', ids)).toBe('c');
    expect(await first('klines', ids)).toBe('d');
  });

  it('start with the first one when the list is too short', async () => {
    expect(await first('klines', ['a', 'b'])).toBe('a');
  });

  it('keep their order after that one', async () => {
    expect(
      await apiOf(['a', 'b', 'c', 'd']).fixtures('indexTickers', `${PATH}/constituents`),
    ).toEqual(['c', 'a', 'b', 'd']);
  });
});
