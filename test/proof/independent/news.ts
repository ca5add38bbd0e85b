import { integer, MS, oneOf, paging, rangeOf, TEXT } from './call.ts';
import type { Call, Endpoints, Param } from './call.ts';
import { at, DAY, HOUR, MINUTE, noise, random, times, type Body } from './core.ts';
import { currencies, currencyWith, projectId, type Currency } from './currencies.ts';
import PHRASES from './phrases.json' with { type: 'json' };
import { Refusal, wrong } from './refusals.ts';
import { envelope, picture, written } from './texts.ts';
import type { World } from './world.ts';

const CATEGORIES = [1, 2, 3, 4, 7, 13];
const LANGUAGES = ['en', 'zh', 'tc', 'ja', 'vi', 'es', 'pt', 'ru', 'tr', 'fr'];

const LANGUAGE: Param = {
  ...oneOf(LANGUAGES, (world) => world.is('unknown-language', 'english') && 'en'),
  otherwise: 'en',
};

/** One category, or several with commas. */
function categories(several: boolean): Param {
  const { read } = oneOf(CATEGORIES.map(String), (world) =>
    world.of('unknown-category', { refuse: false, empty: 'none', ignore: undefined } as const),
  );
  return {
    read(sent) {
      const texts = several ? sent.text.split(',').map((part) => part.trim()) : [sent.text];
      const found = texts.flatMap((part) => read({ ...sent, text: part }) ?? []);
      return several || found.length > 0 ? found.map(Number) : undefined;
    },
  };
}

function matchesOf(world: World, number: number): readonly Currency[] {
  const all = currencies(world);
  if (world.is('news-matches', 'none') || all.length === 0) return [];
  const dice = random(world.seed, 'matches', number);
  if (world.is('news-matches', 'some') && dice.chance(0.3)) return [];
  const first = at(all, dice.chance(0.4) ? 0 : dice.integer(0, Math.min(all.length, 12) - 1));
  const second = dice.chance(0.3) ? at(all, dice.integer(0, Math.min(all.length, 20) - 1)) : first;
  return first === second ? [first] : [first, second];
}

/** One piece of news, apart from its texts. Number 0 is the newest when the service began, negative ones came later. */
function make(world: World, number: number, time: number) {
  const dice = random(world.seed, 'category', number);
  const post = world.of('news-kinds', { mixed: number % 2 !== 0, articles: false, posts: true });
  return {
    number,
    id: String(7_318_400_200_145_920_000n - BigInt(number) * 104_729n),
    time,
    category: world.of('news-categories', {
      all: () => at(CATEGORIES, number),
      one: () => 1,
      'without-13': () => dice.pick(CATEGORIES.slice(0, 5)),
      'official-only': () => 7,
      'mostly-one': () => (number % 12 === 5 ? dice.pick(CATEGORIES) : 1),
    })(),
    post,
    quotes: post && (world.is('news-quotes', 'all') || number % 3 === 1),
    matches: matchesOf(world, number),
    featured: world.of('news-featured', {
      'every-third': Math.floor(number / 2) % 3 === 0 || number % 7 === 0,
      none: false,
      few: number >= 0 && number < 3,
      all: true,
    }),
    // Where it is shown: as if it were that much newer.
    lead: world.of('news-order', {
      newest: 0,
      pinned: number >= 0 && number % 40 === 17 ? 1e15 : 0,
      ranked: (noise(world.seed, 'rank', number) - 0.5) * 3 * HOUR,
    }),
  };
}

type News = ReturnType<typeof make>;

const SPANS = { '6d': 6 * DAY, '7d': 7 * DAY - 30 * MINUTE, '1d': DAY, '2h': 2 * HOUR };

/** All news at the moment of a request, in display order. */
export function newsAt({ world, now, count }: Call): readonly News[] {
  const total = world.count('news');
  const first = world.once('news', () => {
    const step = Math.floor(world.of('news-span', SPANS) / Math.max(total, 1));
    const list = times(total, (number) => {
      const late = Math.floor(noise('late', number) * step * 0.8);
      return make(world, number, now - 90_000 - number * step - late);
    });
    return { now, list };
  });
  const [many, apart] = world.of('news-arrivals', {
    none: [0, 0],
    'one-a-minute': [Math.floor((now - first.now) / MINUTE), MINUTE],
    'every-tenth-request': [Math.floor(count / 10), 200],
  } as const);
  const later = times(total === 0 ? 0 : Math.min(many, 500), (i) =>
    make(world, i - many, first.now + (many - i) * apart),
  );
  return [...later, ...first.list]
    .filter(({ time }) => time > now - 7 * DAY && time <= now)
    .toSorted((a, b) => b.time + b.lead - (a.time + a.lead));
}

function media(world: World, { id, number }: News, seed: string) {
  const count = world.of('news-media', { some: number % 3 === 0 ? 1 : 0, none: 0, many: 4 });
  return times(count, (i) => ({
    platform_url: picture('media', `${seed} ${id} ${i}`),
    original_url: i % 2 === 0 ? `https://pbs.example.com/${id}-${i}.jpg` : '',
    short_url: `https://t.example/${id.slice(-5)}${i}`,
    type: at(['photo', 'video', 'gif'], number + i),
  }));
}

