import { cutBytes, visible } from '../../text/text.ts';

/**
 * Escapes XML 1.0 text, including hidden and forbidden characters. `[[ATTACHMENT|` is broken up, because CI servers would
 * publish a file of their disk.
 */
export function xml(text: string): string {
  return visible(text)
    .replaceAll('[[ATTACHMENT|', '[ [ATTACHMENT|')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;');
}

/** Lines as one text node, cut to `bytes` before escaping, so that no entity is split. */
export function xmlBlock(lines: readonly string[], bytes: number): string {
  return cutBytes(lines.map(visible).join('\n'), bytes).split('\n').map(xml).join('\n');
}
