import {
  CLEAR_HEADLINES,
  CLEAR_TOGETHER,
  FEWEST_AGAINST,
  LONG_WEIGHT,
  SHARE_AGAINST,
} from '../numbers.ts';
import type { Language } from '../../src/spec/values.ts';
import {
  fits,
  isLatin,
  isOfOtherScript,
  languageTogether,
  MIN_WEIGHT,
  standing,
  traitsOf,
  type Standing,
  type Traits,
} from '../../src/judge/text/language.ts';
import { markupOf } from '../../src/judge/text/html.ts';
import type { NewsItem } from '../../src/judge/news-items.ts';
import { isObject } from '../../src/judge/view.ts';

/** The parts of a news item that come in the language asked for (§4.2 rule 1). */
export const TEXT_FIELDS = ['title', 'content', 'quote'] as const;
export type TextField = (typeof TEXT_FIELDS)[number];

/** Where each of them stands in an item. */
export const TEXT_PLACES: Readonly<Record<TextField, string>> = {
  title: '/title',
  content: '/content',
  quote: '/quote_info/content',
};

/** One text of an item, without markup. */
export interface NewsText {
  readonly text: string;
  readonly traits: Traits;
}

const known = new WeakMap<object, Map<TextField, NewsText | undefined>>();

/** The text of an item in a field; `undefined` when it has none. */
export function textOf({ value }: NewsItem, field: TextField): NewsText | undefined {
  let texts = known.get(value);
  if (texts === undefined) known.set(value, (texts = new Map()));
  if (!texts.has(field)) texts.set(field, readText(value, field));
  return texts.get(field);
}

function readText(
  value: Readonly<Record<string, unknown>>,
  field: TextField,
): NewsText | undefined {
  const quote = value['quote_info'];
  const raw = field === 'quote' ? (isObject(quote) ? quote['content'] : undefined) : value[field];
  if (typeof raw !== 'string' || raw === '') return undefined;
  const { text } = markupOf(raw);
  return { text, traits: traitsOf(text) };
}

/** How the texts of a page stand to the language asked for. */
export interface PageStanding {
  /**
   * `other` when a good part of the texts is in another language; `asked` when they show the one asked for; `unclear`
   * when they say too little for either.
   */
  readonly verdict: 'asked' | 'other' | 'unclear';
  /** Items whose text is against the language: all such when the verdict is `other`, else those that are clearly so. */
  readonly against: readonly NewsItem[];
  /** Items whose text says anything at all. */
  readonly told: number;
  /** What texts against the language are in together; undefined where each speaks for itself. */
  readonly found?: Language | 'other';
}

/** True for so many of `all` texts that they are no exceptions. */
export const isGoodPart = (some: number, all: number): boolean =>
  some >= FEWEST_AGAINST && some >= SHARE_AGAINST * all;

/**
 * Judges one field over a page. Texts are looked at together, since a title or a quoted post alone is too short; names,
 * tickers and figures, which are the same in every language, count neither for nor against it.
 */
export function pageStanding(
  items: readonly NewsItem[],
  field: TextField,
  asked: Language,
): PageStanding {
  const ofPage = standings.get(items) ?? new Map<string, PageStanding>();
  const key = `${field} ${asked}`;
  const result = ofPage.get(key) ?? lookAt(items, field, asked);
  standings.set(items, ofPage.set(key, result));
  return result;
}

/** A page is judged by several checks, and again with everything at the end. */
const standings = new WeakMap<readonly NewsItem[], Map<string, PageStanding>>();

function lookAt(items: readonly NewsItem[], field: TextField, asked: Language): PageStanding {
  const texts = items.flatMap((item): Told[] => {
    const text = textOf(item, field);
    if (text === undefined || text.traits.weight === 0) return [];
    return [{ ...text, item, standing: standing(text.traits, asked) }];
  });
  const others = texts.filter((text) => isAgainst(text, asked));
  const rest = texts.filter((text) => !others.includes(text));
  // What fits the language asked for is never against it, whatever stands beside it.
  const unfit = rest.filter(({ traits }) => !fits(traits, asked));
  const told = texts.length;
  // Names in one headline are outweighed by sentences in others, where both have the same letters.
  const [shown, least] = isLatin(asked) ? [rest, CLEAR_HEADLINES] : [unfit, CLEAR_TOGETHER];
  for (const [group, found, weight] of [
    [others, languageOf(others), 0],
    [unfit, languageOf(shown), least],
  ] as const) {
    if (found === undefined || found === asked || !isGoodPart(group.length, told)) continue;
    if (weight > weightOf(distinct(group))) continue;
    return { verdict: 'other', against: group.map(({ item }) => item), told, found };
  }
  return {
    verdict: languageOf(rest) === asked ? 'asked' : 'unclear',
    against: texts.flatMap(({ item, standing: one }) => (one === 'clearly-other' ? [item] : [])),
    told,
  };
}

const weightOf = (texts: readonly Told[]): number =>
  texts.reduce((sum, { traits }) => sum + traits.weight, 0);

interface Told extends NewsText {
  readonly item: NewsItem;
  readonly standing: Standing;
}

/** The language of texts together. */
export const languageOf = (texts: readonly NewsText[]): Language | 'other' | undefined =>
  languageTogether(distinct(texts).map(({ traits }) => traits));

/**
 * A short wording counts once: a name or a few characters that stand over many news say no more there than over one. A
 * long one is no name: a sentence that stands for every quotation counts each time.
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

function isAgainst({ traits, standing: one }: Told, asked: Language): boolean {
  return one === 'other' || one === 'clearly-other' || isOfOtherScript(traits, asked);
}
