import type { Language } from '../contract/values.ts';
import { standing, traitsOf, type Standing, type Traits } from './language.ts';
import { markupOf } from './news-html.ts';
import type { NewsItem } from './news-items.ts';
import { isObject } from './view.ts';

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
  /** `other` when most texts are in another language; `unclear` when too few tell theirs; else `asked`. */
  readonly verdict: 'asked' | 'other' | 'unclear';
  /** Items whose text is against the language: all such when the verdict is `other`, else those that are clearly so. */
  readonly against: readonly NewsItem[];
  /** Items whose text says anything at all. */
  readonly told: number;
}

/** So many texts have to tell their language before a page is judged. */
export const MIN_TEXTS = 5;

/** Judges one field over a page: by majority, so that names, quotations and a stray headline do not matter. */
export function pageStanding(
  items: readonly NewsItem[],
  field: TextField,
  asked: Language,
): PageStanding {
  const told: { readonly item: NewsItem; readonly standing: Standing }[] = [];
  for (const item of items) {
    const text = textOf(item, field);
    if (text === undefined) continue;
    const found = standing(text.traits, asked);
    if (found !== 'unclear') told.push({ item, standing: found });
  }
  const others = told.filter((one) => one.standing === 'other' || one.standing === 'clearly-other');
  const telling = told.filter((one) => one.standing !== 'fitting').length;
  if (telling >= MIN_TEXTS && others.length > told.length / 2) {
    return { verdict: 'other', against: others.map(({ item }) => item), told: told.length };
  }
  const clear = told.filter((one) => one.standing === 'clearly-other');
  return {
    verdict: telling >= MIN_TEXTS ? 'asked' : 'unclear',
    against: clear.map(({ item }) => item),
    told: told.length,
  };
}
