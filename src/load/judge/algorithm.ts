import type { JudgeContext } from './context.ts';
import { isAdmitted, type KeyedRow } from './keyed.ts';
import type { Ledger } from './ledger.ts';
import { wholeNumber } from '../../../suites/8-limits/answers.ts';

/** What a probe shows about the window. */
export interface WindowEvidence {
  /** Time from the first admission of the exhausted window to the first admission after it, in windows. */
  readonly wait: number | null;
  /** Of a full burst one window after half of the limit and half a window after the other half: how many admitted. */
  readonly late: number;
  /** Whether windows of several keys end at the same moments. */
  readonly aligned: boolean | null;
}

/** Names the kind of window that the evidence fits (ruling 13). */
export function windowKind({ wait, late, aligned }: WindowEvidence, limit: number): string {
  if (wait !== null && wait < 0.25) return 'refilled bit by bit (token bucket)';
  if (late <= limit * 0.75 && late >= limit * 0.25) return 'sliding';
  if (aligned === true) return 'fixed, with edges common to all keys';
  if (aligned === false) return "fixed, starting with a key's first request";
  return wait !== null && wait < 0.9
    ? 'fixed, with common edges'
    : "fixed, starting with a key's first request";
}

/** Works the evidence out of the answers to the three probes. */
export function evidenceOf(rows: readonly KeyedRow[], context: JudgeContext): WindowEvidence {
  const { windowMs } = context;
  const of = (phase: string): KeyedRow[] => rows.filter((row) => row.phase === phase);
  const spent = of('exhaust').filter(isAdmitted);
  const again = of('poll').find(isAdmitted);
  const first = spent[0];
  const wait = first === undefined || again === undefined ? null : (again.t0 - first.t0) / windowMs;
  const phases = of('phase').flatMap(({ reset }) => {
    const end = wholeNumber(reset ?? undefined);
    return end === null ? [] : [end % windowMs];
  });
  const [one] = phases;
  const aligned =
    one === undefined || phases.length < 3
      ? null
      : phases.every((phase) => Math.abs(phase - one) <= 2);
  return { wait, late: of('late').filter(isAdmitted).length, aligned };
}

/** Records which kind of window the target keeps. */
export function judgeAlgorithm(
  rows: readonly KeyedRow[],
  context: JudgeContext,
  ledger: Ledger,
): void {
  const evidence = evidenceOf(rows, context);
  ledger.read('Kind of window', windowKind(evidence, context.limit), null, '8/window-kind');
  const { wait, late } = evidence;
  ledger.notes.push(
    `First admission ${wait === null ? 'not seen' : `${wait.toFixed(2)} windows`} after the first of a spent window; ${late} admitted of a burst one window after half of the limit was used.`,
  );
}
