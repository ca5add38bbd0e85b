import { describe, expect, it } from 'vitest';
import { items, judgedOf, news, pointersOf } from '../../test/judge/news-exchanges.ts';

const ID = '4.2/languages-share-ids';
const at = (after: number) => ({ after });

describe('4.2/languages-share-ids', () => {
  it('holds for the same page in two languages', () => {
    const exchanges = [news(items(1, 20)), news(items(1, 20), { language: 'ja' }, at(100))];
    expect(pointersOf(exchanges, ID)).toEqual([]);
  });

  it('knows a page by its defaults', () => {
    const explicit = news(items(1, 20), { language: 'en', page: '1', page_size: '20' });
    expect(pointersOf([explicit, news(items(1, 20), { language: 'ja' }, at(100))], ID)).toEqual([]);
    const other = news(items(1, 20), { language: 'ja', page: '2' }, at(100));
    expect(pointersOf([explicit, other], ID)).toBeUndefined();
  });

  it('bears news that come in at the head meanwhile', () => {
    const exchanges = [news(items(3, 20)), news(items(1, 20), { language: 'ja' }, at(100))];
    expect(pointersOf(exchanges, ID)).toEqual([]);
  });

  it('finds what both neighbours have and the page between them has not', () => {
    const japanese = items(1, 20).map((one, index) => (index === 4 ? { ...one, id: 'x' } : one));
    const exchanges = [
      news(items(1, 20)),
      news(japanese, { language: 'ja' }, at(100)),
      news(items(1, 20), {}, at(200)),
    ];
    const judged = judgedOf(exchanges, ID);
    expect(judged?.findings).toHaveLength(1);
    expect(judged?.findings[0]).toMatchObject({
      pointer: '/list',
      exchange: exchanges[1]?.id,
      expected: expect.stringContaining('"n5"') as string,
    });
  });

  it('does not judge a difference that may have come about meanwhile', () => {
    const japanese = items(1, 20).map((one, index) => (index === 4 ? { ...one, id: 'x' } : one));
    const exchanges = [news(items(1, 20)), news(japanese, { language: 'ja' }, at(100))];
    expect(pointersOf(exchanges, ID)).toBeUndefined();
  });

  it('bears a page that is served a little late', () => {
    const exchanges = [
      news(items(1, 20)),
      news(items(3, 20), { language: 'ja' }, at(100)),
      news(items(1, 20), {}, at(200)),
    ];
    expect(pointersOf(exchanges, ID)).toEqual([]);
  });

  it('finds other news altogether', () => {
    const other = news(items(100, 20), { language: 'ja' }, at(100));
    expect(pointersOf([news(items(1, 20)), other], ID)).toEqual(['/list']);
    const later = news(items(100, 20), { language: 'ja' }, at(600_000));
    expect(pointersOf([news(items(1, 20)), later], ID)).toBeUndefined();
  });

  it('bears a language that has fewer news in all', () => {
    const [before, after] = [news(items(1, 20)), news(items(1, 20), {}, at(200))];
    const some = items(1, 40).filter((_, index) => index % 2 === 0);
    const fewer = news(some, { language: 'ja' }, at(100), 240);
    expect(pointersOf([before, fewer, after], ID)).toBeUndefined();
    const same = news(some, { language: 'ja' }, at(100));
    expect(pointersOf([before, same, after], ID)).toEqual(['/list']);
  });
});
