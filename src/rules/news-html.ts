import { Tokenizer, TokenizerMode, type Token } from 'parse5';
import { NEWS_HTML_TAGS } from '../contract/values.ts';
import { isJudgeable } from './context.ts';
import type { Rule } from './judgement.ts';
import { newsItems } from './news-items.ts';
import { place } from './transport.ts';

/** What a piece of HTML says: the tags in its source, and its text. */
export interface Markup {
  /** Names of all start and end tags in the source, lower-cased, in the order of their first appearance. */
  readonly tags: readonly string[];
  /** The visible text; elements are kept apart by spaces. */
  readonly text: string;
}

/** Elements whose content is no text for a reader, and how the tokenizer has to read it. */
const RAW_ELEMENTS: Readonly<
  Record<string, (typeof TokenizerMode)['RAWTEXT' | 'RCDATA' | 'SCRIPT_DATA']>
> = {
  script: TokenizerMode.SCRIPT_DATA,
  style: TokenizerMode.RAWTEXT,
  iframe: TokenizerMode.RAWTEXT,
  xmp: TokenizerMode.RAWTEXT,
  noembed: TokenizerMode.RAWTEXT,
  noframes: TokenizerMode.RAWTEXT,
  textarea: TokenizerMode.RCDATA,
  title: TokenizerMode.RCDATA,
};
/** Elements inside of a line: they do not part words. */
const INLINE: ReadonlySet<string> = new Set(['span', 'font', 'strong', 'b', 'a', 'i', 'em', 'u']);

/**
 * Reads HTML by its tokens. A tree would not do: a tree builder adds elements that the source does not have (`tbody`)
 * and drops others (a stray `tr`), and the specification speaks of what the content holds.
 */
export function markupOf(html: string): Markup {
  const tags = new Set<string>();
  let text = '';
  let raw: string | null = null;
  const seen = ({ tagName }: Token.TagToken): void => {
    tags.add(tagName);
    if (!INLINE.has(tagName)) text += ' ';
  };
  const written = ({ chars }: Token.CharacterToken): void => {
    if (raw === null) text += chars;
  };
  const ignored = (): void => {};
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: false },
    {
      onStartTag(token) {
        seen(token);
        const mode = Object.hasOwn(RAW_ELEMENTS, token.tagName)
          ? RAW_ELEMENTS[token.tagName]
          : undefined;
        if (mode === undefined) return;
        raw = token.tagName;
        tokenizer.state = mode;
      },
      onEndTag(token) {
        seen(token);
        if (token.tagName === raw) raw = null;
      },
      onCharacter: written,
      onWhitespaceCharacter: written,
      onNullCharacter: ignored,
      onComment: ignored,
      onDoctype: ignored,
      onEof: ignored,
    },
  );
  tokenizer.write(html, true);
  return { tags: [...tags], text: text.replaceAll(/\s+/gu, ' ').trim() };
}

const ALLOWED: ReadonlySet<string> = new Set(NEWS_HTML_TAGS);

/** §2.7: the HTML of `content` uses the listed tags only. */
export const htmlTags: Rule = {
  name: 'news-html-tags',
  requirements: ['2.7/html-tags'],
  each(view, context, into) {
    if (!isJudgeable(view, context)) return;
    let first: { readonly pointer: string; readonly tag: string } | undefined;
    const others = new Set<string>();
    let items = 0;
    for (const { pointer, value } of newsItems(view)) {
      const { content } = value;
      if (typeof content !== 'string') continue;
      into.judged('2.7/html-tags', view);
      const bad = markupOf(content).tags.filter((tag) => !ALLOWED.has(tag));
      if (bad.length === 0) continue;
      items += 1;
      for (const tag of bad) others.add(tag);
      first ??= { pointer: `${pointer}/content`, tag: bad[0] ?? '' };
    }
    if (first === undefined) return;
    into.found('2.7/html-tags', view, {
      message: `The content of ${items} news of ${place(view)} holds tags that the specification does not list`,
      expected: `only ${NEWS_HTML_TAGS.join(', ')}`,
      actual: `<${first.tag}>${others.size > 1 ? `, in all ${[...others].slice(0, 8).join(', ')}` : ''}`,
      pointer: first.pointer,
    });
  },
};
