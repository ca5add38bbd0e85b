import { DAY } from '../core/clock.ts';
import { at, random } from '../core/random.ts';
import type { World } from '../worlds/world.ts';
import { plusDays, utcDay, type Day } from './calendar.ts';
import { nameOf, slugOf } from './names.ts';

/** A listed company. */
export interface Stock {
  readonly ticker: string;
  readonly name: string;
  readonly index: number;
  readonly sector: string;
}

const STOCKS = 'MSTR COIN MARA RIOT CLSK HUT BITF HIVE CORZ IREN WULF BTBT CIFR GLXY CRCL'.split(
  ' ',
);
const SECTORS = [
  'Bitcoin Mining',
  'Exchanges',
  'Digital Asset Treasury',
  'Stablecoins & Payments',
  'AI Infrastructure',
];

/** Names of the sectors. */
export function sectors(world: World): readonly string[] {
  return SECTORS.slice(0, world.count('sectors'));
}

/** All companies. */
export function stocks(world: World): readonly Stock[] {
  return Array.from({ length: world.count('stocks') }, (_, index) => ({
    index,
    ticker: STOCKS[index] ?? `Q${String.fromCodePoint(65 + (index % 26))}${index}`,
    name: `${nameOf(index + 40)[0]} Holdings Inc.`,
    sector: at(SECTORS, index),
  }));
}

/** An index of the service's own. */
export interface IndexOfOurs {
  readonly ticker: string;
  readonly name: string;
}

const INDICES = ['Layer 1', 'DeFi', 'Meme', 'RWA', 'GameFi', 'AI'];

/** All indices. */
export function indices(world: World): readonly IndexOfOurs[] {
  return INDICES.slice(0, world.count('indices')).map((name) => {
    const plain = name.replaceAll(' ', '');
    const ticker = world.of('index-tickers', {
      upper: `SS${plain.toUpperCase()}`,
      mixed: `ss${plain}`,
      slashed: `SSI/${plain}`,
    });
    return { ticker, name: `${name} Index` };
  });
}

/** A macroeconomic event. */
export interface MacroEvent {
  /** Name in paths. */
  readonly name: string;
  readonly title: string;
  readonly index: number;
}

const EVENTS = [
  'Nonfarm Payrolls',
  'CPI YoY',
  'Core CPI MoM',
  'Unemployment Rate',
  'Fed Interest Rate Decision',
  'GDP Growth Rate QoQ',
  'PPI MoM',
  'Retail Sales MoM',
  'Initial Jobless Claims',
  'ISM Manufacturing PMI',
  'Core PCE YoY',
  'Michigan Consumer Sentiment',
];

/** All events of the calendar. */
export function macroEvents(world: World): readonly MacroEvent[] {
  return Array.from({ length: world.count('macro') }, (_, index) => {
    const title =
      EVENTS[index] ??
      `${at(EVENTS, index)} (${at(['Euro Area', 'China', 'Japan', 'UK'], index)} ${index})`;
    const name = world.of('event-names', {
      words: title,
      slug: slugOf(title),
      unicode: `${title} – 発表`,
      signs: `${title} (y/y) & +50%?`,
    });
    return { name, title, index };
  });
}

/** One release of an event. */
export interface Release {
  readonly day: Day;
  readonly time: number;
  readonly actual: number | null;
  readonly forecast: number | null;
  readonly previous: number;
}

/** All releases of an event, newest first. */
export function releases(world: World, event: MacroEvent, now: number): Release[] {
  const choice = world.choice('macro-history');
  if (choice === 'none' || (choice === 'first-without' && event.index === 0)) return [];
  const size = choice === 'short' ? 2 : choice === 'long' ? 260 : 70;
  const step = 28;
  // Releases stand on fixed days of the calendar, whenever they are asked for.
  const last = Math.floor((now / DAY - event.index) / step) * step + event.index;
  const figure = (n: number): number =>
    Number((random('macro', world.seed, event.index, n).next() * 6 - 1).toFixed(1));
  const list: Release[] = [];
  for (let n = 0; n < size; n += 1) {
    const number = last - n * step;
    const day = utcDay(number * DAY);
    const times = world.choice('macro-twice') === 'yes' && n % 5 === 1 ? 2 : 1;
    for (let again = 0; again < times; again += 1) {
      list.push({
        day,
        time: number * DAY + (12.5 - again * 4) * 3_600_000,
        actual: figure(number + again / 2),
        forecast: figure(number + 0.3),
        previous: figure(number - step),
      });
    }
  }
  const future = world.choice('macro-unreleased');
  if (future !== 'none') {
    const day = plusDays(utcDay(last * DAY), step);
    const forecast = future === 'forecast-too' ? null : 2.1;
    list.unshift({
      day,
      time: (last + step) * DAY + 45e6,
      actual: null,
      forecast,
      previous: figure(last),
    });
  }
  return list;
}

/** Names of charts as they stand in paths. */
export function charts(world: World): readonly string[] {
  const bases = [
    'btc dominance',
    'etf flows',
    'stablecoin supply',
    'fear and greed',
    'open interest',
    'funding rate',
    'rainbow',
    'altcoin season',
  ];
  return Array.from({ length: world.count('charts') }, (_, index) => {
    const base = index < bases.length ? at(bases, index) : `${at(bases, index)} ${index}`;
    return world.of('chart-names', {
      slug: base.replaceAll(' ', '_'),
      words: base.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
      unicode: `${base} – グラフ`,
      signs: `${base}/7d: 50%`,
    });
  });
}
