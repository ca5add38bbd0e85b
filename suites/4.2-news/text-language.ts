// Whether the texts of news are in the language asked for (§4.2 rule 1).
import { FEWEST_SENTENCES, FEWEST_AGAINST } from '../numbers.ts';
import type { EndpointPath } from '../../src/spec/endpoints.ts';
import type { Language } from '../../src/spec/values.ts';
import type { Advice } from '../../src/requirements/definition.ts';
import { isJudgeable, type Context } from '../../src/judge/context.ts';
import { show, type FindingText } from '../../src/judge/judgement.ts';
import {
  describeFound,
  describeLanguage,
  isOfOtherScript,
  languageName,
  shareNoScript,
} from '../../src/judge/text/language.ts';
import { askedLanguage, idOf, newsItems, type NewsItem } from '../../src/judge/news-items.ts';
import { judgeAll, judgeEach, type Judge, type OwnJudgement } from '../../src/judge/judge.ts';
import { place } from '../../src/judge/transport.ts';
import type { View } from '../../src/judge/view.ts';
import {
  isGoodPart,
  languageOf,
  pageStanding,
  TEXT_FIELDS,
  TEXT_PLACES,
  textOf,
  type NewsText,
  type TextField,
} from './texts.ts';

export const LANGUAGE: Advice = {
  why: 'Every user sees a text in the wrong language.',
  usually: [
    'News without a translation falls back to English or Chinese.',
    'title is translated, but content or the quote is not.',
    'zh and tc (simplified and traditional) are swapped.',
  ],
};

/** The texts that a requirement is about. */
interface Texts {
  readonly endpoint: EndpointPath;
  readonly fields: readonly TextField[];
  /** Whether the language is asked for; set where another requirement is about the other case. */
  readonly language?: 'sent' | 'left out';
}

const areOf = ({ endpoint, language }: Texts, { exchange, query }: View): boolean =>
  exchange.endpoint === endpoint &&
  (language === undefined || query.has('language') === (language === 'sent'));

/** Texts are in the language asked for: by themselves, and beside those that other requests brought. */
export const inLanguageAsked = (texts: Texts): readonly Judge[] => [
  readAlone(texts),
  notTheEnglishText(texts),
  notTheTextOfAnotherScript(texts),
];

/** Each text of a page, by its letters and function words. */
const readAlone = (texts: Texts): Judge =>
  judgeEach((view, context, it) => {
    const asked = askedLanguage(view);
    if (asked === undefined || !areOf(texts, view) || !isJudgeable(view, context)) return;
    for (const field of texts.fields) judgePage(view, field, asked, it);
  });

