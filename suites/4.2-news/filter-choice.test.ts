import { describe, expect, it } from 'vitest';
import { item, items, NOW, type Item } from '../../test/judge/news-exchanges.ts';
import { DAY } from '../../src/spec/time.ts';
import { categoryAround, narrowingOf, oneFilterOf } from './filtered-requests.ts';
import { twoCategoriesOf } from './requests.ts';
import type { NewsItem } from '../../src/judge/news-items.ts';
import { categoryOf, matchedWith } from './asked.ts';

const asItems = (list: readonly Item[]): NewsItem[] =>
  list.map((value, index) => ({ pointer: `/list/${index}`, value }));
const matched = (...ids: string[]): Item => ({ matched_currencies: ids.map((id) => ({ id })) });

/** Sixty news items in three categories, every other one matched with currency 7. */
const many = asItems(
  Array.from({ length: 60 }, (_, index) => item(index, matched(index % 2 === 0 ? '7' : '8'))),
);

describe('filters for one request', () => {
  it('each exclude something that the others let through', () => {
    const { category, currency_id, start_time, end_time } = narrowingOf(many, NOW, ['7', '8']);
    const time = ({ value }: NewsItem): number => Number(value['release_time']);
    const ofCategory = (one: NewsItem): boolean => categoryOf(one) === category;
    const ofCurrency = (one: NewsItem): boolean =>
      matchedWith(one).some(({ id }) => id === currency_id);
    const inside = (one: NewsItem): boolean => time(one) > start_time && time(one) < end_time;
    expect(
      many.filter((one) => ofCategory(one) && ofCurrency(one) && inside(one)).length,
    ).toBeGreaterThan(2);
    expect(many.some((one) => !ofCategory(one) && ofCurrency(one) && inside(one))).toBe(true);
    expect(many.some((one) => ofCategory(one) && !ofCurrency(one) && inside(one))).toBe(true);
    const others = many.filter((one) => ofCategory(one) && ofCurrency(one));
    expect(others.some((one) => time(one) < start_time)).toBe(true);
    expect(others.some((one) => time(one) > end_time)).toBe(true);
  });

  it('omit an unknown currency, or one without news', () => {
    expect(narrowingOf(many, NOW, ['9']).currency_id).toBeUndefined();
    const none = asItems(items(1, 30, matched()));
    expect(narrowingOf(none, NOW, ['7']).currency_id).toBeUndefined();
    expect(narrowingOf(none, NOW, ['7']).category).toBeDefined();
  });

  it('include a category with few news', () => {
    const few = asItems(items(1, 7));
    const { category, start_time, end_time } = narrowingOf(few, NOW, []);
    const kept = few.filter(
      (one) =>
        categoryOf(one) === category &&
        Number(one.value['release_time']) > start_time &&
        Number(one.value['release_time']) < end_time,
    );
    expect(category).toBeDefined();
    expect(kept.length).toBeGreaterThan(0);
  });

  it('are a range alone without recent news', () => {
    const of = (list: readonly NewsItem[]): readonly string[] =>
      Object.keys(narrowingOf(list, NOW, []));
    expect(of([])).toEqual(['start_time', 'end_time']);
    const old = asItems(items(1, 9).map((one) => ({ ...one, release_time: NOW - 9 * DAY })));
    expect(of(old)).toEqual(['start_time', 'end_time']);
  });
});

describe('one filter alone', () => {
  it('matches most news, but not all', () => {
    const few = asItems([...items(1, 3, { category: 2 }), ...items(4, 5, { category: 7 })]);
    expect(oneFilterOf('category', few, [])).toEqual({ category: 7 });
    expect(oneFilterOf('category', asItems(items(1, 3, { category: 2 })), [])).toBeUndefined();
  });

  it('is a known currency, or any if none is known', () => {
    const of = (ids: readonly string[]) => oneFilterOf('currency_id', many, ids);
    expect(of(['8'])).toEqual({ currency_id: '8' });
    expect(of([])).toEqual({ currency_id: '7' });
    expect(of(['9'])).toBeUndefined();
  });

  it('is a currency with a category that has other news as well', () => {
    const of = (...lists: readonly string[][]): NewsItem[] =>
      asItems(
        lists.map((ids, index) => item(index, { ...matched(...ids), category: 1 + (index % 2) })),
      );
    expect(categoryAround(of(['7'], ['7'], ['7'], ['8']), '7')).toBe(2);
    expect(categoryAround(of(['7'], ['8']), '7')).toBeUndefined();
  });
});

describe('two categories', () => {
  const of = (counts: Readonly<Record<number, number>>): NewsItem[] =>
    asItems(
      Object.entries(counts).flatMap(([category, count]) =>
        items(1, count, { category: Number(category) }),
      ),
    );

  it('are the rarest that fill more than a page', () => {
    expect(twoCategoriesOf(of({ 1: 50, 2: 15, 3: 12, 7: 4 }), 20)).toEqual([2, 3]);
    expect(twoCategoriesOf(of({ 1: 10, 2: 5, 3: 1 }), 20)).toEqual([1, 2]);
  });

  it('are always two', () => {
    expect(twoCategoriesOf(of({ 1: 22, 7: 10 }), 20)).toEqual([1, 2]);
    expect(twoCategoriesOf([], 20)).toHaveLength(2);
    expect(twoCategoriesOf(of({ 4: 9 }), 20)[0]).toBe(4);
  });
});
