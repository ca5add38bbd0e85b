/** Longest text of an object that stays on one line, unless it stands in a list. */
const LINE = 1000;

/**
 * JSON for files that are kept under version control, one line a record, so that a difference shows the records that
 * changed. Entries of a list are records, however long; so are objects and lists of up to `LINE` characters.
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

/** Members as JSON writes them: those without a value are left out. */
function members(value: object, indent: string): string[] {
  return Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([name, item]) => `${JSON.stringify(name)}: ${layOut(item, indent)}`);
}
