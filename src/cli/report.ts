import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { CommandModule } from 'yargs';
import type { Format } from '../report/write.ts';
import type { Results } from '../report/results.ts';
import { UsageError } from './errors.ts';
import { formatsOf } from './formats.ts';

interface ReportArguments {
  results: string;
  output: string | undefined;
  format: string;
}

/** `assay report`: renders the reports of an earlier run again. Sends nothing. */
export const reportCommand: CommandModule<object, ReportArguments> = {
  command: 'report <results>',
  describe: 'Render the reports of a results.json again',
  builder: (yargs) =>
    yargs
      .positional('results', { type: 'string', demandOption: true, describe: 'results.json' })
      .option('output', {
        alias: 'o',
        type: 'string',
        describe: 'Folder; that of the file unless told',
      })
      .option('format', {
        type: 'string',
        default: 'html,junit,ctrf,md,har',
        describe: 'Formats, separated by commas',
      }),
  handler: async (argv) => {
    const formats: readonly Format[] = formatsOf(argv.format);
    const results = await readResults(argv.results);
    const { writeReports } = await import('../report/write.ts');
    const paths = await writeReports(results, argv.output ?? path.dirname(argv.results), formats);
    for (const written of paths) process.stdout.write(`${written}\n`);
  },
};

/** @throws UsageError when the file is no results file of a version that this Assay reads */
async function readResults(file: string): Promise<Results> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(
      `Cannot read ${file}: ${error instanceof Error ? error.message : String(error)}.`,
      'Name the results.json of an earlier run.',
    );
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError(`${file} is not JSON.`, 'Name the results.json of an earlier run.');
  }
  const { validateResults } = await import('../rules/schemas.ts');
  const [problem] = validateResults(value);
  if (problem !== undefined) {
    throw new UsageError(
      `${file} is not a results file of this version: ${problem.message}`,
      'Run Assay again, or use the version that wrote the file.',
    );
  }
  return value as Results;
}
