import { DAY } from '../../spec/time.ts';
import type { NewsRecord, World } from '../world.ts';
import { dayOf, daysFrom, startOf } from './calendar.ts';
import type { Currency } from './currencies.ts';
import type { createFundraising } from './fundraising.ts';
import { FUNDRAISING_FACTS } from './facts/fundraising-facts.ts';
import { bounded, minutely } from './memo.ts';
import { newsItem, type NewsSeed } from './news-item.ts';
import { EXCHANGE_NAMES } from './pairs.ts';
import { dice, stream, type Dice, type Stream } from './prng.ts';
import { STOCK_FACTS } from './facts/stock-facts.ts';
import type { Category } from './texts/texts.ts';

type Fundraising = ReturnType<typeof createFundraising>;

/** Categories of neighbouring slots: plain news leads, every other category comes three times. */
const PATTERN: readonly Category[] = [
  1, 4, 13, 1, 2, 3, 7, 1, 4, 13, 1, 2, 3, 7, 1, 4, 13, 1, 2, 3, 7, 1,
];
const SLOTS = PATTERN.length * 12;
const SLOT_MS = Math.floor(DAY / SLOTS);
/** The days that a range may reach (§4.2 rule 3), and three older ones. */
const DAYS = 10;
const RECENT = 7 * DAY;
const HOT_ITEMS = 50;

interface StoredRecord extends NewsRecord {
  readonly impressions: number;
  readonly isFeatured: boolean;
}

/** Chance that an item comes from a social network, by category. */
const SOCIAL: Readonly<{ [key in Category]: number }> = {
  1: 0.25,
  2: 0.15,
  3: 0.1,
  4: 0.85,
  7: 0.35,
  13: 0.2,
};

/** News by time of release. Each day is cut into slots with one item each, so an item never depends on `now`. */
export function createNews(
  seed: number,
  currencies: readonly Currency[],
  fundraising: Fundraising,
): Pick<World, 'news' | 'featuredNews' | 'hotNews'> {
  const days = bounded<readonly StoredRecord[]>(DAYS + 4);
  const items = bounded<ReturnType<typeof newsItem>>(4000);
  const source = stream(seed, 'news');

  const record = (day: number, slot: number): StoredRecord => {
    const index = day * SLOTS + slot;
    const roll = dice(source, index);
    const releaseTime = startOf(day) + slot * SLOT_MS + Math.floor(roll.next() * 0.9 * SLOT_MS);
    const category = PATTERN[slot % PATTERN.length] ?? 1;
    const matched = match(roll, currencies);
    const own = stream(seed, 'news-item', index);
    const news: NewsSeed = {
      id: newsId(releaseTime, slot, own),
      releaseTime,
      category,
      currencies: matched,
      // A few items are seen by very many people.
      impressions: Math.floor(300 * Math.exp(8 * roll.next() ** 2)),
      social: roll.chance(SOCIAL[category]),
      blanks: {
        name: matched[0]?.name ?? 'Bitcoin',
        symbol: matched[0]?.symbol ?? 'BTC',
        pct: `${(0.3 + 11 * roll.next() ** 2).toFixed(1)}%`,
        usd: `$${roll.int(2, 980)}${roll.chance(0.2) ? 'B' : 'M'}`,
        exchange: roll.pick(EXCHANGE_NAMES.slice(0, 12)),
        firm: roll.pick(FUNDRAISING_FACTS.investors),
        stock: roll.pick(STOCK_FACTS).ticker,
      },
      source: own,
    };
    return {
      id: news.id,
      releaseTime,
      category,
      currencyIds: matched.map(({ id }) => id),
      projectIds: projects(roll, matched, fundraising),
      impressions: news.impressions,
      isFeatured: roll.chance(0.125),
      item: (language) => items(`${language}${news.id}`, () => newsItem(news, language)),
    };
  };
  const recordsOf = (day: number): readonly StoredRecord[] =>
    days(day, () => Array.from({ length: SLOTS }, (_, slot) => record(day, slot)));

  const all = minutely((_key, time) =>
    daysFrom(dayOf(time) - DAYS + 1, dayOf(time))
      .flatMap(recordsOf)
      .filter(({ releaseTime }) => releaseTime <= time)
      .toReversed(),
  );
  // About one in eight.
  const featured = minutely((_key, time) =>
    all('', time).filter(
      ({ isFeatured, releaseTime }) => isFeatured && releaseTime > time - RECENT,
    ),
  );
  // The most seen ones, most seen first.
  const hot = minutely((_key, time) =>
    all('', time)
      .filter(({ releaseTime }) => releaseTime > time - 2 * DAY)
      .toSorted((a, b) => b.impressions - a.impressions)
      .slice(0, HOT_ITEMS),
  );
  return {
    news: (now) => all('', now),
    featuredNews: (now) => featured('', now),
    hotNews: (now) => hot('', now),
  };
}

/** 19 digits that grow with time: release time, slot, two digits of the item's own. */
function newsId(releaseTime: number, slot: number, own: Stream): string {
  return `1${releaseTime}${String(slot).padStart(3, '0')}${String(own % 100).padStart(2, '0')}`;
}

/** None to three currencies; the large ones are written about most. */
function match(roll: Dice, currencies: readonly Currency[]): Currency[] {
  const count = roll.chance(0.15) ? 0 : roll.chance(0.6) ? 1 : roll.int(2, 3);
  const chosen = new Set<Currency>();
  while (chosen.size < count) {
    const one = currencies[Math.floor(currencies.length * roll.next() ** 2.5)];
    if (one !== undefined) chosen.add(one);
  }
  return [...chosen];
}

function projects(roll: Dice, matched: readonly Currency[], fundraising: Fundraising): string[] {
  const ids = new Set<string>();
  const [first] = matched;
  const own = first && fundraising.projectOf(first.id);
  if (own !== undefined && roll.chance(0.5)) ids.add(own);
  if (roll.chance(0.15)) ids.add(roll.pick(fundraising.projectIds));
  return [...ids];
}
