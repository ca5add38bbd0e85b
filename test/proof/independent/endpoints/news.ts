import { Refusal } from '../conduct/errors.ts';
import { numberOf, textValue, type Call } from '../core/call.ts';
import type { Json, JsonObject } from '../core/json.ts';
import { at, noise } from '../core/random.ts';
import { currencies, currencyById, looksLikeId } from '../data/currencies.ts';
import { picture, written } from '../data/names.ts';
import { CATEGORIES, LANGUAGES, newsAt, phrasesOf, say, type News } from '../data/news.ts';
import type { World } from '../worlds/world.ts';
import { projectId } from './fundraising.ts';
import { paging, type Param } from './params.ts';
import { rangeOf } from './ranges.ts';
import { envelope } from './write.ts';

const LANGUAGE: Param = {
  name: 'language',
  kind: 'enum',
  allowed: LANGUAGES,
  unknown: (world) => (world.choice('unknown-language') === 'english' ? 'en' : 'refuse'),
};

function category(kind: 'enum' | 'integers'): Param {
  return {
    name: 'category',
    kind,
    allowed: CATEGORIES.map(String),
    unknown: (world) => {
      const choice = world.choice('unknown-category');
      if (choice === 'refuse') return 'refuse';
      return choice === 'empty' ? 'keep' : 'drop';
    },
  };
}

/** Parameters of GET /news; the largest page is a choice. */
export function newsParams(world: World): readonly Param[] {
  return [
    category('enum'),
    LANGUAGE,
    { name: 'currency_id', kind: 'text' },
    { name: 'project_id', kind: 'text' },
    ...paging(world.choice('news-size') === 'two-hundred' ? 200 : 100),
    { name: 'start_time', kind: 'ms' },
    { name: 'end_time', kind: 'ms' },
  ];
}

export const FEATURED_PARAMS: readonly Param[] = [
  ...paging(100, 20),
  LANGUAGE,
  category('integers'),
];

function media(world: World, one: News, seed: string): JsonObject[] {
  const choice = world.choice('news-media');
  const many = choice === 'many' ? 4 : choice === 'some' && one.number % 3 === 0 ? 1 : 0;
  return Array.from({ length: many }, (_, i) => ({
    platform_url: picture('media', `${seed} ${one.id} ${i}`),
    original_url: i % 2 === 0 ? `https://pbs.example.com/${one.id}-${i}.jpg` : '',
    short_url: `https://t.example/${one.id.slice(-5)}${i}`,
    type: at(['photo', 'video', 'gif'], one.number + i),
  }));
}

function subject(world: World, one: News): string {
  const first = one.matches[0]?.name ?? 'Bitcoin';
  return world.choice('news-titles') === 'with-handles'
    ? `@${first.replaceAll(' ', '')} $BTC`
    : first;
}

function titleOf(world: World, one: News, language: string): string {
  const phrases = phrasesOf(language);
  const about = subject(world, one);
  if (world.choice('news-titles') === 'two-words') return say(phrases.short, one, about);
  const title = say(phrases.titles, one, about);
  return world.choice('news-titles') === 'emoji' ? `🚨🚨 ${title} 🔥` : title;
}

function contentOf(world: World, one: News, language: string): string {
  const phrases = phrasesOf(language);
  const about = subject(world, one);
  const first = say(phrases.bodies, one, about);
  return world.of('news-content', {
    'one-line': `<p>${say(phrases.short, one, about)}</p>`,
    paragraphs: `<p>${first}</p><p>${say(phrases.bodies, { ...one, number: Math.abs(one.number) + 1 }, about)}</p>`,
    rich: `<div><h2>${titleOf(world, one, language)}</h2><figure><picture><source srcset="https://static.example.org/a.webp"><img src="https://static.example.org/a.png" alt=""></picture><figcaption>${about}</figcaption></figure><ul><li>${first}</li></ul><blockquote><strong>${first}</strong><br></blockquote></div>`,
    loose: `${first} if x<y x<y & 5 > 3<br> z, then more.<br>${first}`,
    'some-empty': one.number % 4 === 0 ? '' : `<p>${first}</p>`,
  });
}

function verifiedOf(world: World, one: News): number | null {
  return world.of('verified', { mixed: at([1, 0, null], one.number), null: null, zero: 0 });
}

function quoteOf(world: World, one: News, language: string): JsonObject | null {
  if (!one.quotes) return null;
  const counted = (name: string): number => Math.floor(noise(name, one.id) * 900);
  return {
    content: say(phrasesOf(language).quotes, one, subject(world, one)),
    impression_count: counted('impressions') * 90,
    like_count: counted('likes'),
    reply_count: counted('replies'),
    repost_count: counted('reposts'),
    created_at: one.time - 3_600_000,
    media_info: media(world, one, 'quote'),
    original_url: `https://social.example.com/q/${one.id}`,
    author_avatar_url: picture('avatars', `q${one.number % 9}`),
    author: `quoted_${Math.abs(one.number) % 9}`,
    nick_name: written(world, `Quoted ${Math.abs(one.number) % 9}`),
    is_blue_verified: verifiedOf(world, one),
    verified_type: one.number % 2 === 0 ? 'Business' : '',
  };
}

