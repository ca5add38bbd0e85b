import { describe, expect, it } from 'vitest';
import { judge } from '../../test/judge/exchanges.ts';
import { FUNDRAISING, one } from '../../test/judge/resource-exchanges.ts';

const ID = '2.6/all-investors';

const round = (...investors: readonly (readonly [id: string, name: string | null])[]) => ({
  investors: investors.map(([investor_id, name]) => ({ investor_id, name })),
});
const ROUNDS = [
  round(['11', 'North Capital'], ['12', 'Delta Fund']),
  round(['11', 'North Capital'], ['13', 'Everest']),
];

/** Messages of the findings; undefined if nothing was judged. */
const found = (investors: unknown, rounds: readonly unknown[] = ROUNDS) =>
  judge([one(FUNDRAISING, 'fundraising', { fundraising_rounds: rounds, investors })])
    .requirements.get(ID)
    ?.findings.map(({ message }) => message.replace(/^.*: /, ''));

describe('the investors of a project', () => {
  it('include those of all rounds, by id or name', () => {
    const named = [{ label: 'NORTH CAPITAL ' }, { about: { key: '12' } }, { name: 'Everest' }];
    expect(found(named)).toEqual([]);
    expect(found(named.slice(0, 2))).toEqual([
      '`investors` lacks 1 of the 3 investors that the rounds name',
    ]);
    expect(found(named.slice(0, 1))).toEqual([
      '`investors` lacks 2 of the 3 investors that the rounds name',
    ]);
  });

  it('may be grouped or contain more', () => {
    expect(found([{ kind: 'funds', who: ['north capital', 'delta fund', 'everest'] }])).toEqual([]);
    expect(found(['11', '12', '13', '14'].map((id) => ({ id })))).toEqual([]);
  });

  it('may have other names', () => {
    const spelled = [{ name: 'North Capital' }, { name: 'Delta' }, { name: 'Everest Labs' }];
    expect(found(spelled)).toEqual([]);
    expect(found([{ ref: 1 }])).toBeUndefined();
    expect(found([])).toBeUndefined();
    expect(found(null)).toBeUndefined();
  });

  it('exclude undisclosed ones', () => {
    const unnamed = [
      round(['11', 'North Capital'], ['1', ''], ['2', null], ['3', '--'], ['4', 'Undisclosed']),
      round(['5', 'Angel investors'], ['6', 'Others'], ['7', 'N/A'], ['8', 'Public Sale']),
    ];
    expect(found([{ id: '11' }], unnamed)).toEqual([]);
  });
});
