import { describe, expect, it } from 'vitest';
import { items, judge, news, pointersOf, refusal } from '../../test/judge/news-exchanges.ts';

/** An answer with `rows` news to a request for pages of `size`. */
const sized = (rows: number, size: number) => news(items(1, rows), { page_size: String(size) });

describe('more than 100 news on a page', () => {
  it.each([
    ['answered with up to 200 items', sized(150, 150)],
    ['brought down to 100', sized(100, 150)],
    ['brought down to 50', sized(50, 150)],
    ['refused', refusal(400, 400003, { page_size: '150' })],
  ])('is a reading: %s', (answer, one) => {
    const { readings } = judge([one]);
    expect(readings).toContainEqual(
      expect.objectContaining({ requirement: '4.2/page-size-reading', answer }),
    );
    expect(pointersOf([one], '4.2/page-size-reading')).toEqual([]);
  });

  it('are reported above 200', () => {
    expect(pointersOf([sized(201, 201)], '4.2/max-items')).toEqual(['/list/200']);
    expect(pointersOf([sized(100, 100)], '4.2/max-items')).toEqual([]);
    expect(pointersOf([sized(20, 20)], '4.2/max-items')).toBeUndefined();
  });
});
