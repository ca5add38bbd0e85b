import { describe, expect, it } from 'vitest';
import { LANGUAGES, type Language } from '../../spec/values.ts';
import {
  chineseWriting,
  LATIN_LANGUAGES,
  WORD_LANGUAGE,
  clearlyOther,
  isOther,
  possibleLanguages,
  traitsOf,
} from './language.ts';

const TEXTS: Readonly<Record<Language, string>> = {
  en: 'The exchange said on Monday that it will be open again, and that its customers have been paid.',
  zh: '交易所周一表示将重新开放，客户资金已经全部返还，监管机构正在调查这次事件的原因。',
  tc: '交易所週一表示將重新開放，客戶資金已經全部返還，監管機構正在調查這次事件的原因。',
  ja: '取引所は月曜日に再開すると発表し、顧客の資金はすべて返還されたと述べた。',
  vi: 'Sàn giao dịch cho biết hôm thứ Hai rằng họ sẽ mở cửa trở lại và tiền của khách hàng đã được trả.',
  es: 'La bolsa dijo el lunes que abrirá de nuevo y que los fondos de sus clientes han sido devueltos.',
  pt: 'A bolsa disse na segunda-feira que vai abrir de novo e que os fundos dos clientes já foram devolvidos pela empresa, mas não todos.',
  ru: 'Биржа сообщила в понедельник, что снова откроется и что средства клиентов возвращены.',
  tr: 'Borsa pazartesi günü yeniden açılacağını ve müşterilerin parasının geri ödendiğini açıkladı.',
  fr: 'La bourse a dit lundi que les fonds de ses clients ont été rendus et que le marché est ouvert pour tous.',
};

describe('tables', () => {
  it('share no word between languages', () => {
    const counts = new Map<string, number>(LATIN_LANGUAGES.map((language) => [language, 0]));
    for (const language of WORD_LANGUAGE.values()) {
      counts.set(language, (counts.get(language) ?? 0) + 1);
    }
    for (const language of LATIN_LANGUAGES) expect(counts.get(language)).toBeGreaterThan(25);
  });

  it('distinguish simplified from traditional characters', () => {
    expect(chineseWriting('这')).toBe('simplified');
    expect(chineseWriting('這')).toBe('traditional');
    expect(chineseWriting('人')).toBeUndefined();
  });
});

describe('possible languages', () => {
  it.each(LANGUAGES)('are just %s for a sentence in it', (language) => {
    expect([...possibleLanguages(traitsOf(TEXTS[language]))]).toEqual([language]);
  });

  it('are all of them for a short text', () => {
    expect(possibleLanguages(traitsOf('BTC/USDT 12%')).size).toBe(LANGUAGES.length);
    expect(possibleLanguages(traitsOf('https://example.com/a/very/long/address')).size).toBe(10);
  });

  it('are none for another script', () => {
    const traits = traitsOf('비트코인 가격이 오늘 크게 올랐다고 거래소가 발표했습니다');
    expect(possibleLanguages(traits).size).toBe(0);
  });

  it('include all Latin-script languages for a headline of names', () => {
    const possible = possibleLanguages(traitsOf('Coinbase Binance Kraken Solana Cardano'));
    expect(possible).toEqual(new Set(LATIN_LANGUAGES));
  });

  it('are Chinese for a headline of names with few Chinese characters', () => {
    const possible = possibleLanguages(traitsOf('Coinbase 上 Ethereum 未平仓合约升至 $5M'));
    expect(possible.has('zh')).toBe(true);
    expect(possible.has('en')).toBe(false);
    expect(possible.has('tc')).toBe(false);
  });

  it('include Japanese for a short headline in Han characters', () => {
    expect(possibleLanguages(traitsOf('米証券取引委員会、承認延期')).has('ja')).toBe(true);
  });

  it('are not changed by a quotation in the other Chinese script', () => {
    expect([...possibleLanguages(traitsOf(`${TEXTS.zh}${TEXTS.zh}「開發」`))]).toEqual(['zh']);
  });
});

describe('a text', () => {
  it.each(LANGUAGES)('in %s is not in any other language', (language) => {
    for (const asked of LANGUAGES) {
      expect(isOther(traitsOf(TEXTS[language]), asked)).toBe(asked !== language);
    }
  });

  it('is clearly in another language if it is long and without a feature of the requested one', () => {
    const long = traitsOf(TEXTS.en.repeat(4));
    expect(clearlyOther(long, 'ja')).toBe('en');
    expect(clearlyOther(long, 'fr')).toBe('en');
    expect(clearlyOther(traitsOf(TEXTS.en), 'ja')).toBeUndefined();
    expect(clearlyOther(traitsOf(`${TEXTS.en.repeat(4)} は`), 'ja')).toBeUndefined();
    expect(clearlyOther(long, 'en')).toBeUndefined();
  });

  it('may be in several languages if only the script is known', () => {
    expect(isOther(traitsOf('Coinbase Binance Kraken Solana'), 'es')).toBe(false);
    expect(isOther(traitsOf('BTC'), 'es')).toBe(false);
  });
});
