import { DAY } from '../../spec/time.ts';
import type { JsonObject } from '../world.ts';
import { dayNumber, startOf } from './calendar.ts';
import type { Currency } from './currencies.ts';
import { minutely } from './memo.ts';
import { round, stream, unit } from './prng.ts';

/** The days between which extremes are dated: a clock moved back to 2024 still has them in the past. */
const CYCLE_SINCE = dayNumber(2020, 10, 1);
const EXTREMES_UNTIL = dayNumber(2023, 12, 1);

/** Market snapshots of currencies at a time (§2.2). They agree with the open candle of the same minute. */
export function createSnapshots(
  seed: number,
  currencies: readonly Currency[],
): (currency: Currency, time: number) => JsonObject {
  const ranking = minutely((_key, time) =>
    currencies
      .map(({ id, path, circulating }) => ({ id, cap: path.at(time) * circulating }))
      .toSorted((a, b) => b.cap - a.cap),
  );
  return (currency, time) => {
    const { id, path, circulating, total, max } = currency;
    const price = path.at(time);
    const { high, low } = path.range(time - DAY, time);
    const turnover = currency.turnover24h(time);
    const marketcap = round(price * circulating, 2);
    return {
      price,
      change_pct_24h: round((price / path.at(time - DAY) - 1) * 100, 4),
      turnover_24h: turnover,
      turnover_rate: round(turnover / marketcap, 6),
      high_24h: high,
      low_24h: low,
      marketcap,
      fdv: round(price * (max ?? total), 2),
      max_supply: max === null ? null : String(max),
      total_supply: String(total),
      circulating_supply: String(circulating),
      ...extremes(seed, currency, time, price),
      marketcap_rank: ranking('', time).findIndex((one) => one.id === id) + 1,
    };
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
