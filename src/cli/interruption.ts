import { EXIT } from '../contract/exit-codes.ts';

/** Ctrl-C and SIGTERM while a command works. */
export interface Interruption {
  /** Aborts with the first signal: the command writes what it has and ends. */
  readonly signal: AbortSignal;
  /** Leaves further signals to their usual effect. */
  release(): void;
}

/** Listens from now on. The second signal means: now. The process then ends at once. */
export function listenForInterruption(): Interruption {
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
