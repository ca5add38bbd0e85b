#!/usr/bin/env node
import { EXIT } from '../spec/exit-codes.ts';
import { listenEarly } from './run/interruption.ts';

// All other modules are loaded later: it takes some hundred milliseconds, in which a signal would kill the process.
listenEarly(process.argv.slice(2));

/** Entry point of the command line. Sets the exit code; leaves the process to end by itself. */
async function main(): Promise<void> {
  const [{ runCommandLine }, { fail }, { hideBin }] = await Promise.all([
    import('./cli.ts'),
    import('./errors.ts'),
    import('yargs/helpers'),
  ]);
  process.on('exit', () => {
    if (unwritten === undefined) return;
    const words = unwritten.message.replace(/, write$/, '');
    const error = new Error(`Standard output could not be written: ${words}.`);
    const exit = fail(Object.assign(error, { code: 'ASSAY_OUTPUT' }), process.stderr);
    if (process.exitCode === EXIT.conforms) process.exitCode = exit;
  });
  try {
    await runCommandLine(hideBin(process.argv));
  } catch (error) {
    process.exitCode = fail(error, process.stderr);
  }
}

// The work goes on when its output cannot be written: a run leaves reports, and has an exit code. A reader who closes the pipe,
// as in `assay run | head`, has seen enough; anything else is told at the end, once.
let unwritten: NodeJS.ErrnoException | undefined;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') unwritten ??= error;
});
process.stderr.on('error', () => undefined);

process.exitCode = EXIT.conforms;
await main();
