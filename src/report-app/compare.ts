/** One line of a comparison. */
export interface DiffLine {
  readonly kind: 'same' | 'gone' | 'new';
  readonly text: string;
}

/** Maximum lines compared, because the time is quadratic. */
const LINES = 500;

/** Compares two texts line by line. */
export function diffLines(
  before: readonly string[],
  after: readonly string[],
): readonly DiffLine[] {
  const [a, b] = [before.slice(0, LINES), after.slice(0, LINES)];
  const width = b.length + 1;
  const length = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number): number => length[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      length[i * width + j] =
        a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]];
    if (left !== undefined && left === right) {
      lines.push({ kind: 'same', text: left });
      i += 1;
      j += 1;
    } else if (left !== undefined && (right === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ kind: 'gone', text: left });
      i += 1;
    } else {
      lines.push({ kind: 'new', text: right ?? '' });
      j += 1;
    }
  }
  return lines;
}

/** Lines kept around a difference. */
const CONTEXT = 3;

/** Differences with context; numbers count the unchanged lines in between. */
export function nearChanges(lines: readonly DiffLine[]): readonly (DiffLine | number)[] {
  const near = new Set<number>();
  lines.forEach(({ kind }, index) => {
    if (kind === 'same') return;
    for (let one = index - CONTEXT; one <= index + CONTEXT; one += 1) near.add(one);
  });
  const shown: (DiffLine | number)[] = [];
  let left = 0;
  lines.forEach((line, index) => {
    if (!near.has(index)) {
      left += 1;
      return;
    }
    if (left > 0) shown.push(left);
    left = 0;
    shown.push(line);
  });
  if (left > 0) shown.push(left);
  return shown;
}
