import { LANGUAGE } from './text-language.ts';
import { describe, expect, it } from 'vitest';
import {
  asFeatured,
  featured,
  item,
  items,
  judgedOf,
  news,
  pointersOf,
  type Item,
} from '../../test/judge/news-exchanges.ts';
import { shape } from '../../src/report/model/shape.ts';

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
const findingsOf = (...[exchanges, id]: Parameters<typeof judgedOf>) =>
  judgedOf(exchanges, id)?.findings ?? [];

describe('4.2/language', () => {
  it('holds for a page in the requested language', () => {
    expect(pointersOf([news(items(1, 8, CHINESE), { language: 'zh' })], '4.2/language')).toEqual(
      [],
    );
    expect(pointersOf([news(items(1, 8), { language: 'en' })], '4.2/language')).toEqual([]);
    expect(pointersOf([news(items(1, 8, SPANISH), { language: 'es' })], '4.2/language')).toEqual(
      [],
    );
  });

  it('reports a page with title and content in English', () => {
    const exchange = news(items(1, 8), { language: 'zh' });
    expect(pointersOf([exchange], '4.2/language')).toEqual(['/list/0/title', '/list/0/content']);
  });

  it('reports titles alone', () => {
    const list = items(1, 8, { content: CHINESE.content });
    expect(pointersOf([news(list, { language: 'zh' })], '4.2/language')).toEqual(['/list/0/title']);
  });

  it('distinguishes the two Chinese scripts', () => {
    const exchange = news(items(1, 8, CHINESE), { language: 'tc' });
    expect(pointersOf([exchange], '4.2/language')).toEqual(['/list/0/title', '/list/0/content']);
    const traditional = news(items(1, 8, TRADITIONAL), { language: 'tc' });
    expect(pointersOf([traditional], '4.2/language')).toEqual([]);
  });

  it('reports a single long content in another language', () => {
    const list = [...items(1, 9, CHINESE), item(10, { ...CHINESE, ...ENGLISH_LONG })];
    expect(pointersOf([news(list, { language: 'zh' })], '4.2/language')).toEqual([
      '/list/9/content',
    ]);
  });

  it('treats a few headlines in another language as names', () => {
    const title = 'Coinbase Solana Foundation';
    const list = [...items(1, 7, CHINESE), ...items(8, 3, { ...CHINESE, title })];
    expect(pointersOf([news(list, { language: 'zh' })], '4.2/language')).toEqual([]);
  });

  it('reports an English sentence as every title, but not a name', () => {
    const titled = (title: string) =>
      pointersOf([news(items(1, 10, { ...CHINESE, title }), { language: 'zh' })], '4.2/language');
    expect(
      titled('Funding rates stay flat while spot volume keeps rising. Watching the weekly close.'),
    ).toEqual(['/list/0/title']);
    expect(titled('Bank of America Digital Assets')).toEqual([]);
    expect(
      titled('Andreessen Horowitz, Sequoia Capital, Paradigm, Pantera Capital, Polychain'),
    ).toEqual([]);
  });

  it('is not judged on symbols and figures', () => {
    const short = news(items(1, 9, { title: 'BTC', content: '<p>5 %</p>' }), { language: 'ja' });
    expect(pointersOf([short], '4.2/language')).toBeUndefined();
  });

  it('judges pages of one or two items', () => {
    expect(pointersOf([news([item(1, CHINESE)], { language: 'zh' })], '4.2/language')).toEqual([]);
    expect(pointersOf([news(items(1, 2, CHINESE), { language: 'ja' })], '4.2/language')).toBe(
      undefined,
    );
    const long = news([item(1, { ...CHINESE, ...ENGLISH_LONG })], { language: 'zh' });
    expect(pointersOf([long], '4.2/language')).toEqual(['/list/0/content']);
  });

  it('reports a page that is half untranslated, in titles or contents', () => {
    for (const field of ['title', 'content'] as const) {
      const half = [
        ...items(1, 10, CHINESE),
        ...items(11, 10, { ...CHINESE, [field]: item(1)[field] }),
      ];
      expect(pointersOf([news(half, { language: 'zh' })], '4.2/language')).toEqual([
        `/list/10/${field}`,
      ]);
    }
  });

  it('reports half of the titles untranslated into a language of the same script', () => {
    const english = news(items(1, 20), { language: 'en' });
    const half = [...items(1, 10, SPANISH), ...items(11, 10, { content: SPANISH.content })];
    expect(pointersOf([english, news(half, { language: 'es' })], '4.2/language')).toContain(
      '/list/10/title',
    );
  });

  it('tolerates titles of two words, names and tickers in every language', () => {
    for (const title of [
      'Market News',
      'The Graph Foundation',
      'Bank of America',
      'SOL/USDT +5%',
    ]) {
      const english = news(items(1, 20, { title }), { language: 'en' });
      const list = items(1, 20).map((one, index) => ({
        ...one,
        ...CHINESE,
        ...(index % 3 === 0 ? { title } : {}),
      }));
      expect(pointersOf([english, news(list, { language: 'zh' })], '4.2/language')).toEqual([]);
    }
  });

  it('tolerates names, code and addresses within a text', () => {
    const content =
      '<p>Coinbase Ventures 领投，Circle Internet Group 与 Paradigm 跟投。合约地址为 ' +
      '0xdAC17F958D2ee523a2206206994597C13D831ec7，代码 const fee = await pool.swap(token, amount) ' +
      '已经公开，详见 https://www.example.com/the/report/of/that/week</p>';
    const list = items(1, 9, { ...CHINESE, content });
    expect(pointersOf([news(list, { language: 'zh' })], '4.2/language')).toEqual([]);
  });

  it('tolerates Japanese titles without kana', () => {
    const content =
      '<p>取引所は月曜日に再開すると発表し、顧客の資金はすべて返還されたと述べた。</p>';
    const list = [
      ...items(1, 8, { title: '米国証券取引委員会、暗号資産上場投資信託承認延期', content }),
      ...items(9, 8, { title: '国会、来年度税制改正大綱決定', content }),
    ];
    expect(pointersOf([news(list, { language: 'ja' })], '4.2/language')).toEqual([]);
    const chinese = news(items(1, 16, { ...CHINESE, content }), { language: 'ja' });
    expect(pointersOf([chinese], '4.2/language')).toEqual(['/list/0/title']);
  });

  it('ignores an unlisted language', () => {
    expect(pointersOf([news(items(1, 8), { language: 'xx' })], '4.2/language')).toBeUndefined();
  });

  it('reports untranslated titles in a language of the same script by comparing with English', () => {
    const title = 'Coinbase and Kraken wait for the decision of the court';
    const english = news(items(1, 8, { title }), { language: 'en' });
    const spanish = news(items(1, 8, { ...SPANISH, title }), { language: 'es' });
    expect(pointersOf([english, spanish], '4.2/language')).toContain('/list/0/title');
    const translated = news(items(1, 8, SPANISH), { language: 'es' });
    expect(pointersOf([english, translated], '4.2/language')).toEqual([]);
  });
});

