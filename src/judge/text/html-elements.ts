/**
 * HTML element names, including obsolete ones. Any other word in angle brackets may be text: a comparison (`x<y`), a
 * placeholder (`<amount>`), a name.
 */
export const HTML_ELEMENTS: ReadonlySet<string> = new Set(
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
export const ELEMENTS_LIKE_WORDS: ReadonlySet<string> = new Set(
  (
    'address area article aside base big body button canvas caption center code content data details dialog embed figure ' +
    'font footer form frame head header image input label legend link main map mark menu meter object option output ' +
    'picture progress q search section select slot small source style sub summary table template time title track'
  ).split(' '),
);

/** Boolean attributes. */
export const BARE_ATTRIBUTES: ReadonlySet<string> = new Set(
  (
    'allowfullscreen async autofocus autoplay checked compact controls default defer disabled hidden inert ismap loop ' +
    'multiple muted nomodule noshade novalidate nowrap open playsinline readonly required reversed selected'
  ).split(' '),
);
