/** Kinds of identifiers that services get wrong in paths, most important first. */
const FORMS: readonly ((name: string) => boolean)[] = [
  (name) => /[^\x20-\x7e]/.test(name),
  (name) => name.includes(' '),
  (name) => name.includes('.'),
  // Read as a space by those that decode paths like queries.
  (name) => name.includes('+'),
  (name) => /[!-,:-@[-^`{-~]/.test(name),
  // Last, because proxies may reject it.
  (name) => name.includes('/'),
];

/**
 * Reorders identifiers so that each form comes early: non-ASCII, with a space, with a dot, with a plus sign or another
 * character to encode, the longest and the shortest. The first ones stay where they are, and the rest keeps its order.
 * @param kept how many of the first ones stay where they are
 */
export function byForm(ids: readonly string[], kept: number): readonly string[] {
  const taken = new Set(ids.slice(0, kept));
  const rest = ids.filter((id) => !taken.has(id));
  for (const form of FORMS) {
    if ([...taken].some(form)) continue;
    const found = rest.find(form);
    if (found !== undefined) taken.add(found);
  }
  const lengths = ids.map(({ length }) => length);
  for (const extreme of [Math.max(...lengths), Math.min(...lengths)]) {
    if ([...taken].some(({ length }) => length === extreme)) continue;
    const found = rest.find(({ length }) => length === extreme);
    if (found !== undefined) taken.add(found);
  }
  return [...taken, ...rest.filter((id) => !taken.has(id))];
}
