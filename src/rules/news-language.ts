import type { Language } from '../contract/values.ts';
import { isJudgeable } from './context.ts';
import { show, type Judgement, type Rule } from './judgement.ts';
import {
  describeFound,
  describeLanguage,
  isOfOtherScript,
  languageName,
  shareNoScript,
} from './language.ts';
import { askedLanguage, idOf, newsItems, type NewsItem } from './news-items.ts';
import {
  FEWEST_AGAINST,
  isGoodPart,
  languageOf,
  pageStanding,
  TEXT_FIELDS,
  TEXT_PLACES,
  textOf,
  type NewsText,
  type TextField,
} from './news-texts.ts';
import { place } from './transport.ts';
import type { View } from './view.ts';
import { criteria, type Criterion } from './criterion.ts';

export { askedLanguage } from './news-items.ts';

/** What this file decides. */
export const NEWS_LANGUAGE = criteria(
  'featuredLanguage',
  'quoteLanguage',
  'languageDefault',
  'language',
);

/** What judges a text in another language. */
function criterionOf(view: View, field: TextField): Criterion {
  if (view.resource === 'featured-news-item') return NEWS_LANGUAGE.featuredLanguage;
  if (field === 'quote') return NEWS_LANGUAGE.quoteLanguage;
  return view.query.has('language') ? NEWS_LANGUAGE.language : NEWS_LANGUAGE.languageDefault;
}

/** §4.2 rule 1: each text of a page, by its letters and function words. */
const language: Rule = {
  name: 'news-language',
  judges: [
    NEWS_LANGUAGE.language,
    NEWS_LANGUAGE.quoteLanguage,
    NEWS_LANGUAGE.languageDefault,
    NEWS_LANGUAGE.featuredLanguage,
  ],
  each(view, context, into) {
    const asked = askedLanguage(view);
    if (asked === undefined || !isJudgeable(view, context)) return;
    const items = newsItems(view);
    for (const field of TEXT_FIELDS) judgePage(view, items, field, asked, into);
  },
};

function judgePage(
  view: View,
  items: readonly NewsItem[],
  field: TextField,
  asked: Language,
  into: Judgement,
): void {
  const criterion = criterionOf(view, field);
  const { verdict, against, told, found } = pageStanding(items, field, asked);
  if (verdict !== 'unclear') into.judged(criterion, view);
  const [first] = against;
  // One long text in another language counts for content only: a title or a quotation is too short.
  if (first === undefined || (verdict !== 'other' && field !== 'content')) return;
  const traits = textOf(first, field)?.traits;
  const seems = traits === undefined ? '' : describeLanguage(traits);
  const together = found === undefined ? seems : describeFound(found);
  const why = together === seems ? seems : `${seems}, together with the others ${together}`;
  foundIn(view, { field, asked, item: first, count: `${against.length} of ${told}`, why }, into);
}

/** A text of a page that is not in the language asked for. */
interface Untranslated {
  readonly field: TextField;
  readonly asked: Language;
  readonly item: NewsItem;
  /** How many news of the page, such as `3 of 20`. */
  readonly count: string;
  /** What shows it. */
  readonly why: string;
}

/** In the same words for every language, so that a field that is not translated is one cause. */
function foundIn(
  view: View,
  { field, asked, item, count, why }: Untranslated,
  into: Judgement,
): void {
  const at = TEXT_PLACES[field];
  const name = at.slice(1).replaceAll('/', '.');
  const byDefault = view.query.has('language') ? '' : ', by default';
  into.found(criterionOf(view, field), view, {
    message: `${name} of ${count} news of ${place(view)} is not in the language asked for${byDefault}`,
    expected: `a text in "${languageName(asked)}"`,
    actual: `${show(textOf(item, field)?.text.slice(0, 80))}, ${why}`,
    pointer: `${item.pointer}${at}`,
  });
}

/**
 * §4.2 rule 1: news in another language than English is not the English text again. Tells what a language of the same
 * letters keeps secret: an untranslated title.
 */
const translated: Rule = {
  name: 'news-translated',
  judges: [NEWS_LANGUAGE.language, NEWS_LANGUAGE.quoteLanguage, NEWS_LANGUAGE.featuredLanguage],
  all(views, context, into) {
    const judgeable = views.filter((view) => isJudgeable(view, context));
    const english = englishTexts(judgeable);
    for (const view of judgeable) {
      const asked = askedLanguage(view);
      if (asked === undefined || asked === 'en') continue;
      for (const field of TEXT_FIELDS) compare(view, field, asked, english[field], into);
    }
  },
};

/** Languages in which each text was shown, by field and id of the news. */
type Shown = ReadonlyMap<string, ReadonlySet<Language>>;

const shownAs = (item: NewsItem, field: TextField, text: string): string =>
  JSON.stringify([idOf(item), field, text]);

function shownTexts(views: readonly View[]): Shown {
  const shown = new Map<string, Set<Language>>();
  for (const view of views) {
    const asked = askedLanguage(view);
    if (asked === undefined) continue;
    for (const item of newsItems(view)) {
      if (idOf(item) === undefined) continue;
      for (const field of TEXT_FIELDS) {
        const text = textOf(item, field)?.text;
        if (text === undefined) continue;
        const key = shownAs(item, field, text);
        shown.set(key, (shown.get(key) ?? new Set<Language>()).add(asked));
      }
    }
  }
  return shown;
}

/**
 * §4.2 rule 1: the same sentence under one id in two languages that share no script is not translated, however few the
 * news that have it.
 */
