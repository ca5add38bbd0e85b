/** A number with the text that it shall have on the wire, such as `1.0` or `1.5e3`. */
export class NumberText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** What a body consists of. */
export type Json = null | boolean | number | string | NumberText | readonly Json[] | JsonObject;

/** An object of a body; `undefined` members are left out. */
export interface JsonObject {
  [name: string]: Json | undefined;
}

/** True for objects that are neither arrays nor numbers with a text. */
export function isObject(value: Json | undefined): value is JsonObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof NumberText)
  );
}

/** True for arrays; keeps the element type, which `Array.isArray` loses for read-only ones. */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Text of a body, with `space` after commas and colons. Numbers with a text keep it, which JSON.stringify could not do. */
export function textOf(value: Json, space = ''): string {
  if (value instanceof NumberText) return value.text;
  if (isList(value)) return `[${value.map((one) => textOf(one, space)).join(`,${space}`)}]`;
  if (isObject(value)) {
    const members = Object.entries(value).flatMap(([name, member]) =>
      member === undefined ? [] : [`${JSON.stringify(name)}:${space}${textOf(member, space)}`],
    );
    return `{${members.join(`,${space}`)}}`;
  }
  return JSON.stringify(value);
}
