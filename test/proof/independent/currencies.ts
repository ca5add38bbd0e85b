import { plusDays, utcDay } from './calendar.ts';
import type { Call, Endpoints } from './call.ts';
import { at, DAY, noise, random, times, type Body } from './core.ts';
import { candle, KLINE_PARAMS, klines, priceNow, rounded, type Priced } from './prices.ts';
import { Refusal, wrong } from './refusals.ts';
import { decimals, figure, hexOf, nameOf, percentText, picture, slugOf } from './texts.ts';
import { timeLong, timeText, written } from './texts.ts';
import type { World } from './world.ts';

/** A currency of the world. */
export interface Currency extends Priced {
  readonly index: number;
  readonly id: string;
  readonly name: string;
}

/** The forms of identifiers. */
const FORMS = {
  numeric: /^\d{1,12}$/,
  slug: /^[a-z0-9-]{1,60}$/,
  symbol: /^[A-Z0-9]{1,12}$/,
  'symbol-lower': /^[a-z0-9]{1,12}$/,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  'beyond-2-53': /^\d{15,20}$/,
  prefixed: /^cur_\d{5}$/,
  hex: /^[0-9a-f]{24}$/,
};

const UUID = /(.{8})(.{4}).(.{3}).(.{3})(.{12})/;

function idOf(world: World, index: number): string {
  const { name, symbol } = nameOf(index);
  return world.of('currency-ids', {
    numeric: String(index === 0 ? 1 : 1027 + (index - 1) * 13),
    slug: slugOf(name),
    symbol,
    'symbol-lower': symbol.toLowerCase(),
    uuid: hexOf(name, 32).replace(UUID, '$1-$2-4$3-a$4-$5'),
    'beyond-2-53': String(1_673_723_677_362_319_867n + BigInt(index) * 7_919n),
    prefixed: `cur_${String(index + 1).padStart(5, '0')}`,
    hex: hexOf(name, 24),
  });
}

/** Prices of the first currencies to begin with, USD. */
const PRICES = [86_000, 2_900, 1, 140, 870, 2.1, 0.15, 0.42, 14, 13, 2.3, 84, 0.14];

/** All currencies, largest first. */
export const currencies = (world: World): readonly Currency[] =>
  world.once('currencies', () =>
    times(world.count('currencies'), (index) => {
      const base = PRICES[index] ?? rounded(0.01 + noise('base', index) * 40, 4);
      return { index, id: idOf(world, index), base, ...nameOf(index) };
    }),
  );

const looksLikeId = (world: World, id: string): boolean => world.of('currency-ids', FORMS).test(id);

/** Fixtures: an id that a currency far down the list would have, and one of a wrong form. */
export function unknownIds(world: World) {
  const malformedCurrencyId = ['not an id!', '%%%'].find((id) => !looksLikeId(world, id));
  const checked = world.is('id-check', 'malformed');
  return { unknownCurrencyId: idOf(world, 98_765), ...(checked && { malformedCurrencyId }) };
}

/** The currency with an id, if any has it. Throws a Refusal when the id has the wrong form. */
export function currencyWith(world: World, id: string): Currency | undefined {
  const found = currencies(world).find((one) => one.id === id);
  if (found === undefined && world.is('id-check', 'malformed') && !looksLikeId(world, id))
    throw wrong('format', 'currency_id', id, 'not an id');
  return found;
}

/** The currency of the path. Throws a Refusal when none has the id. */
export function currencyOf({ world, path }: Call): Currency {
  const id = path['currency_id'] ?? '';
  return currencyWith(world, id) ?? refuse('Currency', id);
}

function refuse(what: string, currency_id: string): never {
  const details = { currency_id, suggestion: 'GET /currencies lists the currencies.' };
  throw new Refusal('resource', { message: `${what} not found`, details });
}

/** Refuses a currency that has no fundraising, or no token economics, in this world. */
function checkHas(world: World, part: 'fundraising' | 'economics', one: Currency): void {
  const choice = world.choice(part);
  const lacks =
    (choice === 'some-404' && one.index % 3 === 0) ||
    (choice === 'first-four-404' && one.index < 4) ||
    (choice === 'only-last' && one.index !== world.count('currencies') - 1);
  if (lacks) refuse(part === 'economics' ? 'Token economics' : 'Fundraising', one.id);
}

const SECTORS = ['Layer 1', 'DeFi', 'Stablecoin', 'Meme', 'Infrastructure', 'GameFi'];
const CHAINS = ['Ethereum', 'BNB Chain', 'Solana', 'Base'];

