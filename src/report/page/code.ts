import { createHash } from 'node:crypto';

/** An element that holds code, and the source expression that allows exactly it in a content security policy. */
export interface CodeElement {
  readonly element: string;
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
  return { element: `<style>${css}</style>`, source: source(css) };
}

/**
 * A script element of our own script.
 * @throws TypeError when the script could end its own element
 */
export function scriptElement(js: string): CodeElement {
  if (/<\/script|<script|<!--/i.test(js)) {
    throw new TypeError('A script may not contain "<script", "</script" or "<!--".');
  }
  return { element: `<script>${js}</script>`, source: source(js) };
}

/**
 * A template element that holds base64, which is never markup.
 * @throws TypeError for a text that is not base64
 */
export function dataElement(name: string, base64: string): string {
  if (!/^[\w-]+$/.test(name) || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) {
    throw new TypeError('Data of a page is base64 under a plain name.');
  }
  return `<template data-chunk="${name}">${base64}</template>\n`;
}