const sameText: Rule = {
  name: 'news-same-text',
  judges: [
    NEWS_LANGUAGE.language,
    NEWS_LANGUAGE.quoteLanguage,
    NEWS_LANGUAGE.languageDefault,
    NEWS_LANGUAGE.featuredLanguage,
  ],
  all(views, context, into) {
    const judgeable = views.filter((view) => isJudgeable(view, context));
    const shown = shownTexts(judgeable);
    for (const field of TEXT_FIELDS) {
      const pages = judgeable.flatMap((view) => untranslatedOn(view, field, shown));
      // A lone title or quotation may be a name, or lines of a song.
      const ids = new Set(pages.flatMap(({ items }) => items.map(idOf)));
      if (ids.size < (field === 'content' ? 1 : FEWEST_SENTENCES)) continue;
      for (const { view, asked, items } of pages) {
        const [item] = items;
        // What the page shows by itself is said already.
        const isSaid = pageStanding(newsItems(view), field, asked).verdict === 'other';
        if (item === undefined || isSaid) continue;
        const count = `${items.length} of ${newsItems(view).length}`;
        const why = 'the same under this id in a language of another script';
        foundIn(view, { field, asked, item, count, why }, into);
      }
    }
  },
};

/** So many titles or quotations that are sentences are no accident. */
const FEWEST_SENTENCES = 2;

/** Words that begin in lower case, of which names have one or two: `Bank of America`. */
const LOWER_WORDS = /(?<!\p{L})\p{Ll}{2,}/gu;
const FEWEST_LOWER = 4;

/** True for more than a name, a ticker or figures, which are the same in every language. */
const isSentence = (text: NewsText): boolean =>
  languageOf([text]) !== undefined || [...text.text.matchAll(LOWER_WORDS)].length >= FEWEST_LOWER;

/** The news of a page with a sentence in letters that the language asked for does not have, and others do. */
function untranslatedOn(
  view: View,
  field: TextField,
  shown: Shown,
): { readonly view: View; readonly asked: Language; readonly items: readonly NewsItem[] }[] {
  const asked = askedLanguage(view);
  if (asked === undefined) return [];
  const items = newsItems(view).filter((item) => {
    const text = textOf(item, field);
    if (text === undefined || !isOfOtherScript(text.traits, asked)) return false;
    if (!isSentence(text)) return false;
    const languages = shown.get(shownAs(item, field, text.text)) ?? [];
    return [...languages].some((other) => shareNoScript(other, asked));
  });
  return items.length === 0 ? [] : [{ view, asked, items }];
}

type TextsById = ReadonlyMap<string, string>;

/** Texts that are known to be English, by id: asked for as such, and not found to be something else. */
function englishTexts(views: readonly View[]): Readonly<Record<TextField, TextsById>> {
  const texts = { title: new Map(), content: new Map(), quote: new Map() } satisfies Record<
    TextField,
    Map<string, string>
  >;
  for (const view of views) {
    if (askedLanguage(view) !== 'en') continue;
    const items = newsItems(view);
    if (pageStanding(items, 'content', 'en').verdict !== 'asked') continue;
    for (const item of items) {
      const id = idOf(item);
      for (const field of TEXT_FIELDS) {
        const text = textOf(item, field)?.text;
        if (id !== undefined && text !== undefined)
          (texts[field] as Map<string, string>).set(id, text);
      }
    }
  }
  return texts;
}

function compare(
  view: View,
  field: TextField,
  asked: Language,
  english: TextsById,
  into: Judgement,
): void {
  const compared: { readonly item: NewsItem; readonly text: NewsText }[] = [];
  for (const item of newsItems(view)) {
    const text = textOf(item, field);
    if (text !== undefined && english.has(idOf(item) ?? '')) compared.push({ item, text });
  }
  const same = compared.filter(({ item, text }) => text.text === english.get(idOf(item) ?? ''));
  if (compared.length < FEWEST_AGAINST) return;
  const [first] = same;
  // Names, tickers and figures are the same in every language: only sentences count.
  const isEnglish = languageOf(same.map(({ text }) => text)) === 'en';
  if (first === undefined || !isEnglish || !isGoodPart(same.length, compared.length)) return;
  // What the page shows by itself is said already.
  if (pageStanding(newsItems(view), field, asked).verdict === 'other') return;
  const count = `${same.length} of ${compared.length}`;
  foundIn(view, { field, asked, item: first.item, count, why: 'the same as in English' }, into);
}

/** §4.2: without `language` the same texts come as with `language=en`. */
const defaultLanguage: Rule = {
  name: 'news-default-language',
  judges: [NEWS_LANGUAGE.languageDefault, NEWS_LANGUAGE.featuredLanguage],
  all(views, context, into) {
    const judgeable = views.filter((view) => isJudgeable(view, context));
    const asked = judgeable.filter((view) => view.query.get('language') === 'en');
    const english = englishTexts(asked).content;
    for (const view of judgeable) {
      if (view.query.has('language')) continue;
      const shared = newsItems(view).filter((item) => english.has(idOf(item) ?? ''));
      if (shared.length < FEWEST_AGAINST) continue;
      const other = shared.filter(
        (item) => textOf(item, 'content')?.text !== english.get(idOf(item) ?? ''),
      );
      const [first] = other;
      // Single news may be edited between two requests.
      into.expect(criterionOf(view, 'content'), view, other.length <= shared.length / 2, () => ({
        message: `${other.length} of ${shared.length} news of ${place(view)} without language differ from those with language=en`,
        expected: show(english.get((first && idOf(first)) ?? '')?.slice(0, 80)),
        actual: show(first && textOf(first, 'content')?.text.slice(0, 80)),
        pointer: `${first?.pointer ?? view.root}/content`,
      }));
    }
  },
};

export const languageRules: readonly Rule[] = [language, translated, sameText, defaultLanguage];
