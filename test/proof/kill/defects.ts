import { DEFECTS } from '../independent/defects/index.ts';
import { defectTasks } from './deployments.ts';
import { redIn, type ProofResult, type ProofTask } from './task.ts';

/** How many defects of one level and sort each profile saw. */
export interface DefectRow {
  readonly level: 'must' | 'should';
  readonly sort: 'plain' | 'subtle';
  readonly defects: number;
  readonly standard: number;
  readonly full: number;
}

/** Summary of `npm run prove -- --defects`. */
export interface DefectsProof {
  readonly rows: readonly DefectRow[];
  /** Ids of defects that no profile saw, with what came instead. */
  readonly survivors: readonly {
    readonly id: string;
    readonly level: 'must' | 'should';
    readonly text: string;
    readonly came: string;
  }[];
}

/** A must counts when a must failed and the exit code says so; a should when anything is red. */
function sees(level: 'must' | 'should', result: ProofResult | undefined): boolean {
  if (result === undefined) return false;
  if (level === 'should') return redIn(result).length > 0;
  return result.exitCode === 1 && Object.values(result.outcomes).includes('failed');
}

/** Runs the suites against each defect of the independent service: in standard, and in full what that did not see. */
export async function proveDefects(
  ids: readonly string[],
  runAll: (tasks: readonly ProofTask[]) => Promise<readonly ProofResult[]>,
): Promise<DefectsProof> {
  const byId = new Map(DEFECTS.map((defect) => [defect.id, defect]));
  const levelOf = (id = ''): 'must' | 'should' => byId.get(id)?.level ?? 'must';
  const standard = await runAll(defectTasks('standard', ids));
  const open = standard.filter(
    ({ task, ...rest }) => !sees(levelOf(task.defect), { task, ...rest }),
  );
  const full = await runAll(
    open.map(({ task }): ProofTask => ({
      ...task,
      name: `defect ${task.defect ?? ''}, full`,
      profile: 'full',
    })),
  );
  const closer = new Map(full.map((result) => [result.task.defect ?? '', result]));
  const rows = new Map<string, { -readonly [Key in keyof DefectRow]: DefectRow[Key] }>();
  const survivors: DefectsProof['survivors'][number][] = [];
  for (const result of standard) {
    const defect = byId.get(result.task.defect ?? '');
    if (defect === undefined) continue;
    const { id, level, sort, text } = defect;
    const key = `${level} ${sort}`;
    const row = rows.get(key) ?? { level, sort, defects: 0, standard: 0, full: 0 };
    rows.set(key, row);
    row.defects += 1;
    const look = closer.get(id);
    if (look === undefined) row.standard += 1;
    if (look === undefined || sees(level, look)) row.full += 1;
    else {
      const red = redIn(look);
      survivors.push({ id, level, text, came: red.length > 0 ? red.join(', ') : look.verdict });
    }
  }
  return { rows: [...rows.values()], survivors };
}

/** What `npm run prove -- --defects` prints. */
export function renderDefects({ rows, survivors }: DefectsProof): string {
  const lines = survivors.map(
    ({ id, level, text, came }) => `SURVIVED  ${level.padEnd(7)}${id}: ${text} (${came})`,
  );
  for (const { level, sort, defects, standard, full } of rows) {
    const share = (seen: number): string => `${seen} (${((100 * seen) / defects).toFixed(1)} %)`;
    lines.push(
      `${level.padEnd(7)}${sort.padEnd(7)}${String(defects).padStart(5)}  standard ${share(standard)}  full ${share(full)}`,
    );
  }
  return `${lines.join('\n')}\n`;
}
