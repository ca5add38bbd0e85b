/** Maximum length of an object on one line, except in a list. */
const LINE = 1000;

/**
 * JSON with one line per record, so that diffs in version control show changed records. Records are list entries of any
 * length, and objects and lists of up to `LINE` characters.
 */
export function jsonRecords(value: unknown): string {
  return `${layOut(value, '')}\n`;
}

function layOut(value: unknown, indent: string): string {
  const text = JSON.stringify(value);
  if (text.length <= LINE || typeof value !== 'object' || value === null) return text;
  const inner = `${indent}  `;
  const [open, close, entries] = Array.isArray(value)
    ? ['[', ']', value.map((item) => JSON.stringify(item ?? null))]
    : ['{', '}', members(value, inner)];
  return `${open}\n${entries.map((entry) => inner + entry).join(',\n')}\n${indent}${close}`;
}

/** Members without undefined values, as in JSON.stringify. */
function members(value: object, indent: string): string[] {
  return Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([name, item]) => `${JSON.stringify(name)}: ${layOut(item, indent)}`);
}
