import { formatsOf } from './options.ts';
import path from 'node:path';
import { withBaseline } from '../report/model/diff.ts';
import { reachedVerdict } from '../report/model/gate.ts';
import type { Results } from '../report/model/results.ts';
import { kindOf } from '../report/model/status.ts';
import { writeReports } from '../report/write.ts';
import { withHistory } from '../run/history.ts';
import { whileHolding } from '../run/journal/output-lock.ts';
import { decide } from '../run/verdict.ts';
import { commandBody, REPORTS_TO_WRITE, string } from './command.ts';
import { UsageError } from './errors.ts';
import { readResults, resultsFile } from './read-results.ts';
import { againstBaseline } from './run/run-end.ts';
import { sayLine } from './say.ts';

/** `assay report`: re-renders the reports of a run. */
export const reportCommand = commandBody({
  positionals: {
    results: {
      type: 'string',
      demandOption: true,
      describe: 'Folder of a run, or its results.json',
    },
  },
  options: {
    output: {
      type: 'string',
      alias: 'o',
      describe: 'Report folder; default: the folder of the run',
    },
    format: { type: 'string', default: 'html,junit,ctrf,md,har', describe: REPORTS_TO_WRITE },
    baseline: string('results.json of an earlier run to compare with'),
  },
  examples: {
    '$0 report reports/latest --format html,md': 'write the reports into the folder of the run',
    '$0 report now.json --baseline before.json -o compared': 'show what changed',
  },
  handler: async (argv) => {
    const formats = formatsOf(argv.format);
    const file = await resultsFile(argv.results);
    const read = await readResults(file);
    if (argv.baseline !== undefined && kindOf(read) === 'load')
      throw new UsageError(
        'The report of a load run shows no changes.',
        'Compare two load runs with assay diff.',
      );
    const compared =
      argv.baseline === undefined ? read : comparedAnew(read, await readResults(argv.baseline));
    const folder = path.dirname(file);
    const results = {
      ...(compared.history === undefined ? await withHistory(compared, folder) : compared),
      ...(compared.verdict === 'interrupted' && { folder }),
    };
    const output = argv.output ?? folder;
    const paths = await whileHolding(
      output,
      'assay report',
      () => writeReports(results, output, formats),
      sayLine,
    );
    for (const written of paths) process.stdout.write(`${written}\n`);
  },
});

/** Results compared with another baseline than their own, as a run with it would have been, with the same `--fail-on`. */
function comparedAnew({ gate, ...read }: Results, baseline: Results): Results {
  const { requirements, failing = [], waivers = [], verdict } = read;
  if (!reachedVerdict(verdict)) return withBaseline(read, baseline);
  const gated = Object.values(gate ?? {}).flat();
  const isAbout = ({ id, level }: Results['requirements'][number]): boolean =>
    level === 'should' && gated.includes(id);
  const failOn = [
    'must' as const,
    ...(failing.some(({ why }) => why === 'warned') || requirements.some(isAbout)
      ? (['should'] as const)
      : []),
    ...(failing.some(({ why }) => why === 'untested') ? (['untested'] as const) : []),
  ];
  const end = { interrupted: false, fatal: null, failOn, waivers };
  const { tellsEnd: _tellsEnd, ...decision } = decide(requirements, end);
  return againstBaseline({ ...read, ...decision }, baseline, failOn);
}
