import { DAY } from '../../spec/time.ts';
import { noise, round, stream, unit } from '../data/prng.ts';
import type { Json, JsonObject, NewsRecord } from '../world.ts';
import { isObject } from '../json.ts';
import { endpointIs, onRecord, onRows } from '../vocabulary.ts';
import { data, dimension, newsLists, type ChoiceMaker, type Dimension } from './choice.ts';

/** Every `every`th request for pairs sees some neighbours in the other order: their turnover has changed. */
const swapping =
  (every: number): ChoiceMaker =>
  (seed) => {
    const source = stream(seed, 'swap');
    let count = 0;
    return data((world) => ({
      pairs(id, now) {
        const rows = world.pairs(id, now);
        if (rows === undefined) return rows;
        count += 1;
        const period = Math.floor(count / every);
        const moved = rows.map((row, index) => ({
          ...row,
          turnover_24h: round(
            Number(row['turnover_24h']) * (1 + 0.004 * noise(source + index, period)),
            2,
          ),
        }));
        return moved.toSorted((a, b) => b.turnover_24h - a.turnover_24h);
      },
    }));
  };

/** Every request sees another price, within the day's range. */
const ticking: ChoiceMaker = (seed) => {
  const source = stream(seed, 'tick');
  let count = 0;
  const factor = (): number => 1 + 0.0015 * (2 * unit(source, (count += 1)) - 1);
  const number = (record: JsonObject, name: string): number => Number(record[name]);
  return {
    hooks: [
      onRecord('currency-snapshot', (record) => {
        const [low, high] = [number(record, 'low_24h'), number(record, 'high_24h')];
        if (!(high > 0)) return record;
        const price = Math.min(high, Math.max(low, number(record, 'price') * factor()));
        const scale = price / number(record, 'price');
        const scaled = (name: string): Json =>
          typeof record[name] === 'string'
            ? String(round(number(record, name) * scale, 2))
            : round(number(record, name) * scale, 2);
        return {
          ...record,
          price: typeof record['price'] === 'string' ? String(price) : price,
          marketcap: scaled('marketcap'),
          fdv: scaled('fdv'),
        };
      }),
      onRecord('stock-snapshot', (record) => ({
        ...record,
        mkt_price: round(number(record, 'mkt_price') * factor(), 4),
      })),
      onRows(
        endpointIs('/currencies/{currency_id}/klines'),
        // The open candle follows the price.
        (rows, { now }) =>
          rows.map((row) => {
            const isOpen = isObject(row) && number(row, 'timestamp') > now - DAY;
            if (!isOpen) return row;
            const close = number(row, 'close') * factor();
            const inside = Math.min(number(row, 'high'), Math.max(number(row, 'low'), close));
            return { ...row, close: inside };
          }),
      ),
    ],
  };
};

/** Some items of news arrive during the run: a new one every `every` requests for news. */
const arriving =
  (every: number): ChoiceMaker =>
  () => {
    const HELD = 40;
    let count = 0;
    const arrived = (list: readonly NewsRecord[]): readonly NewsRecord[] => {
      count += 1;
      return list.slice(Math.max(0, HELD - Math.floor(count / every)));
    };
    return data((world) => newsLists(world, arrived, ['news', 'featuredNews']));
  };

/** Data that moves between two requests. */
export const LIVE: readonly Dimension[] = [
  dimension('order-of-pairs', 'steady', {
    'moves-now-and-then': swapping(4),
    'moves-with-each-request': swapping(1),
  }),
  dimension('prices', 'by-the-minute', { ticking }),
  dimension('arrivals-of-news', 'by-the-minute', {
    'now-and-then': arriving(5),
    'with-every-request': arriving(1),
  }),
];
