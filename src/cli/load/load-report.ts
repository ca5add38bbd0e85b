import { secretsOf } from '../../http/secrets.ts';
import { SecretsGate } from '../../fs/secrets-gate.ts';
import type { Format } from '../../report/formats.ts';
import type { Target } from '../../target/target.ts';
import { contextFor } from '../labels.ts';
import { printSummary } from '../run/run-end.ts';
import type { LoadRunEnd } from '../../run/load-results.ts';

/** How to write the results of a load run. */
export interface LoadRun {
  readonly formats: readonly Format[];
  readonly output: string;
  /** Command to repeat the run, without keys. */
  readonly command: string;
  /** Labels of the command line. */
  readonly labels: Readonly<Record<string, string>>;
}

/** The end of a run. Merged recordings from other machines have no keys. */
export interface LoadEnd extends LoadRunEnd {
  readonly target: LoadRunEnd['target'] & Partial<Pick<Target, 'keys'>>;
}

/** Prints the results, writes the reports, and gives the exit code. */
export async function reportLoad(end: LoadEnd, run: LoadRun): Promise<number> {
  const [{ loadResults }, { writeReports }] = await Promise.all([
    import('../../run/load-results.ts'),
    import('../../report/write.ts'),
  ]);
  const context = await contextFor(run.labels, end.target);
  const results = loadResults({ ...end, context });
  const { keys, http } = end.target;
  const secrets = keys === undefined || http === undefined ? [] : secretsOf({ keys, http });
  const gate = new SecretsGate(secrets);
  let paths: readonly string[] = [];
  try {
    paths = await writeReports(results, run.output, run.formats, { gate });
  } finally {
    await printSummary(results, paths);
  }
  return results.exitCode;
}
