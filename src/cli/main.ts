#!/usr/bin/env node
import { EXIT } from '../spec/exit-codes.ts';
import { listenEarly } from './run/interruption.ts';

// Before the other modules: loading them takes a few hundred milliseconds, in which a signal would kill the process.
listenEarly(process.argv.slice(2));

/** Entry point of the command line. Sets the exit code and lets the process end by itself. */
async function main(): Promise<void> {
  const [{ runCommandLine }, { fail }, { hideBin }] = await Promise.all([
    import('./cli.ts'),
    import('./errors.ts'),
    import('yargs/helpers'),
  ]);
  process.on('exit', () => {
    if (unwritten === undefined) return;
    const reason = unwritten.message.replace(/, write$/, '');
    const error = new Error(`Cannot write to standard output: ${reason}.`);
    const exit = fail(Object.assign(error, { code: 'ASSAY_OUTPUT' }), process.stderr);
    if (process.exitCode === EXIT.conforms) process.exitCode = exit;
  });
  try {
    await runCommandLine(hideBin(process.argv));
  } catch (error) {
    process.exitCode = fail(error, process.stderr);
  }
}

// A command continues when its output cannot be written, because it still has reports and an exit code. A closed pipe,
// as in `assay run | head`, is fine; other errors are reported once at the end.
let unwritten: NodeJS.ErrnoException | undefined;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') unwritten ??= error;
});
process.stderr.on('error', () => undefined);

process.exitCode = EXIT.conforms;
await main();
