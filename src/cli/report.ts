import { formatsOf } from './options.ts';
import path from 'node:path';
import { withBaseline } from '../report/model/diff.ts';
import { writeReports } from '../report/write.ts';
import { withHistory } from '../run/history.ts';
import { whileHolding } from '../run/journal/output-lock.ts';
import { commandBody, REPORTS_TO_WRITE, string } from './command.ts';
import { readResults, resultsFile } from './read-results.ts';
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
    const compared =
      argv.baseline === undefined ? read : withBaseline(read, await readResults(argv.baseline));
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
