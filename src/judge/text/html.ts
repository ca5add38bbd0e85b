import { Tokenizer, TokenizerMode, type Token } from 'parse5';
import { BARE_ATTRIBUTES, ELEMENTS_LIKE_WORDS, HTML_ELEMENTS } from './html-elements.ts';
import { remembered } from '../../text/remembered.ts';

/** What a piece of HTML says: the tags in its source, and its text. */
export interface Markup {
  /**
   * Names of the elements in the source, lower-cased, in the order of their first appearance. A word that HTML does not
   * know counts only when it is closed as well: `<amount>` alone is text.
   */
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
export const markupOf = remembered((html: string): Markup => {
  const tags = new Set<string>();
  const opened = new Set<string>();
  const described = new Set<string>();
  const closed = new Set<string>();
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
        if (isProse(token)) return;
        seen(token);
        opened.add(token.tagName);
        if (token.attrs.length > 0) described.add(token.tagName);
        const mode = Object.hasOwn(RAW_ELEMENTS, token.tagName)
          ? RAW_ELEMENTS[token.tagName]
          : undefined;
        if (mode === undefined) return;
        raw = token.tagName;
        tokenizer.state = mode;
      },
      onEndTag(token) {
        seen(token);
        closed.add(token.tagName);
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
  const isElement = (tag: string): boolean =>
    (opened.has(tag) && closed.has(tag)) ||
    (HTML_ELEMENTS.has(tag) &&
      (!ELEMENTS_LIKE_WORDS.has(tag) || described.has(tag) || closed.has(tag)));
  return { tags: [...tags].filter(isElement), text: text.replaceAll(/\s+/gu, ' ').trim() };
});

/** True for words between a `<` and a `>` that stand for less and more: `i<s and t>u` has no attributes. */
function isProse({ attrs }: Token.TagToken): boolean {
  return (
    attrs.length > 0 &&
    attrs.every(({ name, value }) => value === '' && !BARE_ATTRIBUTES.has(name.toLowerCase()))
  );
}