/** The texts of a piece of news: which ones depends on the news, not on the language. */
function textsOf(world: World, { number, matches }: News, language: string) {
  const { titles, short, bodies, quotes } =
    (PHRASES as Record<string, typeof PHRASES.en>)[language] ?? PHRASES.en;
  const nth = Math.abs(number);
  const name = matches[0]?.name ?? 'Bitcoin';
  const handles = world.is('news-titles', 'with-handles');
  const about = handles ? `@${name.replaceAll(' ', '')} $BTC` : name;
  const say = (list: readonly string[], index = nth): string =>
    at(list, index)
      .replaceAll('{c}', about)
      .replaceAll('{n}', String(3 + ((index * 37) % 90)));
  const title = world.of('news-titles', {
    sentences: say(titles),
    'two-words': say(short),
    emoji: `🚨🚨 ${say(titles)} 🔥`,
    'with-handles': say(titles),
  });
  const body = say(bodies);
  const content = world.of('news-content', {
    paragraphs: `<p>${body}</p><p>${say(bodies, nth + 1)}</p>`,
    'one-line': `<p>${say(short)}</p>`,
    rich: `<div><h2>${title}</h2><figure><picture><source srcset="https://static.example.org/a.webp"><img src="https://static.example.org/a.png" alt=""></picture><figcaption>${about}</figcaption></figure><ul><li>${body}</li></ul><blockquote><strong>${body}</strong><br></blockquote></div>`,
    loose: `${body} if x<y x<y & 5 > 3<br> z, then more.<br>${body}`,
    'some-empty': number % 4 === 0 ? '' : `<p>${body}</p>`,
  });
  return { title, content, quote: say(quotes) };
}

/** A piece of news as it is answered, in a language. */
export function newsItem(world: World, one: News, language: string): Body {
  const { id, number, time, post } = one;
  const { title, content, quote } = textsOf(world, one, language);
  /** What an item and a quote have in common: their author, and how often they were seen, and so on. */
  const common = (kind: string, authors: number, most: number): Body => {
    const counted = (name: string): number => Math.floor(noise(kind, name, id) * most);
    const author = `${kind}_${Math.abs(number) % authors}`;
    return {
      author,
      author_avatar_url: picture('avatars', author),
      nick_name: written(world, author.replace('_', ' ')),
      is_blue_verified: world.of('verified', {
        mixed: at([1, 0, null], number),
        null: null,
        zero: 0,
      }),
      verified_type: number % 2 === 0 ? 'Business' : '',
      impression_count: counted('impression') * 90,
      like_count: counted('like'),
      reply_count: counted('reply'),
      repost_count: counted('repost'),
      media_info: media(world, one, kind),
    };
  };
  return {
    ...common('author', 13, post ? 5000 : 0),
    id,
    source_link: `https://news.example.org/${language}/detail/${id}`,
    original_link: `https://${post ? 'social' : 'paper'}.example.com/${id}`,
    release_time: time,
    title,
    content,
    author_description: 'Writes about markets and the people in them.',
    category: one.category,
    feature_image: post ? '' : picture('covers', id),
    matched_currencies: one.matches.map((match) => ({
      id: match.id,
      full_name: match.name,
      name: match.symbol,
    })),
    tags: number % 3 === 0 ? [] : ['markets', 'etf'],
    quote_info: one.quotes
      ? {
          ...common('quoted', 9, 900),
          content: quote,
          created_at: time - HOUR,
          original_url: `https://social.example.com/q/${id}`,
        }
      : null,
  };
}

function news(call: Call): Body {
  const { world, values } = call;
  const { category: wanted, currency_id = '', project_id = '' } = values;
  const isWanted = rangeOf(call, 'time', '7 days');
  let list = newsAt(call).filter(
    ({ time, category }) => isWanted(time) && (wanted?.includes(category) ?? true),
  );
  const only = (kind: string, id: string, owner: Currency | undefined): void => {
    const field = `${kind.toLowerCase()}_id`;
    if (owner === undefined && world.is('news-of-unknown', '400'))
      throw wrong('value', field, id, 'unknown');
    if (owner === undefined && world.is('news-of-unknown', '404'))
      throw new Refusal('resource', { message: `${kind} not found`, details: { [field]: id } });
    list = list.filter(({ matches }) => matches.some((one) => one === owner));
  };
  if (currency_id !== '') only('Currency', currency_id, currencyWith(world, currency_id));
  if (project_id !== '') {
    const owner = currencies(world).find(({ index }) => projectId(index) === project_id);
    only('Project', project_id, owner);
  }
  return envelope(list, values, (one) => newsItem(world, one, values.language));
}

const NOT_FEATURED = /^(original_link|(impression|like|reply|repost)_count)$/;

/** Featured items lack their link and their counts. */
function featured(call: Call): Body {
  const { world, values } = call;
  const list = newsAt(call).filter(
    (one) => one.featured && (values.category?.includes(one.category) ?? true),
  );
  return envelope(list, values, (one) => {
    const entries = Object.entries(newsItem(world, one, values.language));
    return Object.fromEntries(entries.filter(([name]) => !NOT_FEATURED.test(name)));
  });
}

/** Endpoints of news. */
export const NEWS: Endpoints = {
  '/news': {
    params: (world) => ({
      category: categories(false),
      language: LANGUAGE,
      currency_id: TEXT,
      project_id: TEXT,
      ...paging(world.is('news-size', 'two-hundred') ? 200 : 100),
      start_time: MS,
      end_time: MS,
    }),
    answer: news,
  },
  '/news/featured': {
    params: {
      page: integer(1, { required: true }),
      page_size: integer(20, { most: 100, least: 20, required: true }),
      language: LANGUAGE,
      category: categories(true),
    },
    answer: featured,
  },
};
