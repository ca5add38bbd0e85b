/** The forms in which identifiers are written that services get wrong in a path, the most telling ones first. */
const FORMS: readonly ((name: string) => boolean)[] = [
  (name) => /[^\x20-\x7e]/.test(name),
  (name) => name.includes(' '),
  (name) => name.includes('.'),
  (name) => /[!-,:-@[-^`{-~]/.test(name),
  // Last, since proxies may refuse it whatever the service does.
  (name) => name.includes('/'),
];

/**
 * Identifiers so that those written unlike the first ones come next: beyond ASCII, with a space, with a dot, with another
 * character that a path has to encode, the longest and the shortest. Whoever looks at a few of many has then seen each
 * form. The first ones stay where they are, and the others keep their order.
 *
 * @param kept how many of the first ones keep their place
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
