import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5';
import { describe, expect, it } from 'vitest';
import { DAY } from '../../spec/time.ts';
import { LANGUAGES, NEWS_CATEGORY_IDS, NEWS_HTML_TAGS } from '../../spec/values.ts';
import type { JsonObject, NewsRecord } from '../world.ts';
import { numberOf, objectOf, objectsOf, textOf } from '../../../test/reference/json-access.ts';
import { TEXTS } from './texts/index.ts';
import { createWorld } from './world.ts';
import { WORLD } from '../../../test/kept/data.ts';

const NOW = Date.parse('2026-11-18T15:37:20Z');
const world = WORLD;
const records = world.news(NOW);
const week = records.filter(({ releaseTime }) => releaseTime >= NOW - 7 * DAY);
const items = week.map((record) => record.item('en'));
/** The quote of an item as a list of none or one. */
const quoteOf = (item: JsonObject): readonly JsonObject[] =>
  item['quote_info'] === null ? [] : [objectOf(item, 'quote_info')];

describe('news', () => {
  it('is plenty, in all categories and about several currencies', () => {
    expect(week.length).toBeGreaterThanOrEqual(1500);
    for (const category of NEWS_CATEGORY_IDS) {
      expect(week.filter((one) => one.category === category).length).toBeGreaterThan(200);
    }
    const popular = world.currencyIds.filter(
      (id) => week.filter((one) => one.currencyIds.includes(id)).length > 40,
    );
    expect(popular.length).toBeGreaterThanOrEqual(5);
    expect(week.some((one) => one.currencyIds.length === 0)).toBe(true);
    const [first] = week.flatMap((one) => one.projectIds);
    expect(week.filter((one) => one.projectIds.includes(first ?? '')).length).toBeGreaterThan(0);
    expect(new Set(week.flatMap((one) => one.projectIds)).size).toBeGreaterThan(20);
  });

  it('comes newest first, never from the future, with some items older than a week', () => {
    const times = records.map(({ releaseTime }) => releaseTime);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(times[0]).toBeLessThanOrEqual(NOW);
    expect(times.at(-1)).toBeLessThan(NOW - 8 * DAY);
    expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
    for (const { id } of records) expect(id).toMatch(/^\d{19}$/);
  });

  it('does not change when the clock moves, and grows by new items', () => {
    const later = createWorld(1).news(NOW + 2 * DAY);
    const known = new Map(later.map((one) => [one.id, one]));
    const shared = records.filter(({ releaseTime }) => releaseTime > NOW - 6 * DAY);
    for (const one of shared.slice(0, 300)) {
      expect(known.get(one.id)?.item('fr')).toEqual(one.item('fr'));
    }
    expect(shared.every(({ id }) => known.has(id))).toBe(true);
    expect(later[0]?.releaseTime).toBeGreaterThan(NOW);
  });

  it('returns the same list within a minute', () => {
    expect(world.news(NOW + 5000)).toBe(world.news(NOW));
  });

  it('says the same of itself in record and item', () => {
    for (const [i, record] of week.entries()) {
      const item = items[i];
      expect(item?.['id']).toBe(record.id);
      expect(item?.['release_time']).toBe(record.releaseTime);
      expect(item?.['category']).toBe(record.category);
      expect(objectsOf(item, 'matched_currencies').map(({ id }) => id)).toEqual(record.currencyIds);
    }
  });

  it('shows every optional form', () => {
    const verified = new Set(items.map((item) => item['is_blue_verified']));
    expect([1, 0, null].every((value) => verified.has(value))).toBe(true);
    const kinds = new Set(items.map((item) => item['verified_type']));
    expect(kinds.has('Business') && kinds.size > 1).toBe(true);
    expect(items.some((item) => item['quote_info'] === null)).toBe(true);
    const quotes = items.flatMap(quoteOf);
    expect(quotes.length).toBeGreaterThan(100);
    for (const media of [items, quotes].map((owners) =>
      owners.flatMap((one) => objectsOf(one, 'media_info')),
    )) {
      expect(new Set(media.map(({ type }) => type))).toEqual(new Set(['photo', 'video', 'gif']));
      expect(media.some((one) => one['original_url'] === '')).toBe(true);
    }
    expect(items.some((item) => objectsOf(item, 'media_info').length === 0)).toBe(true);
    const posts = items.filter((item) => item['quote_info'] !== null);
    for (const item of posts) {
      const quotedAt = numberOf(objectOf(item, 'quote_info'), 'created_at');
      expect(quotedAt).toBeLessThan(numberOf(item, 'release_time'));
    }
  });
});

