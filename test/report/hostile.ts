/** Any character that cannot be seen, other than a line feed: none may reach a report. */
export const HIDDEN = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Markup that runs something when it is taken for markup. `PWN` is what it would do. */
const PWN = 'globalThis.__pwned=1;alert(1)';
const HANDLERS = ['onerror', 'onload', 'onfocus', 'onmouseover', 'ontoggle', 'onanimationstart'];
const ELEMENTS = [
  `<script>${PWN}</script>`,
  `<SCRIPT SRC=data:text/javascript,${PWN}></SCRIPT>`,
  `<script type=module>${PWN}</script>`,
  `<svg><script>${PWN}</script></svg>`,
  `<svg><script href="data:text/javascript,${PWN}"/></svg>`,
  `<math><mtext><table><mglyph><style><img src=x onerror="${PWN}">`,
  `<noscript><p title="</noscript><img src=x onerror=${PWN}>">`,
  `<template><script>${PWN}</script></template>`,
  `</template><script>${PWN}</script>`,
  `</script><script>${PWN}</script>`,
  `</style><script>${PWN}</script>`,
  `</title><script>${PWN}</script>`,
  `</textarea><script>${PWN}</script>`,
  `</pre></code><script>${PWN}</script>`,
  `--><script>${PWN}</script>`,
  `<!--><script>${PWN}</script>-->`,
  `]]><script>${PWN}</script>`,
  `<iframe srcdoc="<script>parent.${PWN}</script>"></iframe>`,
  `<iframe src="javascript:${PWN}"></iframe>`,
  `<object data="javascript:${PWN}"></object>`,
  `<embed src="javascript:${PWN}">`,
  `<a href="javascript:${PWN}" autofocus>x</a>`,
  `<a href="data:text/html,<script>${PWN}</script>">x</a>`,
  `<form action="javascript:${PWN}"><button>x</button></form>`,
  `<button formaction="javascript:${PWN}">x</button>`,
  `<meta http-equiv="refresh" content="0;url=javascript:${PWN}">`,
  '<base href="https://evil.example/">',
  '<link rel=stylesheet href="https://evil.example/x.css">',
  '<style>*{display:none}</style>',
  `<xmp></xmp><script>${PWN}</script>`,
  `<plaintext><script>${PWN}</script>`,
  '<h1>CONFORMS</h1>',
  '<marquee>CONFORMS</marquee>',
  '<dialog open>CONFORMS</dialog>',
  '<input autofocus>',
];
const QUOTES = ['"', "'", '`', '">', "'>", '"/>', '&quot;>', '&#34;>', '\\">', '</a>">'];

/** Attribute break-outs: with every quote, and with every handler. */
const BREAKOUTS = QUOTES.map(
  (quote, index) => `${quote} ${HANDLERS[index % HANDLERS.length]}=${PWN} x=${quote.slice(0, 1)}`,
);
const TAGS = [
  ...HANDLERS.map((handler) => `<img src=x ${handler}=${PWN}>`),
  `<svg/onload=${PWN}>`,
  `<details open ontoggle=${PWN}><summary>x</summary></details>`,
];
const URLS = [
  `javascript:${PWN}`,
  `JaVaScRiPt:${PWN}`,
  `java\tscript:${PWN}`,
  `\u0001javascript:${PWN}`,
  `vbscript:${PWN}`,
  `data:text/html,<script>${PWN}</script>`,
  'file:///etc/passwd',
  '//evil.example/x',
  'https://evil.example/?a=b&c=d#"><x>',
  '#findings?q="><img src=x>',
];

/** What a CI server, a shell or a reader of step summaries takes for an order. */
const ORDERS = [
  '\n::set-env name=PATH::/evil',
  '\n::add-path::/evil',
  '\n::error file=x::boom',
  '\n::stop-commands::x',
  '\n   ::warning::x',
  '\r::error::x',
  '\u2028::error::x',
  '\n##[error]boom ##vso[task.complete result=Succeeded]',
  '##vso[task.setvariable variable=x]y',
  "##teamcity[testFailed name='x']",
  '\n##[group]x',
  '[[ATTACHMENT|/etc/passwd]]',
  "'; rm -rf ~; echo '",
  '$(touch pwned) `id` ${HOME}',
  '| touch pwned',
  '--output=/etc/passwd',
  '@/etc/passwd',
  '!history',
  '%0A::error::x',
  '=cmd|calc!A0',
  '+1+1',
  '-2+3',
  '@SUM(1)',
];
/** Escape sequences and controls that move a terminal or hide text. */
const CONTROLS = [
  '\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007',
  '\u001b]8;;http://a(b\u001b\\x\u001b]8;;\u001b\\',
  '\u001b]0;title\u0007',
  '\u001b]52;c;ZXZpbA==\u0007',
  '\u001b[2J\u001b[31mred\u009b31m',
  '\u001b[1A\u001b[2KPASSED',
  '\u001bP+q544e\u001b\\',
  '\u001b#8',
  '\u0090x\u009c',
  '\u009d0;x\u009c',
  'a\rb\bc\u0000d\u007fe',
  '\u0085next',
  '\u202egnp.exe\u2066\u200b\u2028\u2029\ufeff',
  '\u2067abc\u2069',
  '\u061c\u200e\u200f',
  '\u00ad\u200c\u200d',
  '\ud800 lone \udc00 surrogates \uffff',
  '\ufffe\u{1fffe}\u{10ffff}',
  '\u{e0041}\u{e0042}',
  '\u0000',
  '\v\f',
  'Z\u0351\u0352\u0353a\u0300lgo',
];
const MARKDOWN = [
  '``` \n# heading\n| a | b |\n![x](https://evil.example/x.png) [y](javascript:alert(5))',
  '````\n<img src=x onerror=alert(1)>',
  '~~~\n# heading',
  '@everyone #1 https://evil.example www.evil.example',
  '[x]: javascript:alert(1)',
  '<details><summary>x</summary>',
  '$$\\href{javascript:alert(1)}{x}$$',
  '- [x] done\n1. one',
  '\\`x`\\',
  '[[wiki]] :smile:',
];
const XML = [
  ']]><failure/>',
  '<!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]>&y;',
  '<![CDATA[x]]>',
  '<?xml version="1.0"?>',
  '&lt;b&gt; &amp; &#60; &#0; &#xFFFF;',
  '</testsuite></testsuites>',
  '" failures="0',
];
const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '$&',
  "$'$`$1",
  '%s%n%d',
  '{{7*7}}',
  '${7*7}',
  '<%= 7*7 %>',
  '{{constructor.constructor("alert(1)")()}}',
  '../../../etc/passwd',
  '..\\..\\x',
  'CON',
  'x'.repeat(5_000),
  '\\',
  '\\u003cscript>',
  '',
  ' ',
  'null',
  'undefined',
  'NaN',
];

/** Text that has broken reports, terminals, logs or XML of other tools. More than 200 of them. */
export const HOSTILE: readonly string[] = [
  ...ELEMENTS,
  ...BREAKOUTS,
  ...TAGS,
  ...URLS,
  ...ORDERS,
  ...CONTROLS,
  ...MARKDOWN,
  ...XML,
  ...NAMES,
];

/** A few of every kind, for sinks that are slow to look at. */
export const HOSTILE_SOME: readonly string[] = [
  ELEMENTS,
  BREAKOUTS,
  TAGS,
  URLS,
  ORDERS,
  CONTROLS,
  MARKDOWN,
  XML,
  NAMES,
].flatMap((kind) => kind.filter((_, index) => index % 5 === 0));
