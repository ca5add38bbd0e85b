#!/usr/bin/env node
import { EXIT } from '../contract/exit-codes.ts';
import { listenEarly } from './interruption.ts';

// All other modules are loaded later: it takes some hundred milliseconds, in which a signal would kill the process.
listenEarly(process.argv.slice(2));

/** Entry point of the command line. Sets the exit code; leaves the process to end by itself. */
async function main(): Promise<void> {
  const [{ runCommandLine }, { fail }, { hideBin }] = await Promise.all([
    import('./cli.ts'),
    import('./errors.ts'),
    import('yargs/helpers'),
  ]);
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
