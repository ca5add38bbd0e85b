import { describe, expect, it } from 'vitest';
import type { FixtureKind } from '../spec/endpoints.ts';
import type { Exchange } from '../spec/exchange.ts';
import type { FixtureAnswer } from '../target/discover.ts';
import { knownIds } from './known-ids.ts';

const discovered = (ids: string[], ...others: string[][]): FixtureAnswer => ({
  ids,
  others,
  source: 'discovered',
  reason: null,
  exchanges: [],
});

/** Known ids of a target that answers with `statuses`, and with 404 to other paths. */
function targetWith(answer: FixtureAnswer, statuses: Record<string, number>) {
  const asked: string[] = [];
  const known = knownIds(
    async () => Promise.resolve(answer),
    async (path, parameters) => {
      const [id = ''] = Object.values(parameters);
      asked.push(`${path} ${id}`);
      return Promise.resolve({ response: { status: statuses[id] ?? 404 } } as Exchange);
    },
  );
  return { known, asked };
}

const idsOf = async (known: ReturnType<typeof knownIds>, kind: FixtureKind) =>
  (await known.get(kind)).ids;

describe('known ids', () => {
  it('come from the target file without a request', async () => {
    const given: FixtureAnswer = { ...discovered(['a']), source: 'target file' };
    const { known, asked } = targetWith(given, {});
    expect(await idsOf(known, 'currencyIds')).toEqual(['a']);
    expect(asked).toEqual([]);
    expect(known.discovered).toEqual({});
  });

  it('fall back to the default seed where the path rejects the drawn one', async () => {
    const answer: FixtureAnswer = { ...discovered(['drawn', 'usual', 'c']), drawn: true };
    const { known } = targetWith(answer, { usual: 200 });
    const found = await known.get('currencyIds');
    expect(found.ids).toEqual(['usual', 'c', 'drawn']);
    expect(found.drawn).toBeUndefined();
  });

  it('list entries by the name that the path accepts, in the order of the default seed', async () => {
    const answer: FixtureAnswer = {
      ...discovered(['B', 'A', 'C'], ['b', 'a', 'c']),
      drawn: true,
      listed: ['A', 'B', 'C'],
      listedOthers: [['a', 'b', 'c']],
    };
    const { known } = targetWith(answer, { b: 200 });
    expect(await idsOf(known, 'currencyIds')).toEqual(['b', 'a', 'c']);
    expect(known.shown).toEqual({ currencyIds: ['a', 'b', 'c'] });
  });

  it('list differently written ones first', async () => {
    const names = ['CPI', 'PPI', 'GDP', 'Core PCE', 'U.S. GDP'];
    const { known } = targetWith(discovered(names), { CPI: 200 });
    expect(await idsOf(known, 'macroEvents')).toEqual([
      'CPI',
      'PPI',
      'Core PCE',
      'U.S. GDP',
      'GDP',
    ]);
    const given: FixtureAnswer = {
      ...discovered(['A', 'B', 'C', '3042.HK']),
      source: 'target file',
    };
    expect(await idsOf(targetWith(given, {}).known, 'etfTickers')).toEqual([
      'A',
      'B',
      '3042.HK',
      'C',
    ]);
  });

  it('are confirmed once with the plain request of their endpoint', async () => {
    const { known, asked } = targetWith(discovered(['a', 'b']), { a: 200 });
    expect(await idsOf(known, 'currencyIds')).toEqual(['a', 'b']);
    expect(await idsOf(known, 'currencyIds')).toEqual(['a', 'b']);
    expect(asked).toEqual(['/currencies/{currency_id} a']);
    expect(known.discovered).toEqual({ currency_id: ['a', 'b'] });
  });

  it('are the alternative names of entries when paths accept those', async () => {
    const { known } = targetWith(discovered(['BTC', 'ETH'], ['1', '2']), { '1': 200 });
    expect(await idsOf(known, 'currencyIds')).toEqual(['1', '2']);
    const slugs = discovered(['Mining Companies'], ['9'], ['mining']);
    expect(await idsOf(targetWith(slugs, { mining: 400 }).known, 'sectorNames')).toEqual([
      'mining',
    ]);
  });

  it('start with another entry when the first one is not found', async () => {
    const { known } = targetWith(discovered(['gone', 'b', 'c']), { b: 200 });
    expect(await idsOf(known, 'etfTickers')).toEqual(['b', 'gone', 'c']);
  });

  it('are left unchanged when nothing is found after three requests', async () => {
    const { known, asked } = targetWith(discovered(['a', 'b', 'c', 'd'], ['x']), {});
    expect(await idsOf(known, 'stockTickers')).toEqual(['a', 'b', 'c', 'd']);
    expect(asked).toHaveLength(3);
  });

  it('are not discarded when the server fails', async () => {
    const { known } = targetWith(discovered(['a', 'b']), { a: 503, b: 200 });
    expect(await idsOf(known, 'currencyIds')).toEqual(['a', 'b']);
  });
});