describe('the evidence of an untranslated text', () => {
  const said = (list: Item[], language: string): (string | undefined)[] =>
    findingsOf([news(list, { language })], '4.2/language').map(({ actual }) => actual);

  it('is a wrong script even in a few letters', () => {
    const short = ['Rates up by 5 %', 'Rates of the week', 'Not by the book', 'Was it the fork?'];
    const content =
      '<p>取引所は月曜日に再開すると発表し、顧客の資金はすべて返還されたと述べた。</p>';
    const list = short.flatMap((title, index) => items(1 + 2 * index, 2, { title, content }));
    expect(said(list, 'ja')).toEqual([
      '"Rates up by 5 %", in Latin letters; together with the other texts, in English',
    ]);
    expect(said(items(1, 8, CHINESE), 'tc')[1]).toContain(', in Simplified Chinese');
  });

  it('has the same words for every language, to count as one cause', () => {
    const inWords = (language: string) =>
      findingsOf([news(items(1, 8), { language })], '4.2/language').map(({ message, expected }) =>
        [shape(message), shape(expected)].join(),
      );
    expect(inWords('ja')).toEqual(inWords('ru'));
    const featuredWords = findingsOf(
      [featured(asFeatured(items(1, 8)), { language: 'zh' })],
      '4.2/featured-language',
    ).map(({ message, expected }) => [shape(message), shape(expected)].join());
    expect(featuredWords).toEqual(inWords('ja'));
  });
});

