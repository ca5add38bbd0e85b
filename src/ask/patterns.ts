/** True when a pattern (`4.3/symbol-enum`, `4.3`, `4`, `8/*`) selects the id of a requirement. */
export function selects(pattern: string, id: string): boolean {
  if (pattern.includes('*')) {
    const source = pattern.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll('*', '.*');
    return new RegExp(`^${source}$`).test(id);
  }
  if (id === pattern || id.startsWith(`${pattern}/`)) return true;
  return /^\d+$/.test(pattern) && id.startsWith(`${pattern}.`);
}
