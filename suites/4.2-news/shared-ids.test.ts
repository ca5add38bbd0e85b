import { describe, expect, it } from 'vitest';
import { items, judgedOf, news, pointersOf } from '../../test/judge/news-exchanges.ts';

const ID = '4.2/languages-share-ids';
const at = (after: number) => ({ after });

describe('4.2/languages-share-ids', () => {
  it('holds for the same page in two languages', () => {
    const exchanges = [news(items(1, 20)), news(items(1, 20), { language: 'ja' }, at(100))];
    expect(pointersOf(exchanges, ID)).toEqual([]);
  });

  it('recognizes the same page with explicit defaults', () => {
    const explicit = news(items(1, 20), { language: 'en', page: '1', page_size: '20' });
    expect(pointersOf([explicit, news(items(1, 20), { language: 'ja' }, at(100))], ID)).toEqual([]);
    const other = news(items(1, 20), { language: 'ja', page: '2' }, at(100));
    expect(pointersOf([explicit, other], ID)).toBeUndefined();
  });

  it('tolerates news that arrives at the top', () => {
    const exchanges = [news(items(3, 20)), news(items(1, 20), { language: 'ja' }, at(100))];
    expect(pointersOf(exchanges, ID)).toEqual([]);
  });

  it('reports an item missing between two pages that have it', () => {
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

  it('ignores a difference that may have arisen in between', () => {
    const japanese = items(1, 20).map((one, index) => (index === 4 ? { ...one, id: 'x' } : one));
    const exchanges = [news(items(1, 20)), news(japanese, { language: 'ja' }, at(100))];
    expect(pointersOf(exchanges, ID)).toBeUndefined();
  });

  it('tolerates a slightly outdated page', () => {
    const exchanges = [
      news(items(1, 20)),
      news(items(3, 20), { language: 'ja' }, at(100)),
      news(items(1, 20), {}, at(200)),
    ];
    expect(pointersOf(exchanges, ID)).toEqual([]);
  });

  it('reports news of a project that another language has and does not relate to it', () => {
    const project = { project_id: '7', page_size: '100' };
    const english = news(items(1, 3), project, at(100), 3);
    const japanese = news(items(1, 20), { ...project, language: 'ja' }, at(200), 20);
    expect(pointersOf([news(items(1, 20)), english, japanese], ID)).toEqual(['/list']);
    expect(pointersOf([news(items(21, 20)), english, japanese], ID)).toBeUndefined();
    const later = news(items(1, 20), {}, at(150));
    expect(pointersOf([news(items(1, 3)), english, later, japanese], ID)).toBeUndefined();
    const cut = news(items(1, 3), project, at(100), 20);
    expect(pointersOf([news(items(1, 20)), cut, japanese], ID)).toBeUndefined();
    const few = news(items(1, 10), { ...project, language: 'ja' }, at(200), 10);
    expect(pointersOf([news(items(1, 20)), english, few], ID)).toBeUndefined();
  });

  it('tolerates a language with fewer news', () => {
    const [before, after] = [news(items(1, 20)), news(items(1, 20), {}, at(200))];
    const some = items(1, 40).filter((_, index) => index % 2 === 0);
    const fewer = news(some, { language: 'ja' }, at(100), 240);
    expect(pointersOf([before, fewer, after], ID)).toBeUndefined();
    const same = news(some, { language: 'ja' }, at(100));
    expect(pointersOf([before, same, after], ID)).toEqual(['/list']);
  });
});
