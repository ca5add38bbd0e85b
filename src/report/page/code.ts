import { createHash } from 'node:crypto';

/** An element with code, and the source expression that allows it in a content security policy. */
export interface CodeElement {
  readonly element: string;
  readonly source: string;
}

function source(code: string): string {
  return `'sha256-${createHash('sha256').update(code).digest('base64')}'`;
}

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

/**
 * A template element with base64, which is never markup.
 * @throws TypeError when the text is not base64
 */
export function dataElement(name: string, base64: string): string {
  if (!/^[\w-]+$/.test(name) || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) {
    throw new TypeError('Page data must be base64-encoded and have a plain name.');
  }
  return `<template data-chunk="${name}">${base64}</template>\n`;
}
