/** The news categories as keys (§4.2). */
export type Category = 1 | 2 | 3 | 4 | 7 | 13;

/**
 * The sentences that news of one language are made of. `{name}`, `{symbol}`, `{pct}`, `{usd}`, `{exchange}`, `{firm}`
 * and `{stock}` are filled in; only titles and leads may hold them. Lists have the same length in all languages, so one
 * item picks the same sentence in each of them.
 */
export interface NewsTexts {
  /** Three titles a category about a currency. */
  readonly titles: Readonly<Record<Category, readonly string[]>>;
  /** Titles of news that match no currency. */
  readonly generalTitles: readonly string[];
  readonly leads: readonly string[];
  readonly generalLeads: readonly string[];
  readonly bodies: readonly string[];
  readonly headings: readonly string[];
  readonly points: readonly string[];
  readonly closings: readonly string[];
  readonly quotes: readonly string[];
  /** Caption of an illustration. */
  readonly caption: string;
  /** Text of the link to the source. */
  readonly source: string;
}

/** Values of the placeholders. */
export type Blanks = Readonly<
  Record<'name' | 'symbol' | 'pct' | 'usd' | 'exchange' | 'firm' | 'stock', string>
>;

/** Fills the placeholders of a sentence. */
export function fill(sentence: string, blanks: Blanks): string {
  return sentence.replaceAll(
    /\{(name|symbol|pct|usd|exchange|firm|stock)\}/g,
    (_, key: keyof Blanks) => blanks[key],
  );
}
