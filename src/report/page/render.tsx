import { createHash } from 'node:crypto';
import { options, type VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { showHidden } from './view/parts.tsx';

/** Renders components to markup, escaping every text. The hook is only set meanwhile, for the sake of other users of Preact. */
export function renderView(make: () => VNode): string {
  const { vnode: before } = options;
  options.vnode = showHidden;
  try {
    return renderToString(make());
  } finally {
    Object.assign(options, { vnode: before });
  }
}

interface PageParts {
  readonly title: string;
  /** What the page may do, besides what no page may. */
  readonly policy: readonly string[];
  /** The element with the style. */
  readonly style: string;
  readonly body: () => VNode;
  /** Markup after the body, such as data and script. */
  readonly end?: string;
}

/** A page. Its policy allows only what it names: even a missed escape could not run, load or send anything. */
export function renderPage({ title, policy, style, body, end = '' }: PageParts): string {
  const content = [
    "default-src 'none'",
    ...policy,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  const head = renderView(() => (
    <>
      <meta charset="utf-8" />
      <meta http-equiv="Content-Security-Policy" content={content} />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="referrer" content="no-referrer" />
      <meta name="color-scheme" content="light dark" />
      <title>{title}</title>
    </>
  ));
  return `<!doctype html>
<html lang="en">
<head>
${head}
${style}
</head>
<body>
${renderView(body)}
${end}
</body>
</html>
`;
}

/** An element with code, and the source expression that allows it in a content security policy. */
export interface CodeElement {
  readonly element: string;
  readonly source: string;
}

const source = (code: string): string =>
  `'sha256-${createHash('sha256').update(code).digest('base64')}'`;

/** @throws TypeError when the style could close its element */
export function styleElement(css: string): CodeElement {
  if (css.includes('<')) throw new TypeError('A style must not contain "<".');
  return { element: `<style>${css}</style>`, source: source(css) };
}

/** @throws TypeError when the script could close its element */
export function scriptElement(js: string): CodeElement {
  if (/<\/script|<script|<!--/i.test(js)) {
    throw new TypeError('A script must not contain "<script", "</script" or "<!--".');
  }
  return { element: `<script>${js}</script>`, source: source(js) };
}

/** A template element with base64, which is never markup. @throws TypeError when the text is not base64 */
export function dataElement(name: string, base64: string): string {
  if (!/^[\w-]+$/.test(name) || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) {
    throw new TypeError('Page data must be base64-encoded and have a plain name.');
  }
  return `<template data-chunk="${name}">${base64}</template>\n`;
}
