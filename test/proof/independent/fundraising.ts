import type { Call, Endpoints } from './call.ts';
import { at, DAY, random, times } from './core.ts';
import { checkHas, currencyOf } from './currencies.ts';
import { nameOf, picture, slugOf, timeLong, written } from './texts.ts';
import type { World } from './world.ts';

const ROUNDS = ['Seed', 'Series A', 'Series B', 'Strategic'];
const FIRMS = ['North Capital', 'Blue Ventures', 'Chainwell', 'Delta Fund', 'Everest Labs'];

/** Identifier of the project of a currency, or of a project by its index. */
export const projectId = (index: number): string => String(9_120_000 + index * 31);

const investor = (world: World, index: number, lead: boolean) => ({
  investor_id: String(500 + index),
  name: written(world, at(FIRMS, index)),
  logo_url: picture('investors', at(FIRMS, index)),
  type: 1 + (index % 3),
  is_lead_investor: lead,
});

function round(world: World, currency: number, index: number, day: number) {
  const figure = (unit: number): string => String((index + 1) * unit);
  const amount = figure(2_500_000);
  const secret = { none: amount, null: null, 'empty-text': '', word: 'Undisclosed' };
  return {
    round_id: String(8000 + currency * 10 + index),
    round: at(ROUNDS, index),
    amount: index % 2 === 0 ? amount : world.of('undisclosed', secret),
    valuation: index % 2 === 0 ? null : figure(40_000_000),
    date: timeLong(world, day - (200 + index * 260) * DAY),
    investors: [investor(world, index, true), investor(world, index + 1, false)],
  };
}

function portfolioItem(world: World, index: number) {
  const { name } = nameOf(index);
  return {
    project_id: projectId(index),
    project_name: written(world, name),
    logo_url: picture('projects', name),
    ecosystems: index % 2 === 0 ? ['Ethereum', 'Base'] : [],
    established_date: timeLong(world, Date.UTC(2018 + (index % 6), 2, 1)),
    funding_status: 'Series A',
    regions: ['US'],
  };
}

function fundraising(call: Call) {
  const { world, now } = call;
  const one = currencyOf(call);
  const { index } = one;
  checkHas(world, 'fundraising', one);
  const choice = world.choice('fundraising');
  const empty =
    (choice === 'some-empty' && index % 3 !== 0) || (choice === 'first-four-empty' && index < 4);
  const rounds = empty ? 0 : 1 + (index % 3);
  const day = now - (now % DAY);
  const some = <T>(...items: readonly T[]): readonly T[] => (empty ? [] : items);
  return {
    project_id: projectId(index),
    social_username: slugOf(one.name).replaceAll('-', '_'),
    create_time: timeLong(world, day - 900 * DAY),
    update_time: timeLong(world, day - 3 * DAY),
    fundraising_rounds: times(rounds, (number) => round(world, index, number, day)),
    // Each round has two investors, of whom the second leads the next one.
    investors: some(...times(rounds + 1, (number) => investor(world, number, number < rounds))),
    team: some({ name: written(world, 'Ada Example'), position: 'CEO' }),
    investment_stats: {
      total_rounds: rounds,
      rounds_last_year: Math.min(rounds, 1),
      lead_invest_count: random(world.seed, 'rounds', index).integer(0, 4),
      portfolio_count: empty ? 0 : 2,
      last_invest_date: empty || index % 2 === 0 ? null : timeLong(world, day - 200 * DAY),
    },
    portfolio: some(portfolioItem(world, index + 3), portfolioItem(world, index + 4)),
  };
}

/** The endpoint of what currencies have raised. */
export const FUNDRAISING: Endpoints = {
  '/currencies/{currency_id}/fundraising': { params: {}, answer: fundraising },
};
