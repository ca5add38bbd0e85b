import { example, EXAMPLES } from './examples.ts';
import path from 'node:path';
import { FORMATS, type Format } from '../report/formats.ts';
import { formatsOf } from './formats.ts';
import { readResults, resultsFile } from './read-results.ts';
import { sayLine } from './say.ts';
import type { CommandBody } from './commands.ts';

interface ReportArguments {
  results: string;
  output: string | undefined;
  format: string;
  baseline: string | undefined;
}

/** `assay report`: re-renders the reports of a run. */
export const reportCommand: CommandBody<ReportArguments> = {
  builder: (yargs) =>
    yargs
      .positional('results', {
        type: 'string',
        demandOption: true,
        describe: 'Folder of a run, or its results.json',
      })
      .option('output', {
        alias: 'o',
        type: 'string',
        describe: 'Report folder; default: the folder of the run',
      })
      .option('format', {
        type: 'string',
        default: 'html,junit,ctrf,md,har',
        describe: `Reports to write: ${FORMATS.join(', ')}`,
      })
      .option('baseline', {
        type: 'string',
        requiresArg: true,
        describe: 'results.json of an earlier run to compare with',
      })
      .epilogue(EXAMPLES)
      .epilogue(
        example(
          '$0 report reports/latest --format html,md',
          'write the reports into the folder of the run',
        ),
      )
      .epilogue(
        example('$0 report now.json --baseline before.json -o compared', 'show what changed'),
      ),
  handler: async (argv) => {
    const formats: readonly Format[] = formatsOf(argv.format);
    const file = await resultsFile(argv.results);
    const read = await readResults(file);
    const [{ withBaseline }, { withHistory }] = await Promise.all([
      import('../report/model/diff.ts'),
      import('../run/outcome-history.ts'),
    ]);
    const compared =
      argv.baseline === undefined ? read : withBaseline(read, await readResults(argv.baseline));
    const results =
      compared.history === undefined ? await withHistory(compared, path.dirname(file)) : compared;
    const [{ writeReports }, { whileHolding }] = await Promise.all([
      import('../report/write.ts'),
      import('../run/journal/output-lock.ts'),
    ]);
    const output = argv.output ?? path.dirname(file);
    const paths = await whileHolding(
      output,
      'assay report',
      () => writeReports(results, output, formats),
      sayLine,
    );
    for (const written of paths) process.stdout.write(`${written}\n`);
  },
};
