#!/usr/bin/env node
import { hideBin } from 'yargs/helpers';
import { EXIT } from '../contract/exit-codes.ts';
import { runCommandLine } from './cli.ts';
import { fail } from './errors.ts';

/** Entry point of the command line. Sets the exit code; leaves the process to end by itself. */
async function main(): Promise<void> {
  try {
    await runCommandLine(hideBin(process.argv));
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