/** A piece of news as it is answered, in a language. */
export function newsItem(world: World, one: News, language: string): JsonObject {
  const author = `author_${Math.abs(one.number) % 13}`;
  const counted = (name: string): number => (one.post ? Math.floor(noise(name, one.id) * 5000) : 0);
  return {
    id: one.id,
    source_link: `https://news.example.org/${language}/detail/${one.id}`,
    original_link: one.post
      ? `https://social.example.com/${author}/${one.id}`
      : `https://paper.example.net/${one.id}`,
    release_time: one.time,
    title: titleOf(world, one, language),
    content: contentOf(world, one, language),
    author,
    author_description: 'Writes about markets and the people in them.',
    author_avatar_url: picture('avatars', author),
    impression_count: counted('impression'),
    like_count: counted('like'),
    reply_count: counted('reply'),
    repost_count: counted('repost'),
    category: one.category,
    feature_image: one.post ? '' : picture('covers', one.id),
    nick_name: written(world, author.replace('_', ' ')),
    is_blue_verified: verifiedOf(world, one),
    verified_type: one.number % 5 === 0 ? 'Business' : '',
    matched_currencies: one.matches.map(({ id, name, symbol }) => ({
      id,
      full_name: name,
      name: symbol,
    })),
    tags: one.number % 3 === 0 ? [] : ['markets', 'etf'],
    media_info: media(world, one, 'own'),
    quote_info: quoteOf(world, one, language),
  };
}

function unknownOwner(call: Call, field: string, value: string, message: string): void {
  const choice = call.world.choice('news-of-unknown');
  if (choice === '400') throw new Refusal('value', { fields: [field], value, issue: 'unknown' });
  if (choice === '404') throw new Refusal('resource', { message, details: { [field]: value } });
}

function ofCurrency(call: Call, list: readonly News[]): readonly News[] {
  const id = textValue(call, 'currency_id') ?? '';
  if (id === '') return list;
  if (currencyById(call.world, id) === undefined) {
    if (call.world.choice('id-check') === 'malformed' && !looksLikeId(call.world, id)) {
      throw new Refusal('format', { fields: ['currency_id'], value: id, issue: 'not an id' });
    }
    unknownOwner(call, 'currency_id', id, 'Currency not found');
  }
  return list.filter(({ matches }) => matches.some((one) => one.id === id));
}

function ofProject(call: Call, list: readonly News[]): readonly News[] {
  const id = textValue(call, 'project_id') ?? '';
  if (id === '') return list;
  const owner = currencies(call.world).find(({ index }) => projectId(index) === id);
  if (owner === undefined) unknownOwner(call, 'project_id', id, 'Project not found');
  return list.filter(({ matches }) => owner !== undefined && matches.includes(owner));
}

/** GET /news */
export function news(call: Call): Json {
  const { world, now } = call;
  const sent = { from: call.values['start_time'], to: call.values['end_time'] } as {
    from: number | undefined;
    to: number | undefined;
  };
  const range = rangeOf(call, ['start_time', 'end_time'], sent, 'week');
  const wanted = textValue(call, 'category');
  const all = range === undefined ? [] : newsAt(world, now, call.count);
  const inRange = all.filter(
    ({ time }) => range !== undefined && time >= range.from && time <= range.to,
  );
  const list = ofProject(call, ofCurrency(call, inRange)).filter(
    (one) => wanted === undefined || String(one.category) === wanted,
  );
  return paged(call, list, (one, language) => newsItem(world, one, language));
}

function paged(
  call: Call,
  list: readonly News[],
  item: (one: News, language: string) => JsonObject,
): Json {
  const language = textValue(call, 'language') ?? 'en';
  const page = numberOf(call, 'page', 1);
  const size = numberOf(call, 'page_size', 20);
  const rows = list.slice((page - 1) * size, page * size).map((one) => item(one, language));
  return { ...envelope([], page, size), list: rows, total: list.length };
}

/** Fields that a featured item does not have. */
const NOT_FEATURED = [
  'original_link',
  'impression_count',
  'like_count',
  'reply_count',
  'repost_count',
];

/** GET /news/featured */
export function featured(call: Call): Json {
  const { world, now } = call;
  const wanted = call.values['category'];
  const list = newsAt(world, now, call.count).filter(
    (one) => one.featured && (!Array.isArray(wanted) || wanted.includes(one.category)),
  );
  return paged(call, list, (one, language) => {
    const item = newsItem(world, one, language);
    return Object.fromEntries(
      Object.entries(item).filter(([name]) => !NOT_FEATURED.includes(name)),
    );
  });
}
