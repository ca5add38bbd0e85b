import {
  CLEAR_HEADLINES,
  CLEAR_TOGETHER,
  MIN_TEXTS_AGAINST,
  LONG_WEIGHT,
  SHARE_AGAINST,
  MIN_SENTENCES,
} from '../numbers.ts';
import type { Language } from '../../src/spec/values.ts';
import {
  fits,
  clearlyOther,
  isLatin,
  isOther,
  languageTogether,
  MIN_WEIGHT,
  traitsOf,
  type Traits,
  describeFound,
  describeLanguage,
  isOfOtherScript,
  languageName,
  shareNoScript,
  withoutNeutral,
} from '../../src/judge/text/language.ts';
import { markupOf } from '../../src/judge/text/html.ts';
import { type NewsItem, askedLanguage, idOf, newsItems } from '../../src/judge/news-items.ts';
import { isObject, type View } from '../../src/judge/view.ts';
import { perObject } from '../../src/text/remembered.ts';
import type { EndpointPath } from '../../src/spec/endpoints.ts';
import type { Advice } from '../../src/requirements/definition.ts';
import { isJudgeable, type Context } from '../../src/judge/context.ts';
import { show, type FindingText } from '../../src/judge/judgement.ts';
import { judgeAll, judgeEach, type Judge, type OwnJudgement } from '../../src/judge/judge.ts';

/** Parts of a news item in the requested language (§4.2 rule 1). */
export const TEXT_FIELDS = ['title', 'content', 'quote'] as const;
type TextField = (typeof TEXT_FIELDS)[number];

const TEXT_PATHS: Readonly<Record<TextField, string>> = {
  title: '/title',
  content: '/content',
  quote: '/quote_info/content',
};

/** A text of an item, without markup. */
interface NewsText {
  readonly text: string;
  readonly traits: Traits;
}

const textOf = ({ value }: NewsItem, field: TextField): NewsText | undefined =>
  textsOf(value)[field];

const textsOf = perObject(
  ({
    title,
    content,
    quote_info: quote,
  }: NewsItem['value']): Record<TextField, NewsText | undefined> => ({
    title: readText(title),
    content: readText(content),
    quote: isObject(quote) ? readText(quote['content']) : undefined,
  }),
);

function readText(raw: unknown): NewsText | undefined {
  if (typeof raw !== 'string' || raw === '') return undefined;
  const { text } = markupOf(raw);
  return { text, traits: traitsOf(text) };
}

/** How the texts of a page relate to the requested language. */
interface LanguageVerdict {
  /** `other`: a good part is in another language. `asked`: they are in the requested one. `unclear`: inconclusive. */
  readonly verdict: 'asked' | 'other' | 'unclear';
  /** Items with a text in another language: all of them if the verdict is `other`, otherwise only the clear cases. */
  readonly against: readonly NewsItem[];
  /** Items whose text is conclusive. */
  readonly total: number;
  /** Common language of the texts against; undefined if each was judged alone. */
  readonly found?: Language | 'other';
}

/** Whether `some` of `all` texts are too many to be exceptions. */
const isGoodPart = (some: number, all: number): boolean =>
  some >= MIN_TEXTS_AGAINST && some >= SHARE_AGAINST * all;

/**
 * Judges a field over a whole page, since single titles and quotes are too short. Names, tickers and figures, the same
 * in every language, do not count.
 */
function languageVerdict(
  items: readonly NewsItem[],
  field: TextField,
  asked: Language,
): LanguageVerdict {
  const ofPage = verdictsOf(items);
  const key = `${field} ${asked}`;
  const result = ofPage.get(key) ?? judgeField(items, field, asked);
  ofPage.set(key, result);
  return result;
}

/** Memo: several checks judge each page, and all are judged again at the end. */
const verdictsOf = perObject<readonly NewsItem[], [], Map<string, LanguageVerdict>>(
  () => new Map(),
);

function judgeField(
  items: readonly NewsItem[],
  field: TextField,
  asked: Language,
): LanguageVerdict {
  const texts = items.flatMap((item) => {
    const text = textOf(item, field);
    if (text === undefined || text.traits.weight === 0) return [];
    return [{ ...text, item }];
  });
  const others = texts.filter(({ traits }) => isOther(traits, asked));
  const rest = texts.filter((text) => !others.includes(text));
  // A text that fits the requested language never counts against it, whatever the others are.
  const unfit = rest.filter(({ traits }) => !fits(traits, asked));
  const total = texts.length;
  // In a shared script, sentences outweigh a headline of names.
  const [shown, least] = isLatin(asked) ? [rest, CLEAR_HEADLINES] : [unfit, CLEAR_TOGETHER];
  for (const [group, found, weight] of [
    [others, languageOf(others), 0],
    [unfit, languageOf(shown), least],
  ] as const) {
    if (found === undefined || found === asked || !isGoodPart(group.length, total)) continue;
    if (weight > distinct(group).reduce((sum, { traits }) => sum + traits.weight, 0)) continue;
    return { verdict: 'other', against: group.map(({ item }) => item), total, found };
  }
  const clear = texts.filter(({ traits }) => clearlyOther(traits, asked) !== undefined);
  return {
    verdict: languageOf(rest) === asked ? 'asked' : 'unclear',
    against: clear.map(({ item }) => item),
    total,
  };
}

