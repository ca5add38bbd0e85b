import {
  CLEAR_HEADLINES,
  CLEAR_TOGETHER,
  MIN_TEXTS_AGAINST,
  LONG_WEIGHT,
  SHARE_AGAINST,
} from '../numbers.ts';
import type { Language } from '../../src/spec/values.ts';
import {
  fits,
  isClearlyOther,
  isLatin,
  isOther,
  languageTogether,
  MIN_WEIGHT,
  traitsOf,
  type Traits,
} from '../../src/judge/text/language.ts';
import { markupOf } from '../../src/judge/text/html.ts';
import type { NewsItem } from '../../src/judge/news-items.ts';
import { isObject } from '../../src/judge/view.ts';
import { perObject } from '../../src/text/remembered.ts';

/** Parts of a news item in the requested language (§4.2 rule 1). */
export const TEXT_FIELDS = ['title', 'content', 'quote'] as const;
export type TextField = (typeof TEXT_FIELDS)[number];

export const TEXT_PATHS: Readonly<Record<TextField, string>> = {
  title: '/title',
  content: '/content',
  quote: '/quote_info/content',
};

/** A text of an item, without markup. */
export interface NewsText {
  readonly text: string;
  readonly traits: Traits;
}

export const textOf = ({ value }: NewsItem, field: TextField): NewsText | undefined =>
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
export const isGoodPart = (some: number, all: number): boolean =>
  some >= MIN_TEXTS_AGAINST && some >= SHARE_AGAINST * all;

/**
 * Judges a field over a whole page, since single titles and quotes are too short. Names, tickers and figures, the same
 * in every language, do not count.
 */
export function languageVerdict(
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
  return {
    verdict: languageOf(rest) === asked ? 'asked' : 'unclear',
    against: texts.filter(({ traits }) => isClearlyOther(traits, asked)).map(({ item }) => item),
    total,
  };
}

export const languageOf = (texts: readonly NewsText[]): Language | 'other' | undefined =>
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
