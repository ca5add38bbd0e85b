import { describe, expect, it } from 'vitest';
import { items, news, pointersOf } from '../../test/rules/news-exchanges.ts';

const ID = '4.2/page-default';
const whole = (from = 1, query = {}) =>
  news(items(from, 100), { language: 'zh', page: '1', page_size: '100', ...query }, { after: 500 });

describe('the first page of news', () => {
  it('is what comes without page, in whatever language', () => {
    expect(pointersOf([news(items(1, 20)), whole()], ID)).toEqual([]);
  });

  it('is found to be another one', () => {
    expect(pointersOf([news(items(21, 20)), whole()], ID)).toEqual(['/list']);
  });

  it('is found to be no page of the list at all', () => {
    expect(pointersOf([news(items(150, 20)), whole()], ID)).toEqual(['/list']);
  });

  it('bears news that come in between, and news that one language lacks', () => {
    expect(pointersOf([news(items(4, 20)), whole()], ID)).toEqual([]);
    expect(
      pointersOf([news(items(1, 40).filter((_, index) => index % 2 === 0)), whole()], ID),
    ).toEqual([]);
  });

  it('bears a size that is none, and is brought into the range', () => {
    expect(pointersOf([news(items(1, 20), { page_size: '-285356' }), whole()], ID)).toEqual([]);
  });

  it('bears a short list that grows fast', () => {
    const few = news(items(20, 6), {}, {}, 6);
    const grown = news(items(1, 25), { language: 'zh', page: '1', page_size: '100' }, {}, 25);
    expect(pointersOf([few, grown], ID)).toEqual([]);
  });

  it('is not judged against another list, or against few news', () => {
    expect(pointersOf([news(items(21, 20)), whole(1, { category: '1' })], ID)).toBeUndefined();
    expect(pointersOf([news(items(98, 20)), whole()], ID)).toBeUndefined();
    expect(pointersOf([news(items(150, 20), {}, {}, 90), whole()], ID)).toBeUndefined();
    expect(pointersOf([news([]), whole()], ID)).toBeUndefined();
  });
});