function judgePage(view: View, field: TextField, asked: Language, it: OwnJudgement): void {
  const { verdict, against, told, found } = pageStanding(newsItems(view), field, asked);
  if (verdict !== 'unclear') it.judged(view);
  const [first] = against;
  // One long text in another language counts for content only: a title or a quotation is too short.
  if (first === undefined || (verdict !== 'other' && field !== 'content')) return;
  const traits = textOf(first, field)?.traits;
  const seems = traits === undefined ? '' : describeLanguage(traits);
  const together = found === undefined ? seems : describeFound(found);
  const why = together === seems ? seems : `${seems}, together with the others ${together}`;
  it.found(
    view,
    untranslated(view, { field, asked, item: first, count: `${against.length} of ${told}`, why }),
  );
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
function untranslated(view: View, { field, asked, item, count, why }: Untranslated): FindingText {
  const at = TEXT_PLACES[field];
  const name = at.slice(1).replaceAll('/', '.');
  const byDefault = view.query.has('language') ? '' : ', by default';
  return {
    message: `${name} of ${count} news of ${place(view)} is not in the language asked for${byDefault}`,
    expected: `a text in "${languageName(asked)}"`,
    actual: `${show(textOf(item, field)?.text.slice(0, 80))}, ${why}`,
    pointer: `${item.pointer}${at}`,
  };
}

type TextsById = ReadonlyMap<string, string>;

/** Texts of a field that are known to be English, by id: asked for as such, and not found to be something else. */
function englishTexts(field: TextField, views: readonly View[], context: Context): TextsById {
  const texts = new Map<string, string>();
  for (const view of views) {
    if (askedLanguage(view) !== 'en' || !isJudgeable(view, context)) continue;
    const items = newsItems(view);
    if (pageStanding(items, 'content', 'en').verdict !== 'asked') continue;
    for (const item of items) {
      const id = idOf(item);
      const text = textOf(item, field)?.text;
      if (id !== undefined && text !== undefined) texts.set(id, text);
    }
  }
  return texts;
}

/**
 * News in another language than English is not the English text again. Tells what a language of the same letters keeps
 * secret: an untranslated title.
 */
const notTheEnglishText = (texts: Texts): Judge =>
  judgeAll((views, context, it) => {
    for (const field of texts.fields) {
      const english = englishTexts(field, views, context);
      for (const view of views) {
        const asked = askedLanguage(view);
        if (asked === undefined || asked === 'en' || !areOf(texts, view)) continue;
        if (isJudgeable(view, context)) compareWithEnglish(view, field, asked, english, it);
      }
    }
  });

function compareWithEnglish(
  view: View,
  field: TextField,
  asked: Language,
  english: TextsById,
  it: OwnJudgement,
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
  const why = 'the same as in English';
  it.found(view, untranslated(view, { field, asked, item: first.item, count, why }));
}

/**
 * The same sentence under one id in two languages that share no script is not translated, however few the news that have
 * it.
 */
const notTheTextOfAnotherScript = (texts: Texts): Judge =>
  judgeAll((views, context, it) => {
    for (const { view, field, asked, items } of shownInOtherScript(views, context)) {
      const [item] = items;
      if (item === undefined || !texts.fields.includes(field) || !areOf(texts, view)) continue;
      // What the page shows by itself is said already.
      if (pageStanding(newsItems(view), field, asked).verdict === 'other') continue;
      const count = `${items.length} of ${newsItems(view).length}`;
      const why = 'the same under this id in a language of another script';
      it.found(view, untranslated(view, { field, asked, item, count, why }));
    }
  });

/** News of a page whose text was shown in a language of another script, too. */
interface ShownTwice {
  readonly view: View;
  readonly field: TextField;
  readonly asked: Language;
  readonly items: readonly NewsItem[];
}

/** What is seen of this in some answers: several requirements ask for it, and it takes all texts of all of them. */
const shownTwice = new WeakMap<readonly View[], readonly ShownTwice[]>();

function shownInOtherScript(views: readonly View[], context: Context): readonly ShownTwice[] {
  let found = shownTwice.get(views);
  if (found === undefined) {
    const judgeable = views.filter((view) => isJudgeable(view, context));
    const shown = shownTexts(judgeable);
    found = TEXT_FIELDS.flatMap((field) => {
      const pages = judgeable.flatMap((view) => untranslatedOn(view, field, shown));
      // A lone title or quotation may be a name, or lines of a song.
      const ids = new Set(pages.flatMap(({ items }) => items.map(idOf)));
      return ids.size < (field === 'content' ? 1 : FEWEST_SENTENCES) ? [] : pages;
    });
    shownTwice.set(views, found);
  }
  return found;
}

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

/** Words that begin in lower case, of which names have one or two: `Bank of America`. */
const LOWER_WORDS = /(?<!\p{L})\p{Ll}{2,}/gu;
const FEWEST_LOWER = 4;

/** True for more than a name, a ticker or figures, which are the same in every language. */
const isSentence = (text: NewsText): boolean =>
  languageOf([text]) !== undefined || [...text.text.matchAll(LOWER_WORDS)].length >= FEWEST_LOWER;

/** The news of a page with a sentence in letters that the language asked for does not have, and others do. */
function untranslatedOn(view: View, field: TextField, shown: Shown): readonly ShownTwice[] {
  const asked = askedLanguage(view);
  if (asked === undefined) return [];
  const items = newsItems(view).filter((item) => {
    const text = textOf(item, field);
    if (text === undefined || !isOfOtherScript(text.traits, asked)) return false;
    if (!isSentence(text)) return false;
    const languages = shown.get(shownAs(item, field, text.text)) ?? [];
    return [...languages].some((other) => shareNoScript(other, asked));
  });
  return items.length === 0 ? [] : [{ view, field, asked, items }];
}

/** Without `language` the same texts come as with `language=en`. */
export const asWithEnglish = (texts: Pick<Texts, 'endpoint'>): Judge =>
  judgeAll((views, context, it) => {
    const asked = views.filter(({ query }) => query.get('language') === 'en');
    const english = englishTexts('content', asked, context);
    for (const view of views) {
      if (view.exchange.endpoint !== texts.endpoint || view.query.has('language')) continue;
      if (!isJudgeable(view, context)) continue;
      const shared = newsItems(view).filter((item) => english.has(idOf(item) ?? ''));
      if (shared.length < FEWEST_AGAINST) continue;
      const other = shared.filter(
        (item) => textOf(item, 'content')?.text !== english.get(idOf(item) ?? ''),
      );
      const [first] = other;
      // Single news may be edited between two requests.
      it.expect(view, other.length <= shared.length / 2, () => ({
        message: `${other.length} of ${shared.length} news of ${place(view)} without language differ from those with language=en`,
        expected: show(english.get((first && idOf(first)) ?? '')?.slice(0, 80)),
        actual: show(first && textOf(first, 'content')?.text.slice(0, 80)),
        pointer: `${first?.pointer ?? view.root}/content`,
      }));
    }
  });
