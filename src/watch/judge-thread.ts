import os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { reasonOf } from '../http/record/journal-writer.ts';
import { SecretsGate } from '../fs/secrets-gate.ts';
import { SecretLeak, writeReports } from '../report/write.ts';
import type { Failure, FromJudge, ThreadOptions, ToJudge } from './messages.ts';
import { WatchJudge } from './watch-judge.ts';

/** Interval of checks for due work, ms. */
const TICK_MS = 250;
/** Lower priority, so that the proxy comes first if processors are busy. */
const NICENESS = 10;

const port = parentPort;
if (port === null) throw new Error('The judge of a watch must run in a worker thread.');
const options = workerData as ThreadOptions;
const say = (message: FromJudge): void => port.postMessage(message);

try {
  // On Linux, this only affects the thread.
  if (process.platform === 'linux') os.setPriority(0, NICENESS);
} catch {
  // Without permission, the priority stays the same.
}

const plain = (error: unknown): Failure => {
  const { code, message, hint } = error as { code?: string; message: string; hint?: string };
  return { code: code ?? 'ASSAY_INTERNAL', message, hint: hint ?? '' };
};

/** Writes reports of the current state. */
async function report(
  judge: WatchJudge,
): Promise<{ readonly files: readonly string[]; readonly error: Failure | null }> {
  const gate = new SecretsGate(judge.secrets());
  const { output, formats } = options;
  try {
    return { files: await writeReports(judge.results(), output, formats, { gate }), error: null };
  } catch (error) {
    if (error instanceof SecretLeak) await judge.sweep(gate);
    return { files: [], error: plain(error) };
  }
}

/** If state cannot be saved, this is reported once, and the watch continues without it. */
let warned = false;
function guarded(work: () => void): void {
  try {
    work();
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code === undefined || syscall === undefined) throw error;
    if (!warned) {
      const line = `The state cannot be saved: ${reasonOf(error)}. Judging continues, but the state is lost if the watch is killed.`;
      say({ type: 'say', line });
    }
    warned = true;
  }
}

/** Reported locations of keys. */
const saidOfKeys = new Set<string>();

/** Reports once if keys seem to be in another header than the key header. */
function sayOfKeys(judge: WatchJudge): void {
  for (const line of judge.keysElsewhere()) {
    const location = line.replace(/^\d+ requests? /, '');
    if (!saidOfKeys.has(location)) say({ type: 'say', line });
    saidOfKeys.add(location);
  }
}

/** Receives exchanges, and acknowledges each batch. */
function take(judge: WatchJudge, { exchanges }: Extract<ToJudge, { type: 'exchanges' }>): void {
  let bytes = 0;
  for (const exchange of exchanges) {
    bytes += exchange.body?.byteLength ?? 0;
    guarded(() => judge.take(exchange, Date.now()));
    guarded(() => judge.tick(Date.now()));
  }
  sayOfKeys(judge);
  say({ type: 'done', exchanges: exchanges.length, bytes });
}

async function answer(judge: WatchJudge, message: ToJudge): Promise<void> {
  switch (message.type) {
    case 'exchanges':
      take(judge, message);
      break;
    case 'missed':
      judge.miss(message.reason, message.count);
      break;
    case 'gap':
      guarded(() => judge.gap());
      break;
    case 'snapshot':
      say({ type: 'snapshot', snapshot: judge.snapshot() });
      break;
    case 'evidence':
      say({ type: 'evidence', ask: message.ask, text: judge.evidence(message.id) });
      break;
    case 'report': {
      const { files, error } = await report(judge);
      say(error === null ? { type: 'reported', files } : { type: 'say', line: error.message });
      break;
    }
    case 'finish':
      guarded(() => judge.finish());
      say({ type: 'finished', results: judge.results(), ...(await report(judge)) });
      break;
    default:
  }
}

function start(): void {
  let judge: WatchJudge;
  try {
    judge = new WatchJudge(options, (event) => say({ type: 'event', event }));
    const takenUp = judge.takeUp(Date.now());
    if (judge.said !== null) say({ type: 'say', line: judge.said });
    const { number, taken, judged } = judge;
    say({ type: 'ready', number, taken, judged, takenUp });
  } catch (error) {
    say({ type: 'refused', ...plain(error) });
    return;
  }
  const timer = setInterval(() => guarded(() => judge.tick(Date.now())), TICK_MS);
  // Sequentially, so that a report has a consistent state.
  let last = Promise.resolve();
  port?.on('message', (message: ToJudge) => {
    last = last.then(() => answer(judge, message));
    if (message.type === 'finish') clearInterval(timer);
  });
}

start();