function info(call: Call) {
  const { world } = call;
  const { id, index, name, symbol } = currencyOf(call);
  const slug = slugOf(name);
  const born = Date.UTC(2009 + (index % 14), index % 12, 3);
  const sector = random(world.seed, 'info', index).integer(1, 40);
  const list = (...items: readonly unknown[]): readonly unknown[] =>
    world.is('empty-lists', 'empty') ? [] : items;
  const event = (days: number, content: string): Body => ({
    time: timeText(world, born + days * DAY),
    content: written(world, content),
  });
  const contract = `0x${hexOf(slug, 32)}`;
  return {
    currency_id: id,
    name: written(world, name),
    symbol,
    introduction: written(world, `${name} is a network for payments.`),
    sector: list({ id: String(sector), name: at(SECTORS, index) }),
    icon: picture('icons', id),
    contracts: index < 2 ? [] : list({ chain: at(CHAINS, index), contract }),
    white_paper: `https://${slug}.example.org/paper.pdf`,
    first_issue_time: timeText(world, born),
    explorers: list(`https://scan.example.org/${slug}`, `https://${slug}.blocks.example.net`),
    community: {
      social_primary: `https://social.example.com/${slug}`,
      social_forum: `https://forum.example.com/r/${slug}`,
    },
    significant_events: list(event(400, 'The first upgrade'), event(900, 'Half the reward')),
  };
}

function snapshot(call: Call) {
  const { world, now } = call;
  const one = currencyOf(call);
  const today = candle(world, one, utcDay(now));
  const before = candle(world, one, plusDays(utcDay(now), -1));
  const price = priceNow(call, one);
  const circulating = Math.round(1e7 * (1 + noise('supply', one.index) * 900));
  const total = Math.round(circulating * 1.1);
  const limit = world.of('supply', {
    mixed: one.index % 2 === 0 ? Math.round(total * 1.3) : null,
    'all-unlimited': null,
    'all-limited': total * 2,
  });
  const marketcap = rounded(price * circulating, 12);
  const turnover = rounded(today.volume * one.base * 0.01, 9);
  const [ath, cycle_low] = [rounded(one.base * 1.9), rounded(one.base * 0.3)];
  return {
    ...decimals(world, {
      price,
      change_pct_24h: rounded((price / before.close - 1) * 100, 5),
      turnover_24h: turnover,
      turnover_rate: rounded(turnover / marketcap, 5),
      high_24h: Math.max(today.high, price),
      low_24h: Math.min(today.low, price),
      marketcap,
      fdv: rounded(price * (limit ?? total), 12),
      ath,
      cycle_low,
    }),
    max_supply: limit === null ? null : String(limit),
    total_supply: String(total),
    circulating_supply: String(circulating),
    ath_date: timeText(world, Date.UTC(2025, 9, 6, 14)),
    down_from_ath: percentText(world, (price / ath - 1) * 100),
    cycle_low_date: timeText(world, Date.UTC(2022, 10, 21, 21)),
    up_from_cycle_low: percentText(world, (price / cycle_low - 1) * 100),
    marketcap_rank: one.index + 1,
  };
}

const HOLDERS = { Team: 18.5, Investors: 21.5, Community: 40, Treasury: 20 };

function tokenEconomics(call: Call) {
  const { world, now } = call;
  const one = currencyOf(call);
  checkHas(world, 'economics', one);
  const none = world.is('economics', 'empty');
  const allocation = Object.entries(HOLDERS).map(([holder, percentage]) => ({
    holder: written(world, holder),
    percentage: figure(world, percentage),
  }));
  const timeline = times(6, (month) => ({
    vestings: [
      { label: 'Team', amount: figure(world, 125_000 + month) },
      { label: 'Investors', amount: figure(world, 90_000.5) },
    ],
    timestamp: timeText(world, now - (now % DAY) + (month - 3) * 30 * DAY),
  }));
  return {
    token_allocation: none ? [] : allocation,
    token_unlock: { unlocked: none ? '0' : '61250000.5', total_locked: none ? '0' : '38749999.5' },
    unlock_timeline:
      none || world.is('economics', 'no-timeline') || one.index % 5 === 4 ? null : timeline,
  };
}

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
  const money = (unit: number): string => String((index + 1) * unit);
  const amount = money(2_500_000);
  const secret = { none: amount, null: null, 'empty-text': '', word: 'Undisclosed' };
  return {
    round_id: String(8000 + currency * 10 + index),
    round: at(ROUNDS, index),
    amount: index % 2 === 0 ? amount : world.of('undisclosed', secret),
    valuation: index % 2 === 0 ? null : money(40_000_000),
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

function currencyKlines(call: Call): unknown {
  const one = currencyOf(call);
  const age = call.world.of('kline-age', {
    old: 1000,
    'some-young': one.index % 3 === 1 ? 4 : 1000,
    'all-young': 20,
    newborn: 0,
  });
  return klines(call, one, age, () => true, priceNow(call, one));
}

/** Endpoints of currencies, apart from their pairs. */
export const CURRENCIES: Endpoints = {
  '/currencies/{currency_id}': { params: {}, answer: info },
  '/currencies/{currency_id}/market-snapshot': { params: {}, answer: snapshot },
  '/currencies/{currency_id}/token-economics': { params: {}, answer: tokenEconomics },
  '/currencies/{currency_id}/fundraising': { params: {}, answer: fundraising },
  '/currencies/{currency_id}/klines': { params: KLINE_PARAMS, answer: currencyKlines },
};
