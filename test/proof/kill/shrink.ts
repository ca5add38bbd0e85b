/**
 * The fewest members of `items` for which `holds` stays true: parts are left out, halves first, then ever smaller ones,
 * down to single members. `holds` is taken to be true of all of them. One left out of the outcome would make it false.
 */
export async function fewest<Item>(
  items: readonly Item[],
  holds: (items: readonly Item[]) => Promise<boolean>,
): Promise<readonly Item[]> {
  let kept = items;
  let size = Math.ceil(kept.length / 2);
  while (kept.length > 0) {
    let shrunk = false;
    for (let start = 0; start < kept.length;) {
      const rest = [...kept.slice(0, start), ...kept.slice(start + size)];
      if (await holds(rest)) {
        kept = rest;
        shrunk = true;
      } else {
        start += size;
      }
    }
    // Leaving out one member may make another one needless, so single ones are tried until none can go.
    if (size === 1 && !shrunk) break;
    size = Math.max(1, Math.ceil(size / 2));
  }
  return kept;
}
