/** True when a pattern (`4.3/symbol-enum`, `4.3`, `4`, `8/*`) selects the id of a requirement. */
export function selects(pattern: string, id: string): boolean {
  if (pattern.includes('*')) {
    const source = pattern.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll('*', '.*');
    return new RegExp(`^${source}$`).test(id);
  }
  if (id === pattern || id.startsWith(`${pattern}/`)) return true;
  return /^\d+$/.test(pattern) && id.startsWith(`${pattern}.`);
}

/** Patterns of the requirements to judge (all when empty), and of those to leave out. */
export interface Selection {
  readonly only: readonly string[];
  readonly skip: readonly string[];
}

/** Which of the two leaves out a requirement; undefined when it is selected. */
export function leftOutBy(id: string, { only, skip }: Selection): 'only' | 'skip' | undefined {
  if (only.length > 0 && !only.some((pattern) => selects(pattern, id))) return 'only';
  return skip.some((pattern) => selects(pattern, id)) ? 'skip' : undefined;
}
