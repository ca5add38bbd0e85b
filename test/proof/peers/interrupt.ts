/** Thrown when Ctrl-C ended what was under way. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/**
 * Does work whose `signal` aborts on Ctrl-C, so that the programs that it started are ended with it.
 * @throws Interrupted when it was ended so
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interrupted = new AbortController();
  const stop = (): void => interrupted.abort(new Interrupted('interrupted'));
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    return await work(interrupted.signal);
  } catch (error) {
    interrupted.signal.throwIfAborted();
    throw error;
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}

/** Exit code of a command that may throw, with what went wrong in a line: 2 for its options, 130 for Ctrl-C, else 4. */
export async function exitCodeOf(command: () => Promise<number>): Promise<number> {
  try {
    return await command();
  } catch (error) {
    if (error instanceof Interrupted) {
      process.stderr.write('Interrupted: what was under way is not written.\n');
      return 130;
    }
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof RangeError ? 2 : 4;
  }
}
