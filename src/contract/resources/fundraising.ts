/** Fundraising of a currency (§2.6). */
import {
  name,
  text,
  figure,
  anyTime,
  time,
  integer,
  flag,
  object,
  shared,
  list,
  texts,
  objects,
  orNull,
  orUnknown,
} from './value.ts';
import type { Resource, Resources } from './value.ts';

const ROUND_INVESTOR = shared(
  'roundInvestor',
  'Investor of a round',
  'One investor of one round (§2.6). What the values of `type` stand for is not stated.',
  {
    investor_id: name('Identifier of the investor.', '77'),
    name: name('Name.', 'Example Capital'),
    logo_url: text('Address of the logo.', 'https://cdn.example/logos/77.png'),
    type: integer('Kind of investor.', 1),
    is_lead_investor: flag('Whether it led the round.', true),
  },
  {
    is: 'an investor: investor_id, name, logo_url, type (integer), is_lead_investor (boolean)',
    slug: 'round-investor',
    row: 'investor item inside a round',
  },
);

const FUNDRAISING_ROUND = shared(
  'fundraisingRound',
  'Fundraising round',
  'One round in which a project raised money (§2.6).',
  {
    round_id: name('Identifier of the round.', '1'),
    round: text('Name of the round.', 'Seed'),
    amount: orUnknown(figure('Amount raised.', '5000000')),
    valuation: orNull(text('Valuation of the project; null when unknown.', null)),
    date: orUnknown(time('Time of the round; the unit is not stated.', 1_650_000_000_000)),
    investors: list('Who invested in the round.', ROUND_INVESTOR),
  },
  {
    is: 'a round: round_id, round, amount, valuation (may be null), date, investors',
    slug: 'round-item',
    row: 'fundraising_rounds item',
  },
);

const PORTFOLIO_PROJECT = shared(
  'portfolioProject',
  'Portfolio project',
  'A project that this project has invested in (§2.6).',
  {
    project_id: name('Identifier of the project.', '1673700000000000202'),
    project_name: name('Name.', 'Another Project'),
    logo_url: text('Address of the logo.', 'https://cdn.example/logos/202.png'),
    ecosystems: texts('Ecosystems that it belongs to.', ['Ethereum']),
    established_date: orUnknown(
      time('When it was founded; the unit is not stated.', 1_609_459_200_000),
    ),
    funding_status: text('State of its funding.', 'Series A'),
    regions: texts('Regions that it works in.', ['Singapore']),
  },
);

/** They share a row of the table. */
const TIMES = { row: 'create_time, update_time' };

/** §2.6. */
const FUNDRAISING: Resource = {
  section: '2.6',
  title: 'Currency fundraising',
  says: 'Answer of GET /currencies/{currency_id}/fundraising (§2.6). The fields of `investors` and `team` are not stated beyond being objects.',
  called: 'currency fundraising',
  fields: {
    project_id: name('Identifier of the project.', '1673700000000000101'),
    social_username: text('Name of the project on its social network.', 'example_project'),
    create_time: time(
      'When the record was made; the unit is not stated.',
      1_700_000_000_000,
      TIMES,
    ),
    update_time: time(
      'When the record was changed; the unit is not stated.',
      1_760_000_000_000,
      TIMES,
    ),
    fundraising_rounds: list('Rounds.', FUNDRAISING_ROUND),
    investors: objects('All investors of the project.', [{ name: 'Example Capital' }]),
    team: objects('Members of the team.', [{ name: 'A. Founder' }]),
    investment_stats: object(
      'Investments of the project itself.',
      {
        total_rounds: integer('Number of rounds.', 3),
        rounds_last_year: integer('Number of rounds in the last year.', 1),
        lead_invest_count: integer('Number of investments that it led.', 1),
        portfolio_count: integer('Number of projects in the portfolio.', 3),
        last_invest_date: anyTime('Time of its last investment, or null.', null),
      },
      { is: 'an object with four integer counts and last_invest_date (may be null)' },
    ),
    portfolio: list('Projects that this project has invested in.', PORTFOLIO_PROJECT, {
      is: 'an array of objects with the seven stated fields of a portfolio project',
    }),
  },
};

export const FUNDRAISINGS = {
  fundraising: FUNDRAISING,
} as const satisfies Resources;
