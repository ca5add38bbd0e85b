import os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { reasonOf } from '../http/record/journal-writer.ts';
import { SecretsGate } from '../fs/secrets-gate.ts';
import type { Format } from '../report/formats.ts';
import { SecretLeak, writeReports } from '../report/write.ts';
import type { RunEvent } from '../run/events.ts';
import type { RawExchange } from './raw-exchange.ts';
import { watchJudge, type WatchJudge, type WatchJudgeOptions } from './watch-judge.ts';

/** Start data of the judge thread. */
export interface ThreadOptions extends WatchJudgeOptions {
  readonly formats: readonly Format[];
}

/** Messages of the judge thread: the result of a call, an event, or a line for the user. */
export type FromJudge =
  | { readonly type: 'result'; readonly call: number; readonly result: unknown }
  | { readonly type: 'event'; readonly event: RunEvent }
  | { readonly type: 'say'; readonly line: string };

/** Functions that the proxy calls, one after the other. */
export type Calls = typeof calls;

const TICK_MS = 250;
/** Lower priority, so that the proxy comes first if processors are busy. */
const NICENESS = 10;

const port = parentPort;
if (port === null) throw new Error('The judge of a watch must run in a worker thread.');
const options = workerData as ThreadOptions;
const post = (message: FromJudge): void => port.postMessage(message);
const said = new Set<string>();

/** Says a line, once. @param kind identifies lines that say the same */
function say(line: string, kind = line): void {
  if (!said.has(kind)) post({ type: 'say', line });
  said.add(kind);
}

function plain(error: unknown): { code: string; message: string; hint: string } {
  const { code, message, hint } = error as { code?: string; message: string; hint?: string };
  return { code: code ?? 'ASSAY_INTERNAL', message, hint: hint ?? '' };
}

/** If state cannot be saved, the watch continues without it. */
function guarded(work: () => void): void {
  try {
    work();
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code === undefined || syscall === undefined) throw error;
    say(
      `The state cannot be saved: ${reasonOf(error)}. Judging continues, but the state is lost if the watch is killed.`,
      'state',
    );
  }
}

let judge: WatchJudge;
const tick = (): void => guarded(() => judge.tick(Date.now()));
let timer: NodeJS.Timeout;

const calls = {
  open() {
    try {
      judge = watchJudge(options, (event) => post({ type: 'event', event }));
      const found = judge.takeUp(Date.now());
      timer = setInterval(tick, TICK_MS);
      if (judge.store.said !== null) say(judge.store.said);
      return found;
    } catch (error) {
      return plain(error);
    }
  },
  take(exchanges: readonly RawExchange[]) {
    for (const exchange of exchanges) {
      guarded(() => judge.take(exchange, Date.now()));
      tick();
    }
    for (const line of judge.keysElsewhere()) say(line, line.replace(/^\d+ requests? /, ''));
    return true;
  },
  miss: (reason: string, count: number) => judge.miss(reason, count),
  gap() {
    guarded(() => judge.gap());
    return true;
  },
  snapshot: () => judge.snapshot(),
  evidence: (id: string) => judge.evidence(id),
  async report() {
    const gate = new SecretsGate(judge.secrets.listed());
    const { output, formats } = options;
    try {
      const files = await writeReports(judge.results(), output, formats, { gate });
      return { files, error: null };
    } catch (error) {
      if (error instanceof SecretLeak) await judge.store.sweep(gate);
      return { files: [], error: plain(error) };
    }
  },
  async finish() {
    clearInterval(timer);
    guarded(() => judge.finish());
    return { results: judge.results(), ...(await calls.report()) };
  },
} as const;

try {
  // On Linux, this only affects the thread.
  if (process.platform === 'linux') os.setPriority(0, NICENESS);
} catch {
  // Without permission, the priority stays the same.
}

// Sequentially, so that a report has a consistent state.
let last: Promise<unknown> = Promise.resolve();
port.on('message', ({ call, name, given }: { call: number; name: keyof Calls; given: never[] }) => {
  const work = calls[name] as (...given: never[]) => unknown;
  last = last.then(() => work(...given)).then((result) => post({ type: 'result', call, result }));
});
