/** Budgets, in requests with a valid key, at which the curve is told. */
export const POINTS = [5, 10, 20, 31, 50, 75, 100, 150, 200] as const;

/** Over how many requests the average is taken. */
export const APFD_OVER = 100;

/** Faults that one tool showed. */
export interface Curve {
  readonly tool: string;
  /** Faults that it was shown. */
  readonly faults: number;
  /** Faults shown after so many requests, of `POINTS`. */
  readonly shown: readonly number[];
  /** Faults shown in the end. */
  readonly all: number;
  /** Most requests with a valid key that it sent. */
  readonly requests: number;
  /** Average share of faults shown, over the first hundred requests, 0 to 1. */
  readonly apfd: number;
}

/**
 * The curve of a tool, from the number of requests after which it showed each fault (null when it never did). A tool
 * that sends fewer requests stays where it was.
 */
export function curveOf(tool: string, after: readonly (number | null)[], requests: number): Curve {
  const shownAfter = (most: number): number =>
    after.filter((one) => one !== null && one <= most).length;
  let area = 0;
  for (let sent = 1; sent <= APFD_OVER; sent += 1) area += shownAfter(sent);
  return {
    tool,
    faults: after.length,
    shown: POINTS.map(shownAfter),
    all: after.filter((one) => one !== null).length,
    requests,
    apfd: after.length === 0 ? 0 : Math.round((1000 * area) / APFD_OVER / after.length) / 1000,
  };
}

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;

/** The curves as a table. */
export function curveTable(curves: readonly Curve[]): string {
  const rows = curves.map(({ tool, faults, shown, all, requests, apfd }) => [
    tool,
    ...shown.map((one) => percent(one, faults)),
    `${percent(all, faults)} (${requests})`,
    apfd.toFixed(2),
  ]);
  const head = ['faults shown after', ...POINTS.map(String), 'all (requests)', 'APFD'];
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(head),
    line(head.map((_, index) => (index === 0 ? '---' : '--:'))),
    ...rows.map(line),
  ].join('\n');
}
