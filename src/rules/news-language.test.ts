import { describe, expect, it } from 'vitest';
import {
  asFeatured,
  featured,
  item,
  items,
  news,
  pointersOf,
  type Item,
} from '../../test/rules/news-exchanges.ts';

const CHINESE = {
  title: '交易所周一宣布重新开放交易',
  content: '<p>交易所周一表示将重新开放，客户资金已经全部返还，监管机构正在调查原因。</p>',
};
const TRADITIONAL = {
  title: '交易所週一宣布重新開放交易',
  content: '<p>交易所週一表示將重新開放，客戶資金已經全部返還，監管機構正在調查原因。</p>',
};
const SPANISH = {
  title: 'La bolsa anuncia que los mercados abren el lunes',
  content: '<p>La bolsa dijo el lunes que abrirá de nuevo y que los fondos han sido devueltos.</p>',
};
const ENGLISH_LONG = {
  content: `<p>${'The exchange said that it will be open again and that its customers were paid. '.repeat(4)}</p>`,
};
const quote = (content: string): Item => ({ quote_info: { content } });

describe('4.2/language', () => {
  it('holds for a page in the language asked for', () => {
    expect(pointersOf([news(items(1, 8, CHINESE), { language: 'zh' })], '4.2/language')).toEqual(
      [],
    );
    expect(pointersOf([news(items(1, 8), { language: 'en' })], '4.2/language')).toEqual([]);
    expect(pointersOf([news(items(1, 8, SPANISH), { language: 'es' })], '4.2/language')).toEqual(
      [],
    );
  });

  it('finds a page in English, title and content', () => {
    const exchange = news(items(1, 8), { language: 'zh' });
    expect(pointersOf([exchange], '4.2/language')).toEqual(['/list/0/title', '/list/0/content']);
  });

  it('finds titles alone', () => {
    const list = items(1, 8, { content: CHINESE.content });
    expect(pointersOf([news(list, { language: 'zh' })], '4.2/language')).toEqual(['/list/0/title']);
  });

  it('tells the two writings of Chinese apart', () => {
    const exchange = news(items(1, 8, CHINESE), { language: 'tc' });
    expect(pointersOf([exchange], '4.2/language')).toEqual(['/list/0/title', '/list/0/content']);
    const traditional = news(items(1, 8, TRADITIONAL), { language: 'tc' });
    expect(pointersOf([traditional], '4.2/language')).toEqual([]);
  });

  it('finds one long content in another language among many', () => {
    const list = [...items(1, 9, CHINESE), item(10, { ...CHINESE, ...ENGLISH_LONG })];
    expect(pointersOf([news(list, { language: 'zh' })], '4.2/language')).toEqual([
      '/list/9/content',
    ]);
  });

  it('takes a few headlines in another language for names', () => {
    const title = 'Coinbase Solana Foundation';
    const list = [...items(1, 7, CHINESE), ...items(8, 3, { ...CHINESE, title })];
    expect(pointersOf([news(list, { language: 'zh' })], '4.2/language')).toEqual([]);
  });

  it('is not judged on fewer than five texts, or short ones', () => {
    const few = news(items(1, 4, CHINESE), { language: 'ja' });
    expect(pointersOf([few], '4.2/language')).toBeUndefined();
    const short = news(items(1, 9, { title: 'BTC', content: '<p>5 %</p>' }), { language: 'ja' });
    expect(pointersOf([short], '4.2/language')).toBeUndefined();
  });

  it('leaves an unlisted language alone', () => {
    expect(pointersOf([news(items(1, 8), { language: 'xx' })], '4.2/language')).toBeUndefined();
  });

  it('finds untranslated titles in a language of the same letters by the English ones', () => {
    const title = 'Coinbase Binance Kraken Solana Cardano';
    const english = news(items(1, 8, { title }), { language: 'en' });
    const spanish = news(items(1, 8, { ...SPANISH, title }), { language: 'es' });
    expect(pointersOf([english, spanish], '4.2/language')).toEqual(['/list/0/title']);
    const translated = news(items(1, 8, SPANISH), { language: 'es' });
    expect(pointersOf([english, translated], '4.2/language')).toEqual([]);
  });
});

describe('4.2/language-default', () => {
  it('is English', () => {
    expect(pointersOf([news(items(1, 8))], '4.2/language-default')).toEqual([]);
    expect(pointersOf([news(items(1, 8, CHINESE))], '4.2/language-default')).toEqual([
      '/list/0/title',
      '/list/0/content',
    ]);
    expect(pointersOf([news(items(1, 3))], '4.2/language-default')).toBeUndefined();
  });

  it('is what language=en brings', () => {
    const asked = news(items(1, 8), { language: 'en' });
    const other = news(items(1, 8, ENGLISH_LONG));
    expect(pointersOf([asked, other], '4.2/language-default')).toEqual(['/list/0/content']);
    expect(pointersOf([asked, news(items(1, 8))], '4.2/language-default')).toEqual([]);
  });

  it('bears the edit of a few news between two requests', () => {
    const edited = [...items(1, 2, ENGLISH_LONG), ...items(3, 6)];
    const exchanges = [news(items(1, 8), { language: 'en' }), news(edited)];
    expect(pointersOf(exchanges, '4.2/language-default')).toEqual([]);
  });
});

describe('4.2/quote-language', () => {
  const english = quote('The data speak for themselves and this is what they say to us');

  it('looks at quoted posts', () => {
    const chinese = quote('数据说明一切，这是变化的要点，请关注后续报道。');
    const good = news(items(1, 8, { ...CHINESE, ...chinese }), { language: 'zh' });
    expect(pointersOf([good], '4.2/quote-language')).toEqual([]);
    const bad = news(items(1, 8, { ...CHINESE, ...english }), { language: 'zh' });
    expect(pointersOf([bad], '4.2/quote-language')).toEqual(['/list/0/quote_info/content']);
    expect(pointersOf([bad], '4.2/language')).toEqual([]);
  });

  it('is not judged without quotes', () => {
    expect(pointersOf([news(items(1, 8))], '4.2/quote-language')).toBeUndefined();
  });
});

describe('4.2/featured-language', () => {
  it('covers the default and the language asked for', () => {
    const good = [
      featured(asFeatured(items(1, 8))),
      featured(asFeatured(items(1, 8, CHINESE)), { language: 'zh' }),
    ];
    expect(pointersOf(good, '4.2/featured-language')).toEqual([]);
    const bad = [featured(asFeatured(items(1, 8)), { language: 'zh' })];
    expect(pointersOf(bad, '4.2/featured-language')).toEqual(['/list/0/title', '/list/0/content']);
  });
});

describe('2.7/author-description-language', () => {
  const english = news(items(1, 6));
  const chinese = (changes: Item, count = 6) => news(items(1, count, changes), { language: 'zh' });

  it('stays the same in each language', () => {
    expect(pointersOf([english, chinese(CHINESE)], '2.7/author-description-language')).toEqual([]);
    expect(pointersOf([english], '2.7/author-description-language')).toBeUndefined();
  });

  it('finds a translation', () => {
    const translated = chinese({ author_description: '撰写市场新闻' });
    expect(pointersOf([english, translated], '2.7/author-description-language')).toEqual([
      '/list/0/author_description',
    ]);
  });

  it('bears the edit of one author', () => {
    const list = items(1, 6, CHINESE);
    const edited = list.map((one) =>
      one['author'] === 'author_1' ? { ...one, author_description: 'Writes on markets.' } : one,
    );
    const exchanges = [english, news(edited, { language: 'zh' })];
    expect(pointersOf(exchanges, '2.7/author-description-language')).toEqual([]);
  });
});
