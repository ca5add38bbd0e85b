import { isList, isObject, type Json, type JsonObject } from '../core/json.ts';

import type { Defect } from './defect.ts';
import {
  CHARTS,
  each,
  ECONOMICS,
  FUNDRAISING,
  INFO,
  MACRO,
  PAIRS,
  plain,
  SNAPSHOT,
  STOCK,
  said,
} from './tools.ts';

type Change = (was: Json) => Json | undefined;

const gone: Change = () => undefined;
const none: Change = () => null;
const text: Change = (was) => said(was);
const number: Change = (was) => (Number.isNaN(Number(was)) ? 7 : Number(was));

/** Template, field, what is wrong with it, and how. A dot leads into an object or into every element of a list. */
const CHANGES: readonly (readonly [
  template: string,
  name: string,
  what: string,
  change: Change,
])[] = [
  [INFO, 'currency_id', 'a number', number],
  [INFO, 'name', 'null', none],
  [INFO, 'symbol', 'left out', gone],
  [INFO, 'introduction', 'left out', gone],
  [INFO, 'sector', 'a list of texts', () => ['Layer 1']],
  [INFO, 'sector.id', 'a number', number],
  [INFO, 'icon', 'null', none],
  [INFO, 'contracts', 'null', none],
  [INFO, 'white_paper', 'left out', gone],
  [INFO, 'first_issue_time', 'a number', () => 1_230_940_800_000],
  [INFO, 'first_issue_time', 'empty', () => ''],
  [INFO, 'explorers', 'null', none],
  [INFO, 'explorers', 'a list of objects', () => [{ url: 'https://scan.example.org' }]],
  [INFO, 'community', 'null', none],
  [INFO, 'community.social_forum', 'left out', gone],
  [INFO, 'significant_events', 'left out', gone],
  [INFO, 'significant_events.time', 'a number', () => 1_230_940_800_000],
  [INFO, 'significant_events.content', 'left out', gone],
  [SNAPSHOT, 'price', 'left out', gone],
  [SNAPSHOT, 'price', 'null', none],
  [SNAPSHOT, 'change_pct_24h', 'a text with a sign', (was) => `${said(was)}%`],
  [SNAPSHOT, 'turnover_24h', 'a text with commas', () => '1,234,567.8'],
  [SNAPSHOT, 'turnover_rate', 'left out', gone],
  [SNAPSHOT, 'high_24h', 'null', none],
  [SNAPSHOT, 'marketcap', 'left out', gone],
  [SNAPSHOT, 'fdv', 'an object', (was) => ({ value: was })],
  [SNAPSHOT, 'max_supply', 'a number', () => 21_000_000],
  [SNAPSHOT, 'max_supply', 'left out', gone],
  [SNAPSHOT, 'total_supply', 'a number', number],
  [SNAPSHOT, 'total_supply', 'null', none],
  [SNAPSHOT, 'circulating_supply', 'a number', number],
  [SNAPSHOT, 'ath', 'left out', gone],
  [SNAPSHOT, 'ath_date', 'a number', () => 1_759_759_200_000],
  [SNAPSHOT, 'down_from_ath', 'a number', number],
  [SNAPSHOT, 'cycle_low_date', 'null', none],
  [SNAPSHOT, 'up_from_cycle_low', 'null', none],
  [SNAPSHOT, 'marketcap_rank', 'a text', text],
  [SNAPSHOT, 'marketcap_rank', 'a fraction', (was) => Number(was) + 0.5],
  [ECONOMICS, 'token_allocation', 'null', none],
  [ECONOMICS, 'token_allocation.percentage', 'a text', text],
  [ECONOMICS, 'token_unlock', 'left out', gone],
  [ECONOMICS, 'token_unlock.unlocked', 'a number', number],
  [ECONOMICS, 'unlock_timeline', 'left out', gone],
  [ECONOMICS, 'unlock_timeline.timestamp', 'a number', () => 1_759_759_200_000],
  [ECONOMICS, 'unlock_timeline.vestings', 'null', none],
  [PAIRS, 'base', 'left out', gone],
  [PAIRS, 'target', 'null', none],
  [PAIRS, 'market', 'an object', (was) => ({ name: was })],
  [PAIRS, 'price', 'a text', text],
  [PAIRS, 'turnover_24h', 'left out', gone],
  [PAIRS, 'cost_to_move_up_usd', 'a text', text],
  [PAIRS, 'cost_to_move_down_usd', 'left out', gone],
  [FUNDRAISING, 'project_id', 'a number', number],
  [FUNDRAISING, 'social_username', 'left out', gone],
  [FUNDRAISING, 'create_time', 'a text', text],
  [FUNDRAISING, 'update_time', 'left out', gone],
  [FUNDRAISING, 'fundraising_rounds', 'null', none],
  [FUNDRAISING, 'fundraising_rounds.round_id', 'a number', number],
  [FUNDRAISING, 'fundraising_rounds.amount', 'a number', number],
  [FUNDRAISING, 'fundraising_rounds.valuation', 'a number', () => 5],
  [FUNDRAISING, 'fundraising_rounds.date', 'a text', text],
  [FUNDRAISING, 'fundraising_rounds.investors', 'left out', gone],
  [FUNDRAISING, 'fundraising_rounds.investors.type', 'a text', text],
  [FUNDRAISING, 'fundraising_rounds.investors.is_lead_investor', 'a number', (was) => Number(was)],
  [FUNDRAISING, 'investors', 'null', none],
  [FUNDRAISING, 'team', 'left out', gone],
  [FUNDRAISING, 'investment_stats', 'null', none],
  [FUNDRAISING, 'investment_stats.total_rounds', 'a text', text],
  [FUNDRAISING, 'investment_stats.last_invest_date', 'left out', gone],
  [FUNDRAISING, 'portfolio.ecosystems', 'a text', () => 'Ethereum'],
  [FUNDRAISING, 'portfolio.established_date', 'a text', text],
  [FUNDRAISING, 'portfolio.regions', 'null', none],
  [STOCK, 'timestamp', 'in seconds', (was) => Math.floor(Number(was) / 1000)],
  [STOCK, 'ticker', 'of another company', () => 'AAPL'],
  [STOCK, 'mkt_price', 'a text', text],
  [STOCK, 'mkt_status', 'in capitals', (was) => said(was).toUpperCase()],
  [STOCK, 'mkt_status', 'closed', () => 'closed'],
  [STOCK, 'volume', 'left out', gone],
  [STOCK, 'turnover', 'a text', text],
  [STOCK, 'circulating_marketcap', 'left out', gone],
  [STOCK, 'total_shares', 'a text', text],
  [STOCK, 'pe_ttm', 'a text', text],
  [STOCK, 'pb', 'left out', gone],
  [MACRO, 'date', 'a number', () => 1_759_759_200_000],
  [MACRO, 'actual', 'a text', (was) => `${said(was)}%`],
  [MACRO, 'forecast', 'left out', gone],
  [MACRO, 'previous', 'a text', text],
  [CHARTS, 'chart_name', 'null', none],
  [CHARTS, 'time_field', 'left out', gone],
  [CHARTS, 'fields', 'an object', () => ({ value: 'number' })],
  [CHARTS, 'fields.type', 'left out', gone],
];

const SHORT: Readonly<Record<string, string>> = {
  [INFO]: 'info',
  [SNAPSHOT]: 'snapshot',
  [ECONOMICS]: 'economics',
  [PAIRS]: 'pair',
  [FUNDRAISING]: 'fundraising',
  [STOCK]: 'stock',
  [MACRO]: 'macro-row',
  [CHARTS]: 'chart',
};

function deep(record: JsonObject, [name = '', ...rest]: readonly string[], change: Change): void {
  if (!(name in record)) return;
  const value = record[name];
  if (rest.length === 0) record[name] = change(value ?? null);
  else if (isObject(value)) deep(value, rest, change);
  else if (isList(value)) value.filter(isObject).forEach((entry) => deep(entry, rest, change));
}

/** Defects of single fields. */
export const FIELDS: readonly Defect[] = CHANGES.map(([template, name, what, change]) =>
  plain(
    `${SHORT[template] ?? ''}-${name.replaceAll(/[._]/g, '-')}-${what.replaceAll(' ', '-')}`,
    `${name} of GET ${template} is ${what}.`,
    each(template, (record) => deep(record, name.split('.'), change)),
  ),
);
