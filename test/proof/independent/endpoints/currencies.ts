import { Refusal } from '../conduct/errors.ts';
import type { Call } from '../core/call.ts';
import { DAY } from '../core/clock.ts';
import type { Json, JsonObject } from '../core/json.ts';
import { at, noise, random } from '../core/random.ts';
import { currencyById, hasPart, looksLikeId, type Currency } from '../data/currencies.ts';
import { picture, slugOf, uuidOf, written } from '../data/names.ts';
import { basePrice, candle, pulse, rounded } from '../data/prices.ts';
import { plusDays, utcDay } from '../data/calendar.ts';
import { decimal, figure, percentText, timeText } from './write.ts';

/** The currency of the path. Throws a Refusal when the id has the wrong form, or none has it. */
export function currencyOf(call: Call): Currency {
  const { world } = call;
  const id = call.path['currency_id'] ?? '';
  const found = currencyById(world, id);
  if (found !== undefined) return found;
  if (world.choice('id-check') === 'malformed' && !looksLikeId(world, id)) {
    throw new Refusal('format', { fields: ['currency_id'], value: id, issue: 'not an id' });
  }
  throw new Refusal('resource', {
    message: 'Currency not found',
    details: { currency_id: id, suggestion: 'GET /currencies lists the currencies.' },
  });
}

const SECTORS = ['Layer 1', 'DeFi', 'Stablecoin', 'Meme', 'Infrastructure', 'GameFi'];
const CHAINS = ['Ethereum', 'BNB Chain', 'Solana', 'Base'];

/** GET /currencies/{currency_id} */
export function currencyInfo(call: Call): Json {
  const { world } = call;
  const one = currencyOf(call);
  const slug = slugOf(one.name);
  const bare = world.choice('empty-lists') === 'empty';
  const dice = random(world.seed, 'info', one.index);
  const born = Date.UTC(2009 + (one.index % 14), one.index % 12, 3);
  const list = (items: readonly Json[]): readonly Json[] => (bare ? [] : items);
  return {
    currency_id: one.id,
    name: written(world, one.name),
    symbol: one.symbol,
    introduction: written(world, `${one.name} is a network for payments.`),
    sector: list([{ id: String(dice.integer(1, 40)), name: at(SECTORS, one.index) }]),
    icon: picture('icons', one.id),
    contracts: list(
      one.index < 2
        ? []
        : [{ chain: at(CHAINS, one.index), contract: `0x${uuidOf(slug).replaceAll('-', '')}` }],
    ),
    white_paper: `https://${slug}.example.org/paper.pdf`,
    first_issue_time: timeText(world, born),
    explorers: list([`https://scan.example.org/${slug}`, `https://${slug}.blocks.example.net`]),
    community: {
      social_primary: `https://social.example.com/${slug}`,
      social_forum: `https://forum.example.com/r/${slug}`,
    },
    significant_events: list([
      { time: timeText(world, born + 400 * DAY), content: written(world, 'The first upgrade') },
      { time: timeText(world, born + 900 * DAY), content: written(world, 'Half the reward') },
    ]),
  };
}

/** Price of a currency at the moment of a request. */
export function priceNow(call: Call, one: Currency): number {
  const { world, now } = call;
  const today = candle(world, one.symbol, basePrice(one.index), utcDay(now));
  return rounded(today.close * pulse(world, one.symbol, now, call.count));
}

function supplyOf(one: Currency): { circulating: number; total: number; most: number | null } {
  const circulating = Math.round(1e7 * (1 + noise('supply', one.index) * 900));
  const total = Math.round(circulating * 1.1);
  return { circulating, total, most: one.index % 2 === 0 ? Math.round(total * 1.3) : null };
}

/** GET /currencies/{currency_id}/market-snapshot */
export function currencySnapshot(call: Call): Json {
  const { world, now } = call;
  const one = currencyOf(call);
  const base = basePrice(one.index);
  const today = candle(world, one.symbol, base, utcDay(now));
  const before = candle(world, one.symbol, base, plusDays(utcDay(now), -1));
  const price = priceNow(call, one);
  const supply = supplyOf(one);
  const limited =
    world.choice('supply') === 'mixed'
      ? supply.most
      : world.choice('supply') === 'all-limited'
        ? supply.total * 2
        : null;
  const marketcap = rounded(price * supply.circulating, 12);
  const turnover = rounded(today.volume * base * 0.01, 9);
  const ath = rounded(base * 1.9);
  const low = rounded(base * 0.3);
  const amount = (field: string, value: number): Json => decimal(world, field, value);
  return {
    price: amount('price', price),
    change_pct_24h: amount('change_pct_24h', rounded((price / before.close - 1) * 100, 5)),
    turnover_24h: amount('turnover_24h', turnover),
    turnover_rate: amount('turnover_rate', rounded(turnover / marketcap, 5)),
    high_24h: amount('high_24h', Math.max(today.high, price)),
    low_24h: amount('low_24h', Math.min(today.low, price)),
    marketcap: amount('marketcap', marketcap),
    fdv: amount('fdv', rounded(price * (limited ?? supply.total), 12)),
    max_supply: limited === null ? null : String(limited),
    total_supply: String(supply.total),
    circulating_supply: String(supply.circulating),
    ath: amount('ath', ath),
    ath_date: timeText(world, Date.UTC(2025, 9, 6, 14)),
    down_from_ath: percentText(world, (price / ath - 1) * 100),
    cycle_low: amount('cycle_low', low),
    cycle_low_date: timeText(world, Date.UTC(2022, 10, 21, 21)),
    up_from_cycle_low: percentText(world, (price / low - 1) * 100),
    marketcap_rank: one.index + 1,
  };
}

/** GET /currencies/{currency_id}/token-economics */
export function tokenEconomics(call: Call): Json {
  const { world, now } = call;
  const one = currencyOf(call);
  const choice = world.choice('economics');
  if (!hasPart(world, 'economics', one.index)) {
    throw new Refusal('resource', {
      message: 'Token economics not found',
      details: { currency_id: one.id, suggestion: 'Not every currency has them.' },
    });
  }
  const holders = ['Team', 'Investors', 'Community', 'Treasury'];
  const shares = [18.5, 21.5, 40, 20];
  const timeline: JsonObject[] = Array.from({ length: 6 }, (_, month) => ({
    vestings: [
      { label: 'Team', amount: figure(world, 125_000 + month) },
      { label: 'Investors', amount: figure(world, 90_000.5) },
    ],
    timestamp: timeText(world, now - (now % DAY) + (month - 3) * 30 * DAY),
  }));
  const none = choice === 'empty';
  return {
    token_allocation: none
      ? []
      : holders.map((holder, i) => ({
          holder: written(world, holder),
          percentage: figure(world, at(shares, i)),
        })),
    token_unlock: { unlocked: none ? '0' : '61250000.5', total_locked: none ? '0' : '38749999.5' },
    unlock_timeline: none || choice === 'no-timeline' || one.index % 5 === 4 ? null : timeline,
  };
}
