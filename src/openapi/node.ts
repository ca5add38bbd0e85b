/** A part of the document: plain JSON. */
export interface Node {
  readonly [key: string]: unknown;
}

/** `etf-history-row` and `bigDecimal` as `EtfHistoryRow` and `BigDecimal`. */
export function pascalCase(name: string): string {
  return name
    .split('-')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('');
}

/** A reference into the components of the document. */
export function component(section: string, name: string): Node {
  return { $ref: `#/components/${section}/${name}` };
}
