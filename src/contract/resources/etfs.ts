/** ETF records (§2.8). */
import { name, date, number, untilSettled, decimal, turnover } from './value.ts';
import type { Resource, Resources } from './value.ts';

/** §2.8, the first table. */
const ETF_SUMMARY_ROW: Resource = {
  section: '2.8',
  prefix: 'summary-',
  title: 'ETF summary row',
  says: 'A row of GET /etfs/summary-history: all ETFs of one asset in one country on one trading day (§2.8, §4.3).',
  called: 'an ETF summary row',
  fields: {
    date: date('Trading day.', '2025-12-31', { is: 'a date of the form yyyy-MM-dd' }),
    total_net_inflow: decimal('Net inflow of the day, USD; negative for an outflow.', -125_400_000),
    total_value_traded: decimal('Traded value of the day, USD.', '2841120000.5'),
    total_net_assets: decimal('Net assets, USD.', '118230400000'),
    cum_net_inflow: decimal('Net inflow since the launch of the ETFs, USD.', '36120900000'),
  },
};

/** §2.8, the second table; §4.4. */
const ETF_HISTORY_ROW: Resource = {
  section: '2.8',
  prefix: 'history-',
  table: '2.8 table 2',
  title: 'ETF history row',
  says: 'A row of GET /etfs/{ticker}/history: one ETF on one trading day (§2.8, §4.4). The five figures that settle a day later are null until then; which rows may be unsettled is judged by a rule of its own.',
  called: 'an ETF history row',
  fields: {
    date: date('Trading day.', '2025-12-31', { contradictory: true }),
    ticker: name('Ticker of the ETF.', 'IBIT'),
    net_inflow: untilSettled('Net inflow of the day, USD; null until settled.', null),
    cum_inflow: untilSettled('Net inflow since launch, USD; null until settled.', null),
    net_assets: untilSettled('Net assets, USD; null until settled.', null),
    currency_share: untilSettled('Market share; null until settled.', null),
    prem_dsc: untilSettled('Premium or discount rate; null until settled.', null),
    value_traded: number('Traded value of the day, USD.', 1892345678.5),
    volume: turnover(
      'Meant as traded shares. Known issue (§4.4 rule 3): a decimal string that repeats value_traded; a number is accepted too (ruling 1).',
      '1892345678.5',
      { contradictory: true },
    ),
  },
  examples: [
    {
      date: '2025-12-30',
      net_inflow: 214_500_000,
      cum_inflow: 38_120_450_000,
      net_assets: 52_340_120_000,
      currency_share: 0.0395,
      prem_dsc: -0.0004,
      value_traded: 2012345678.25,
      volume: '2012345678.25',
    },
  ],
};

export const ETFS = {
  'etf-summary-row': ETF_SUMMARY_ROW,
  'etf-history-row': ETF_HISTORY_ROW,
} as const satisfies Resources;
