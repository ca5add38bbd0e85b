import { EXIT } from '../../spec/exit-codes.ts';

/** Ctrl-C and SIGTERM while a command works. */
export interface Interruption {
  /** Aborts with the first signal: the command writes what it has and ends. */
  readonly signal: AbortSignal;
  /** Leaves further signals to their usual effect. */
  release(): void;
}

/** Commands that end in order when they are interrupted: they write a report of what they have. */
const ORDERLY: ReadonlySet<string> = new Set(['run', 'load', 'monitor', 'watch']);

let heard: Interruption | undefined;

/**
 * Listens before anything else is loaded, when the command is one that ends in order: the signal of somebody who changes
 * their mind in the first moment is not to kill the process.
 */
export function listenEarly(args: readonly string[]): void {
  const command = args.find((arg) => !arg.startsWith('-'));
  if (command !== undefined && ORDERLY.has(command)) heard = listen();
}

/** Listens from now on, or since the process began. The second signal means: now. The process then ends at once. */
export function listenForInterruption(): Interruption {
  const known = heard ?? listen();
  heard = undefined;
  return known;
}

function listen(): Interruption {
  const controller = new AbortController();
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    controller.abort();
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  return {
    signal: controller.signal,
    release() {
      process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    },
  };
}