const languageOf = (texts: readonly NewsText[]): Language | 'other' | undefined =>
  languageTogether(distinct(texts).map(({ traits }) => traits));

/**
 * Counts a repeated short text once: a name over many news says no more than over one. A long text is not a name, so it
 * counts each time.
 */
function distinct<Text extends NewsText>(texts: readonly Text[]): readonly Text[] {
  const seen = new Set<string>();
  return texts.filter(({ text, traits }) => {
    const long = 2 * traits.latin >= traits.weight ? LONG_WEIGHT : MIN_WEIGHT;
    const isCounted = traits.weight >= long || !seen.has(text);
    seen.add(text);
    return isCounted;
  });
}

// News texts are in the requested language (§4.2 rule 1).

export const LANGUAGE: Advice = {
  why: 'Readers who choose another language cannot read the news.',
  usually: [
    '`language` is ignored, or the cache key lacks it, so all texts are in one language.',
    'News without a translation falls back to English or Chinese.',
  ],
};

/** The texts that a requirement covers. */
interface Texts {
  readonly endpoint: EndpointPath;
  readonly fields: readonly TextField[];
  /** Whether requests set the language, if another requirement covers the other case. */
  readonly language?: 'sent' | 'left out';
}

const areOf = ({ endpoint, language }: Texts, { exchange, query }: View): boolean =>
  exchange.endpoint === endpoint &&
  (language === undefined || query.has('language') === (language === 'sent'));

/** Texts are in the requested language, judged alone and compared with other answers. */
export const inLanguageAsked = (texts: Texts): readonly Judge[] => [
  judgeByFeatures(texts),
  notTheEnglishText(texts),
  notTheTextOfAnotherScript(texts),
];

/** Judges a page by scripts and function words. */
const judgeByFeatures = (texts: Texts): Judge =>
  judgeEach((view, context, it) => {
    const asked = askedLanguage(view);
    if (asked === undefined || !areOf(texts, view) || !isJudgeable(view, context)) return;
    for (const field of texts.fields) {
      const { verdict, against, total, found } = languageVerdict(newsItems(view), field, asked);
      if (verdict !== 'unclear') it.judged(view);
      const [first] = against;
      // A single long text counts only for content; titles and quotes are too short.
      if (first === undefined || (verdict !== 'other' && field !== 'content')) continue;
      const traits = textOf(first, field)?.traits;
      const seems = traits === undefined ? '' : describeLanguage(traits);
      const together = found === undefined ? seems : describeFound(found);
      const why =
        together === seems ? seems : `${seems}; together with the other texts, ${together}`;
      it.found(view, untranslated(view, { field, asked, against, total, why }));
    }
  });

/** Texts of a page that are not in the requested language. */
interface Untranslated {
  readonly field: TextField;
  readonly asked: Language;
  readonly against: readonly NewsItem[];
  /** Number of texts that were judged. */
  readonly total: number;
  /** The evidence. */
  readonly why: string;
}

/** The same words for every language, so that an untranslated field is one cause. */
function untranslated(
  view: View,
  { field, asked, against, total, why }: Untranslated,
): FindingText {
  const at = TEXT_PATHS[field];
  const name = at.slice(1).replaceAll('/', '.');
  const byDefault = view.query.has('language') ? '' : ', by default';
  const [item] = against;
  return {
    kind: 'other-language',
    facts: {
      field: name,
      // Texts whose language cannot be told may be wrong as well.
      items: `${against.length < total ? 'at least ' : ''}${against.length} of ${total}`,
      byDefault,
    },
    expected: `a text in "${languageName(asked)}"`,
    actual: `${show(item && textOf(item, field)?.text.slice(0, 80))}, ${why}`,
    pointer: `${item?.pointer ?? view.root}${at}`,
  };
}

/** Reports texts that other answers repeat, unless {@link judgeByFeatures} reports the page already. */
function reportRepeated(view: View, texts: Untranslated, it: OwnJudgement): void {
  const { verdict } = languageVerdict(newsItems(view), texts.field, texts.asked);
  if (verdict !== 'other') it.found(view, untranslated(view, texts));
}

/** Texts of a field by id that were requested in English and do not look like another language. */
function englishTexts(
  field: TextField,
  views: readonly View[],
  context: Context,
): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const view of views) {
    if (askedLanguage(view) !== 'en' || !isJudgeable(view, context)) continue;
    const items = newsItems(view);
    if (languageVerdict(items, 'content', 'en').verdict !== 'asked') continue;
    for (const item of items) {
      const id = idOf(item);
      const text = textOf(item, field)?.text;
      if (id !== undefined && text !== undefined) texts.set(id, text);
    }
  }
  return texts;
}