describe('the same text under one id in languages without a common script', () => {
  const english = news(items(1, 20), { language: 'en' });
  const chinese = (changed: (index: number) => Item, language = 'zh') =>
    news(
      items(1, 20).map((one, index) => ({ ...one, ...CHINESE, ...changed(index) })),
      { language },
    );
  const sentence = item(1)['title'];
  const titles = (count: number, title = sentence) =>
    chinese((index) => (index < count ? { title } : {}));

  it('is untranslated, even for two titles of twenty or one content', () => {
    expect(pointersOf([english, titles(2)], '4.2/language')).toEqual(['/list/0/title']);
    expect(findingsOf([english, titles(2)], '4.2/language')[0]?.message).toContain(
      ' of at least 2 of 20 news items ',
    );
    const content = chinese((index) => (index === 4 ? { content: item(5)['content'] } : {}));
    expect(pointersOf([english, content], '4.2/language')).toEqual(['/list/4/content']);
    // Whichever of the two comes first, and whichever is wrong.
    expect(pointersOf([titles(2), english], '4.2/language')).toEqual(['/list/0/title']);
    const title = `${CHINESE.title}并返还资金`;
    const mixed = news(
      items(1, 20).map((one, index) => (index < 2 ? { ...one, title } : one)),
      { language: 'en' },
    );
    const whole = chinese(() => ({ title }));
    expect(pointersOf([whole, mixed], '4.2/language')).toEqual(['/list/0/title']);
  });

  it('is tolerated as a single title, a name or a ticker, and in languages of one script', () => {
    expect(pointersOf([english, titles(1)], '4.2/language')).toEqual([]);
    for (const title of ['Bank of America', 'The Graph Foundation', 'SOL/USDT +5%']) {
      const named = news(items(1, 20, { title }), { language: 'en' });
      expect(pointersOf([named, titles(4, title)], '4.2/language')).toEqual([]);
    }
    const japanese = '市場動向分析報告書公開延期発表';
    const both = ['ja', 'tc'].map((language) =>
      chinese((index) => (index < 3 ? { title: japanese } : {}), language),
    );
    expect(pointersOf(both, '4.2/language')).not.toContain('/list/0/title');
  });

  it('is tolerated as a content of nothing but an address or what is left of a tag', () => {
    for (const content of [
      'https://cdn.example.com/charts/daily/closing-prices.png',
      `<p>c" title='' src="https://cdn.example.com/c.png"&gt;</p>`,
    ]) {
      const named = news(items(1, 20, { content }), { language: 'en' });
      const repeated = chinese((index) => (index < 5 ? { content } : {}));
      expect(pointersOf([named, repeated], '4.2/language')).toEqual([]);
    }
  });

  it('needs an answer in the other language', () => {
    expect(pointersOf([titles(2)], '4.2/language')).toEqual([]);
  });
});

describe('4.2/language-default', () => {
  it('is English', () => {
    expect(pointersOf([news(items(1, 8))], '4.2/language-default')).toEqual([]);
    expect(pointersOf([news(items(1, 8, CHINESE))], '4.2/language-default')).toEqual([
      '/list/0/title',
      '/list/0/content',
    ]);
    expect(pointersOf([news(items(1, 3))], '4.2/language-default')).toEqual([]);
    expect(pointersOf([news([])], '4.2/language-default')).toBeUndefined();
  });

  it('equals language=en', () => {
    const asked = news(items(1, 8), { language: 'en' });
    const other = news(items(1, 8, ENGLISH_LONG));
    expect(pointersOf([asked, other], '4.2/language-default')).toEqual(['/list/0/content']);
    expect(pointersOf([asked, news(items(1, 8))], '4.2/language-default')).toEqual([]);
  });

  it('tolerates edits of a few items between two requests', () => {
    const edited = [...items(1, 2, ENGLISH_LONG), ...items(3, 6)];
    const exchanges = [news(items(1, 8), { language: 'en' }), news(edited)];
    expect(pointersOf(exchanges, '4.2/language-default')).toEqual([]);
  });
});

