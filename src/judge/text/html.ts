import { Tokenizer, TokenizerMode, type Token } from 'parse5';
import { remembered } from '../../text/remembered.ts';

/**
 * HTML element names, including obsolete ones. Any other word in angle brackets may be text: a comparison (`x<y`), a
 * placeholder (`<amount>`), a name.
 */
const HTML_ELEMENTS: ReadonlySet<string> = new Set(
  (
    'a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body br ' +
    'button canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed ' +
    'fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img ' +
    'input ins kbd label legend li link main map mark marquee math menu meta meter nav nobr noembed noframes noscript ' +
    'object ol optgroup option output p param picture plaintext pre progress q rp rt ruby s samp script section select ' +
    'slot small source span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time ' +
    'title tr track tt u ul var video wbr xmp'
  ).split(' '),
);

/** Element names that are also English words: a lone `<address>` without attributes is a placeholder. */
const ELEMENTS_LIKE_WORDS: ReadonlySet<string> = new Set(
  (
    'address area article aside base big body button canvas caption center code content data details dialog embed figure ' +
    'font footer form frame head header image input label legend link main map mark menu meter object option output ' +
    'picture progress q search section select slot small source style sub summary table template time title track'
  ).split(' '),
);

/** Boolean attributes. */
const BARE_ATTRIBUTES: ReadonlySet<string> = new Set(
  (
    'allowfullscreen async autofocus autoplay checked compact controls default defer disabled hidden inert ismap loop ' +
    'multiple muted nomodule noshade novalidate nowrap open playsinline readonly required reversed selected'
  ).split(' '),
);

/** Tags and text of an HTML fragment. */
interface Markup {
  /**
   * Lower-cased element names in order of first appearance. Unknown elements count only if they are closed: a lone
   * `<amount>` is text.
   */
  readonly tags: readonly string[];
  /** Visible text, with spaces between block elements. */
  readonly text: string;
}

/** Elements whose content is not visible text, with their tokenizer modes. */
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
/** Inline elements do not separate words. */
const INLINE: ReadonlySet<string> = new Set(['span', 'font', 'strong', 'b', 'a', 'i', 'em', 'u']);

/**
 * Tokenizes instead of building a tree, which would add elements (`tbody`) and drop stray ones (`tr`): the
 * specification is about the source.
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

/** Detects comparison signs mistaken for a tag, as in `i<s and t>u`, by their impossible attributes. */
function isProse({ attrs }: Token.TagToken): boolean {
  return (
    attrs.length > 0 &&
    attrs.every(({ name, value }) => value === '' && !BARE_ATTRIBUTES.has(name.toLowerCase()))
  );
}
