/** The candidate closest to a misspelled name; undefined when none is close. */
export function closestName(name: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    // Names of very different length are never close; also keeps hostile input cheap.
    if (Math.abs(name.length - candidate.length) > candidate.length) continue;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance >= least || distance > Math.max(1, Math.floor(candidate.length / 3))) continue;
    best = candidate;
    least = distance;
  }
  return best;
}

/** `Did you mean …? ` with the closest name, formatted by `shown`; empty when none is close. */
export function suggestion(
  name: string,
  candidates: readonly string[],
  shown: (near: string) => string = (near) => near,
): string {
  const near = closestName(name, candidates);
  return near === undefined ? '' : `Did you mean ${shown(near)}? `;
}

/** Number of insertions, deletions, replacements and swaps of neighbours between two texts. */
function editDistance(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, index) => index)];
  const at = (row: number, column: number): number =>
    rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    rows.push(current);
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (same ? 0 : 1),
          swapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(from.length, to.length);
}