function tagsOf(html: string): string[] {
  const found: string[] = [];
  const visit = (node: DefaultTreeAdapterTypes.ChildNode): void => {
    if (!('tagName' in node)) return;
    found.push(node.tagName);
    node.childNodes.forEach(visit);
  };
  parseFragment(html, {
    onParseError: (error) => expect.unreachable(error.code),
  }).childNodes.forEach(visit);
  return found;
}

const rest = (record: NewsRecord, language: (typeof LANGUAGES)[number]) => {
  const item = record.item(language);
  const [quote] = quoteOf(item);
  return {
    ...item,
    title: '',
    content: '',
    quote_info: quote === undefined ? null : { ...quote, content: '' },
  };
};
const whole = (language: (typeof LANGUAGES)[number]): string => JSON.stringify(TEXTS[language]);

describe('news texts', () => {
  const allowed = new Set<string>(NEWS_HTML_TAGS);

  it.each(LANGUAGES)('hold allowed HTML only and no open blanks (%s)', (language) => {
    const used = new Set<string>();
    for (const record of week.slice(0, 250)) {
      const item = record.item(language);
      const content = textOf(item, 'content');
      for (const tag of tagsOf(content)) used.add(tag);
      expect(`${textOf(item, 'title')}${content}`).not.toMatch(/[{}]|undefined/);
    }
    expect([...used].filter((tag) => !allowed.has(tag))).toEqual([]);
    expect(used).toEqual(allowed);
  });

  it('differ by language in title, content and quote, and in nothing else', () => {
    for (const record of week.slice(0, 120)) {
      const shown = LANGUAGES.map((language) => record.item(language));
      expect(new Set(shown.map((item) => item['title'])).size).toBe(LANGUAGES.length);
      expect(new Set(shown.map((item) => item['content'])).size).toBe(LANGUAGES.length);
      for (const language of LANGUAGES) expect(rest(record, language)).toEqual(rest(record, 'en'));
    }
    const [post] = week.filter((record) => record.item('en')['quote_info'] !== null);
    const quotes = LANGUAGES.map((language) =>
      post === undefined ? '' : textOf(objectOf(post.item(language), 'quote_info'), 'content'),
    );
    expect(new Set(quotes).size).toBe(LANGUAGES.length);
  });

  it('use the script of their language', () => {
    expect(whole('ru')).toMatch(/[а-я]{5}/);
    expect(whole('ja')).toMatch(/[ぁ-ん]/);
    expect(whole('zh')).toMatch(/发生/);
    expect(whole('tc')).toMatch(/發生/);
    for (const language of ['en', 'es', 'pt', 'tr', 'fr', 'vi'] as const) {
      expect(whole(language)).not.toMatch(/[\u0400-\u04ff\u3040-\u30ff\u4e00-\u9fff]/);
    }
    for (const language of ['zh', 'tc', 'ja'] as const) {
      expect(whole(language)).not.toMatch(/[\u0400-\u04ff]/);
    }
    // Characters of the simplified script do not stray into the traditional one.
    expect(whole('tc')).not.toMatch(/[发为么据链额机仓约实时与从动来这场让]/);
  });
});

describe('featured and hot news', () => {
  it('features at least 130 items of all categories, newest first', () => {
    const featured = world.featuredNews(NOW);
    expect(featured.length).toBeGreaterThanOrEqual(130);
    expect(new Set(featured.map(({ category }) => category)).size).toBe(NEWS_CATEGORY_IDS.length);
    const all = new Set(records.map(({ id }) => id));
    expect(featured.every(({ id }) => all.has(id))).toBe(true);
    const times = featured.map(({ releaseTime }) => releaseTime);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  });

  it('puts the most seen items first among hot news', () => {
    const seen = world.hotNews(NOW).map((one) => numberOf(one.item('en'), 'impression_count'));
    expect(seen.length).toBeGreaterThanOrEqual(20);
    expect(seen).toEqual(seen.toSorted((a, b) => b - a));
  });
});