describe('4.2/quote-language', () => {
  const english = quote('The data speak for themselves and this is what they say to us');

  it('covers quoted posts', () => {
    const chinese = quote('数据说明一切，这是变化的要点，请关注后续报道。');
    const good = news(items(1, 8, { ...CHINESE, ...chinese }), { language: 'zh' });
    expect(pointersOf([good], '4.2/quote-language')).toEqual([]);
    const bad = news(items(1, 8, { ...CHINESE, ...english }), { language: 'zh' });
    expect(pointersOf([bad], '4.2/quote-language')).toEqual(['/list/0/quote_info/content']);
    expect(pointersOf([bad], '4.2/language')).toEqual([]);
  });

  const quotes = (language: string, ...texts: readonly string[]) =>
    news(
      items(1, 100).map((one, index) => ({
        ...one,
        ...CHINESE,
        ...quote(index % 2 === 0 ? (texts[(index / 2) % texts.length] ?? '') : 'GM'),
      })),
      { language },
    );
  const id = '4.2/quote-language';
  const found = ['/list/0/quote_info/content'];

  it('combines short quotes', () => {
    const simplified =
      '看涨 继续 这个价 买进 开盘了 还会涨 没问题 发财 说对了 认真的 实话 现在买 时机到 总会来 账户满 问题大 关机';
    const traditional =
      '看漲 繼續 這個價 買進 開盤了 還會漲 沒問題 發財 說對了 認真的 實話 現在買 時機到 總會來 賬戶滿 問題大 關機';
    expect(pointersOf([quotes('zh', ...simplified.split(' '))], id)).toEqual([]);
    expect(pointersOf([quotes('zh', ...traditional.split(' '))], id)).toEqual(found);
    const latin = [
      'to the moon',
      'not yet, not that',
      'this is it and will be',
      'they will',
      'who knew',
    ];
    expect(pointersOf([quotes('zh', ...latin)], id)).toEqual(found);
    expect(pointersOf([quotes('zh', 'LFG', 'HODL', 'BTC', 'SOL', 'DYOR')], id)).toBeUndefined();
  });

  it('counts a repeated short quote once, and never one that fits the requested language', () => {
    for (const same of ['市場動向', '繼續看漲', '继续看涨']) {
      for (const language of ['ja', 'tc', 'zh']) {
        expect(pointersOf([quotes(language, same)], id)).toBeUndefined();
      }
    }
    // Han characters that could all be Japanese.
    const headlines = '市場動向 取引開始 米国株高 円安進行 国会審議 東京市場 金融政策 決算発表';
    expect(pointersOf([quotes('ja', ...headlines.split(' '))], id) ?? []).toEqual([]);
  });

  it('reports a page with half of its quotes untranslated', () => {
    const chinese = quote('数据说明一切，这是变化的要点，请关注后续报道。');
    const half = [
      ...items(1, 10, { ...CHINESE, ...chinese }),
      ...items(11, 10, { ...CHINESE, ...english }),
    ];
    expect(pointersOf([news(half, { language: 'zh' })], '4.2/quote-language')).toEqual([
      '/list/10/quote_info/content',
    ]);
  });

  it('is not judged without quotes', () => {
    expect(pointersOf([news(items(1, 8))], '4.2/quote-language')).toBeUndefined();
  });
});

describe('4.2/featured-language', () => {
  it('covers the default and the requested language', () => {
    const good = [
      featured(asFeatured(items(1, 8))),
      featured(asFeatured(items(1, 8, CHINESE)), { language: 'zh' }),
    ];
    expect(pointersOf(good, '4.2/featured-language')).toEqual([]);
    const bad = [featured(asFeatured(items(1, 8)), { language: 'zh' })];
    expect(pointersOf(bad, '4.2/featured-language')).toEqual(['/list/0/title', '/list/0/content']);
  });
});

it('news that is English throughout is not explained by a swap of languages or an untranslated field', () => {
  expect(LANGUAGE.usually.join()).not.toMatch(/title|quote|Traditional/);
});
