import { EXIT } from '../../spec/exit-codes.ts';

type Interruption = ReturnType<typeof listen>;

/** Commands that write a partial report when they are interrupted. */
const ORDERLY: ReadonlySet<string> = new Set(['run', 'load', 'monitor', 'watch']);

let early: Interruption | undefined;

/** Listens before anything else is loaded, so that an early signal does not kill such a command. */
export function listenEarly(args: readonly string[]): void {
  const command = args.find((arg) => !arg.startsWith('-'));
  if (command !== undefined && ORDERLY.has(command)) early = listen();
}

/** Continues the early listener, or starts one. The second signal ends the process immediately. */
export function listenForInterruption(): Interruption {
  const known = early ?? listen();
  early = undefined;
  return known;
}

function listen() {
  const controller = new AbortController();
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    controller.abort();
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  return {
    /** Aborts on the first signal: the command writes partial results and ends. */
    signal: controller.signal,
    /** Restores the default effect of signals, unless one was received: a second one ends the process with the same code. */
    release(): void {
      if (controller.signal.aborted) return;
      process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    },
  };
}
