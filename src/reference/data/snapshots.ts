import { DAY } from '../../spec/time.ts';
import type { JsonObject } from '../world.ts';
import { dayNumber, minuteOf, startOf } from './calendar.ts';
import type { Currency } from './currencies.ts';
import { latest } from './memo.ts';
import { round, stream, unit } from './prng.ts';

/** Market snapshots of currencies (§2.2). They agree with the open candle of the same minute. */
export interface Snapshots {
  of(currency: Currency, now: number): JsonObject;
}

/** The days between which extremes are dated: a clock moved back to 2024 still has them in the past. */
const CYCLE_SINCE = dayNumber(2020, 10, 1);
const EXTREMES_UNTIL = dayNumber(2023, 12, 1);

export function createSnapshots(seed: number, currencies: readonly Currency[]): Snapshots {
  const rows = latest<JsonObject>();
  const ranks = latest<ReadonlyMap<string, number>>();
  const rankOf = (currency: Currency, time: number): number => {
    const table = ranks.get('', time, () => {
      const caps = currencies.map((one) => ({
        id: one.id,
        cap: one.path.at(time) * one.circulating,
      }));
      caps.sort((a, b) => b.cap - a.cap);
      return new Map(caps.map((one, i) => [one.id, i + 1]));
    });
    return table.get(currency.id) ?? currencies.length;
  };
  return {
    of(currency, now) {
      const time = minuteOf(now);
      return rows.get(currency.id, time, () => {
        const { path } = currency;
        const price = path.at(time);
        const { high, low } = path.range(time - DAY, time);
        const turnover = currency.turnover24h(time);
        const marketcap = round(price * currency.circulating, 2);
        return {
          price,
          change_pct_24h: round((price / path.at(time - DAY) - 1) * 100, 4),
          turnover_24h: turnover,
          turnover_rate: round(turnover / marketcap, 6),
          high_24h: high,
          low_24h: low,
          marketcap,
          fdv: round(price * (currency.max ?? currency.total), 2),
          max_supply: currency.max === null ? null : String(currency.max),
          total_supply: String(currency.total),
          circulating_supply: String(currency.circulating),
          ...extremes(seed, currency, time, price),
          marketcap_rank: rankOf(currency, time),
        };
      });
    },
  };
}

/** All-time high and cycle low. A currency that stands at one of them has an empty percentage (§2.2). */
function extremes(seed: number, currency: Currency, time: number, price: number): JsonObject {
  const { path, growth } = currency;
  const source = stream(seed, 'extremes', currency.symbol);
  const since = Math.max(CYCLE_SINCE, Date.parse(currency.issued) / DAY);
  const life = EXTREMES_UNTIL - since;
  const highDay = Math.floor(since + life * (0.3 + 0.3 * unit(source, 1)));
  const lowDay = Math.floor(since + life * (0.65 + 0.3 * unit(source, 2)));
  const past = (day: number): string => String(startOf(day) + Math.floor(unit(source, day) * DAY));
  const stable = currency.sectors.includes('stable');
  // Calm currencies peaked close to where they swing now, wild ones far above.
  const peak = stable ? 1.01 : 1.02 + 4 * Math.max(0, currency.volatility - 0.58) * unit(source, 3);
  const trough = stable ? 0.97 : 0.95 - 0.6 * unit(source, 4);

  const atHigh = growth > 0;
  const atLow = growth < 0;
  // A steady path has no bounds of its own: what lies behind it is its extreme.
  const ath = atHigh
    ? price
    : atLow
      ? round(path.opening(highDay) * 40, path.decimals)
      : round(path.ceiling * peak, path.decimals);
  const cycleLow = atLow
    ? price
    : atHigh
      ? path.opening(lowDay)
      : round(path.floor * trough, path.decimals);
  return {
    ath,
    ath_date: atHigh ? String(time) : past(highDay),
    down_from_ath: atHigh ? '' : ((1 - price / ath) * 100).toFixed(2),
    cycle_low: cycleLow,
    cycle_low_date: atLow ? String(time) : past(lowDay),
    up_from_cycle_low: atLow ? '' : ((price / cycleLow - 1) * 100).toFixed(2),
  };
}
