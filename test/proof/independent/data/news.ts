import { DAY, HOUR, MINUTE } from '../core/clock.ts';
import { at, noise, random } from '../core/random.ts';
import type { World } from '../worlds/world.ts';
import { currencies, type Currency } from './currencies.ts';
import sentences from './phrases.json' with { type: 'json' };

/** Sentences of one language; `{c}` is a currency, `{n}` a number. */
type Phrases = (typeof sentences)['en'];
const PHRASES: Readonly<Record<string, Phrases>> = sentences;

/** One piece of news, apart from its texts. */
export interface News {
  /** Position in time: 0 is the newest when the service began, negative ones came later. */
  readonly number: number;
  readonly id: string;
  readonly time: number;
  readonly category: number;
  readonly post: boolean;
  readonly quotes: boolean;
  readonly matches: readonly Currency[];
  readonly featured: boolean;
  readonly pinned: boolean;
  readonly rank: number;
}

export const CATEGORIES: readonly number[] = [1, 2, 3, 4, 7, 13];
export const LANGUAGES = ['en', 'zh', 'tc', 'ja', 'vi', 'es', 'pt', 'ru', 'tr', 'fr'] as const;

const SPANS = { '6d': 6 * DAY, '7d': 7 * DAY - 30 * MINUTE, '1d': DAY, '2h': 2 * HOUR } as const;

function categoryOf(world: World, number: number): number {
  const dice = random(world.seed, 'category', number);
  return world.of('news-categories', {
    all: () => at(CATEGORIES, number),
    one: () => 1,
    'without-13': () => dice.pick(CATEGORIES.slice(0, 5)),
    'official-only': () => 7,
    'mostly-one': () => (number % 12 === 5 ? dice.pick(CATEGORIES) : 1),
  })();
}

function isPost(world: World, number: number): boolean {
  const kinds = world.choice('news-kinds');
  if (kinds === 'mixed') return number % 2 !== 0;
  return kinds === 'posts';
}

function matchesOf(world: World, number: number): readonly Currency[] {
  const all = currencies(world);
  const choice = world.choice('news-matches');
  if (choice === 'none' || all.length === 0) return [];
  const dice = random(world.seed, 'matches', number);
  if (choice === 'some' && dice.chance(0.3)) return [];
  const first = at(all, dice.chance(0.4) ? 0 : dice.integer(0, Math.min(all.length, 12) - 1));
  const second = dice.chance(0.3) ? at(all, dice.integer(0, Math.min(all.length, 20) - 1)) : first;
  return first === second ? [first] : [first, second];
}

function isFeatured(world: World, number: number): boolean {
  const choice = world.choice('news-featured');
  if (choice === 'every-third') return Math.floor(number / 2) % 3 === 0 || number % 7 === 0;
  if (choice === 'few') return number >= 0 && number < 3;
  return choice === 'all';
}

function make(world: World, number: number, time: number): News {
  const post = isPost(world, number);
  return {
    number,
    id: String(7_318_400_200_145_920_000n - BigInt(number) * 104_729n),
    time,
    category: categoryOf(world, number),
    post,
    quotes: post && (world.choice('news-quotes') === 'all' || number % 3 === 1),
    matches: matchesOf(world, number),
    featured: isFeatured(world, number),
    pinned: world.choice('news-order') === 'pinned' && number >= 0 && number % 40 === 17,
    rank: noise(world.seed, 'rank', number),
  };
}

const began = new WeakMap<World, { time: number; list: readonly News[] }>();

/** All news at a moment, in display order. `count` is the running number of the request. */
export function newsAt(world: World, now: number, count: number): readonly News[] {
  let start = began.get(world);
  if (start === undefined) {
    const total = world.count('news');
    const step = Math.floor(SPANS[world.choice('news-span')] / Math.max(total, 1));
    const list = Array.from({ length: total }, (_, number) =>
      make(
        world,
        number,
        now - 90_000 - number * step - Math.floor(noise('late', number) * step * 0.8),
      ),
    );
    start = { time: now, list };
    began.set(world, start);
  }
  const later = arrived(world, start.time, now, count).map(({ number, time }) =>
    make(world, number, time),
  );
  const recent = [...later, ...start.list].filter(
    ({ time }) => time > now - 7 * DAY && time <= now,
  );
  if (world.choice('news-order') === 'newest') return recent;
  const weight = (one: News): number =>
    world.choice('news-order') === 'pinned'
      ? (one.pinned ? 1e15 : 0) + one.time
      : one.time + (one.rank - 0.5) * 3 * HOUR;
  return recent.toSorted((a, b) => weight(b) - weight(a));
}

function arrived(
  world: World,
  start: number,
  now: number,
  count: number,
): { number: number; time: number }[] {
  const choice = world.choice('news-arrivals');
  if (choice === 'none' || world.count('news') === 0) return [];
  const many =
    choice === 'one-a-minute' ? Math.floor((now - start) / MINUTE) : Math.floor(count / 10);
  return Array.from({ length: Math.min(many, 500) }, (_, i) => ({
    number: -(many - i),
    time: choice === 'one-a-minute' ? start + (many - i) * MINUTE : start + (many - i) * 200,
  }));
}

/** The sentences of a language; English for one that nobody knows. */
export function phrasesOf(language: string): Phrases {
  return PHRASES[language] ?? sentences.en;
}

/** A sentence about a piece of news: which one depends on the news, not on the language. */
export function say(list: readonly string[], one: News, about: string): string {
  const figure = 3 + ((Math.abs(one.number) * 37) % 90);
  return at(list, Math.abs(one.number)).replaceAll('{c}', about).replaceAll('{n}', String(figure));
}