/**
 * News in another language does not repeat the English text. Finds untranslated titles in languages with the same
 * script.
 */
const notTheEnglishText = (texts: Texts): Judge =>
  judgeAll((views, context, it) => {
    for (const field of texts.fields) {
      const english = englishTexts(field, views, context);
      for (const view of views) {
        const asked = askedLanguage(view);
        if (asked === undefined || asked === 'en' || !areOf(texts, view)) continue;
        if (!isJudgeable(view, context)) continue;
        const compared = newsItems(view).filter(
          (item) => textOf(item, field) !== undefined && english.has(idOf(item) ?? ''),
        );
        const same = compared.filter(
          (item) => textOf(item, field)?.text === english.get(idOf(item) ?? ''),
        );
        if (!isGoodPart(same.length, compared.length)) continue;
        // Names, tickers and figures are the same everywhere, so only sentences count.
        if (languageOf(same.flatMap((item) => textOf(item, field) ?? [])) !== 'en') continue;
        const total = compared.length;
        const why = 'the same text as in English';
        reportRepeated(view, { field, asked, against: same, total, why }, it);
      }
    }
  });

/** A sentence repeated under one id in two languages without a common script is untranslated, even on a single item. */
const notTheTextOfAnotherScript = (texts: Texts): Judge =>
  judgeAll((views, context, it) => {
    const judgeable = views.filter((view) => isJudgeable(view, context));
    for (const field of texts.fields) {
      const pages = judgeable.flatMap((view) => {
        const asked = askedLanguage(view);
        if (asked === undefined) return [];
        const against = newsItems(view).filter((item) =>
          isOfAnotherPage(item, field, asked, judgeable),
        );
        return against.length === 0 ? [] : [{ view, asked, against }];
      });
      // A single title or quote may be a name or a song lyric.
      const ids = new Set(pages.flatMap(({ against }) => against.map(idOf)));
      if (ids.size < (field === 'content' ? 1 : MIN_SENTENCES)) continue;
      for (const { view, asked, against } of pages.filter((page) => areOf(texts, page.view))) {
        const total = newsItems(view).length;
        const why = 'the same text under this id in a language with a different script';
        reportRepeated(view, { field, asked, against, total, why }, it);
      }
    }
  });

/** Lower-case words; names have one or two: `Bank of America`. */
const LOWER_WORDS = /(?<!\p{L})\p{Ll}{2,}/gu;
const MIN_LOWER = 3;

/** More than a name, ticker or figure, which are the same in every language. */
const isSentence = (text: NewsText): boolean =>
  languageOf([text]) !== undefined ||
  [...withoutNeutral(text.text).matchAll(LOWER_WORDS)].length >= MIN_LOWER;

/** Whether a text is a sentence in a script that the language does not use, which a page in another language shows, too. */
function isOfAnotherPage(
  item: NewsItem,
  field: TextField,
  asked: Language,
  views: readonly View[],
): boolean {
  const [id, text] = [idOf(item), textOf(item, field)];
  if (id === undefined || text === undefined) return false;
  if (!isOfOtherScript(text.traits, asked) || !isSentence(text)) return false;
  return views.some((view) => {
    const other = askedLanguage(view);
    if (other === undefined || !shareNoScript(other, asked)) return false;
    return newsItems(view).some(
      (one) => idOf(one) === id && textOf(one, field)?.text === text.text,
    );
  });
}

/** Without `language`, texts are the same as with `language=en`. */
export const asWithEnglish = (endpoint: EndpointPath): Judge =>
  judgeAll((views, context, it) => {
    const asked = views.filter(({ query }) => query.get('language') === 'en');
    const english = englishTexts('content', asked, context);
    for (const view of views) {
      if (view.exchange.endpoint !== endpoint || view.query.has('language')) continue;
      if (!isJudgeable(view, context)) continue;
      const shared = newsItems(view).filter((item) => english.has(idOf(item) ?? ''));
      if (shared.length < MIN_TEXTS_AGAINST) continue;
      const other = shared.filter(
        (item) => textOf(item, 'content')?.text !== english.get(idOf(item) ?? ''),
      );
      const [first] = other;
      // Single items may be edited between two requests.
      it.expect(view, other.length <= shared.length / 2, () => ({
        kind: 'default-language-differs',
        facts: { others: other.length, items: shared.length },
        expected: show(english.get((first && idOf(first)) ?? '')?.slice(0, 80)),
        actual: show(first && textOf(first, 'content')?.text.slice(0, 80)),
        pointer: `${first?.pointer ?? view.root}/content`,
      }));
    }
  });
