import { createHash } from 'node:crypto';
import { visible, visibleBlock } from '../text/text.ts';

/**
 * HTML that was built by {@link html} and nothing else. The constructor takes a secret of this file, so a string
 * can only become markup by being escaped.
 */
const SECRET = Symbol('markup');

export class Markup {
  readonly #text: string;

  constructor(secret: symbol, text: string) {
    if (secret !== SECRET) throw new TypeError('Markup is made by the html tag only.');
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** What a template may hold: text and numbers are escaped, markup is taken as it is, null and false are nothing. */
export type Content = string | number | Markup | null | false | readonly Content[];

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replaceAll('`', '&#96;');
}

function render(content: Content): string {
  if (content === null || content === false) return '';
  if (content instanceof Markup) return content.toString();
  if (typeof content === 'object') return content.map(render).join('');
  return escape(visible(String(content)));
}

/** Where in the static parts of a template a value stands. */
interface Place {
  readonly inTag: boolean;
  readonly quoted: boolean;
}

function advance(place: Place, chunk: string): Place {
  let { inTag, quoted } = place;
  for (const character of chunk) {
    if (!inTag) inTag = character === '<';
    else if (character === '"') quoted = !quoted;
    else if (character === '>' && !quoted) inTag = false;
  }
  return { inTag, quoted };
}

/**
 * Template tag that escapes every value, so that nothing from a target becomes markup. Hidden characters become
 * visible escapes as well.
 * @throws TypeError when a value stands where escaping cannot protect it: inside a tag but outside double quotes
 */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Markup {
  let text = '';
  let place: Place = { inTag: false, quoted: false };
  for (const [index, chunk] of strings.entries()) {
    text += chunk;
    if (index === strings.length - 1) break;
    place = advance(place, chunk);
    if (place.inTag && !place.quoted) {
      throw new TypeError(`A value inside a tag needs double quotes: ${chunk.slice(-40)}`);
    }
    text += render(values[index] ?? null);
  }
  return new Markup(SECRET, text);
}

/** Escaped text that keeps its line breaks and tabs, for `<pre>`. */
export function preformatted(text: string): Markup {
  return new Markup(SECRET, escape(visibleBlock(text)));
}

/** An element that holds code, and the source expression that allows exactly it in a content security policy. */
export interface CodeElement {
  readonly element: Markup;
  readonly source: string;
}

function source(code: string): string {
  return `'sha256-${createHash('sha256').update(code).digest('base64')}'`;
}

/**
 * A style element of our own style.
 * @throws TypeError when the style could end its own element
 */
export function styleElement(css: string): CodeElement {
  if (css.includes('<')) throw new TypeError('A style may not contain "<".');
  return { element: new Markup(SECRET, `<style>${css}</style>`), source: source(css) };
}

/**
 * A script element of our own script.
 * @throws TypeError when the script could end its own element
 */
export function scriptElement(js: string): CodeElement {
  if (/<\/script|<script|<!--/i.test(js)) {
    throw new TypeError('A script may not contain "<script", "</script" or "<!--".');
  }
  return { element: new Markup(SECRET, `<script>${js}</script>`), source: source(js) };
}

/**
 * A template element that holds base64, which is never markup.
 * @throws TypeError for a text that is not base64
 */
export function dataElement(name: string, base64: string): Markup {
  if (!/^[\w-]+$/.test(name) || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) {
    throw new TypeError('Data of a page is base64 under a plain name.');
  }
  return new Markup(SECRET, `<template data-chunk="${name}">${base64}</template>\n`);
}
