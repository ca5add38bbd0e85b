#!/usr/bin/env node
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { EXIT } from '../run/verdict.ts';
import { toolVersion } from '../run/version.ts';
import { diffCommand } from './diff.ts';
import { planCommand } from './plan.ts';
import { loadCommand } from './load.ts';
import { reportCommand } from './report.ts';
import { requirementsCommand } from './requirements.ts';
import { runCommand } from './run.ts';
import { serveCommand } from './serve.ts';
import { fail, UsageError } from './errors.ts';

/** Entry point of the command line. Sets the exit code; leaves the process to end by itself. */
async function main(): Promise<void> {
  const cli = yargs(hideBin(process.argv))
    .scriptName('assay')
    .usage(
      '$0 <command>\n\nConformance suite for implementations of the Crypto Market Data Service.',
    )
    .command(runCommand)
    .command(planCommand)
    .command(serveCommand)
    .command(loadCommand)
    .command(requirementsCommand)
    .command(reportCommand)
    .command(diffCommand)
    .demandCommand(1, 'Name a command.')
    .recommendCommands()
    .strict()
    .exitProcess(false)
    .version(toolVersion())
    .help()
    .alias('help', 'h')
    .wrap(Math.min(100, process.stdout.columns ?? 100))
    .example('$0 run', 'try it: against the embedded reference server')
    .example('$0 run -u https://staging.example/v1', 'with the key in ASSAY_API_KEY')
    .example('$0 run -t target.yaml --only 4.3', 'one section, with a target file')
    .epilogue(
      'Exit codes: 0 conforms, 1 violates, 2 usage or configuration, 3 no verdict, 4 fault of Assay, 5 load thresholds, 130 interrupted.',
    )
    .fail((message, error) => {
      if (error !== undefined && error !== null) throw error;
      throw new UsageError(message, 'Run `assay --help` for commands and options.');
    });
  try {
    await cli.parseAsync();
  } catch (error) {
    process.exitCode = fail(error, process.stderr);
  }
}

// `assay run | head` closes our output early: that is no error of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = EXIT.conforms;
await main();
