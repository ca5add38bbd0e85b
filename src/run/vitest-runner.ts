import path from 'node:path';
import type { File, Test, VitestRunner } from '@vitest/runner';
import type { SuiteInput } from '../ask/input.ts';
import type { SessionState } from '../ask/session.ts';
import { packageRoot } from '../fs/package-root.ts';
import type { Exchange } from '../spec/exchange.ts';
import type { CheckMeta } from '../suite/outcome.ts';

/** A failure of the suites themselves, not of the target: checks that cannot be bound, an error outside of a check. */
export class SuiteFailure extends Error {
  readonly code = 'ASSAY_SUITE_FAILURE';
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SuiteFailure';
  }
}

/** One test as it came out. */
export interface FinishedTest {
  /** What the check left behind; undefined when it did not get so far. */
  readonly meta: CheckMeta | undefined;
  readonly state: 'passed' | 'failed' | 'skipped';
  /** What it failed with; null when it did not. */
  readonly error: string | null;
  readonly ms: number;
}

/** Told what becomes of the tests of a run. */
export interface SuiteListener {
  /** Tests were found, so many; before the first of them begins. */
  onCollected(tests: number): void;
  /** A test came out, or never will. Each is told of once. */
  onFinished(test: FinishedTest): void;
  /** The session ended: all that was sent, in the order sent. Not told when it was never opened. */
  onClosed(exchanges: readonly Exchange[], session: SessionState): void;
}

export interface SuiteRunnerOptions {
  readonly input: SuiteInput;
  readonly listener: SuiteListener;
  readonly signal?: AbortSignal;
}

/** Vitest collects into state that it has once a process: runs collect one after the other. */
let collecting: Promise<void> = Promise.resolve();

/**
 * Runs the checks of the catalogue, one Vitest test each, one after the other. Vitest's runner does so in this thread, on
 * the modules that are loaded here anyway: its server, its bundler and its workers are for editors
 * (`suites/vitest.config.ts`). Returns how the run ended.
 * @throws SuiteFailure when an error comes up that is not of a check
 */
export async function runSuites({
  input,
  listener,
  signal,
}: SuiteRunnerOptions): Promise<'finished' | 'interrupted'> {
  // Loaded here and not above: whoever only asks for the folder of the package must not wait for them.
  const [{ startTests, getFn }, { checksInOrder, register, SuiteRun }] = await Promise.all([
    import('@vitest/runner'),
    import('../suite/index.ts'),
  ]);
  const run = new SuiteRun(input);
  const before = collecting;
  let collected = (): void => undefined;
  collecting = new Promise((resolve) => (collected = resolve));
  await before;
  const strays = watchForStrays();
  const interruption = signal === undefined ? null : aborted(signal);
  // Whatever was asked ahead of its turn must not go out any more.
  interruption?.then(() => run.close()).catch(() => undefined);
  const told = new Set<Test>();
  const begun = new Map<Test, number>();
  const tell = (test: Test): void => {
    if (told.has(test)) return;
    told.add(test);
    const from = begun.get(test);
    listener.onFinished(finished(test, from === undefined ? 0 : performance.now() - from));
  };
  const runner: VitestRunner = {
    config: CONFIG,
    importFile: () => {
      register(checksInOrder(), run);
    },
    onCollected: ([file]) => {
      collected();
      listener.onCollected(testsOf(file).length);
    },
    onBeforeRunTask: (test) => {
      if (signal?.aborted === true || strays.first !== undefined) test.mode = 'skip';
    },
    onBeforeTryTask: (test) => void begun.set(test, performance.now()),
    runTask: (test) => unlessAborted(async () => getFn(test)(), test, interruption),
    onTaskFinished: tell,
  };
  let files: File[];
  try {
    files = await startTests([SUITE], runner);
  } finally {
    collected();
    await run.close();
    const { sent } = run;
    if (sent !== null) listener.onClosed(sent.exchanges, sent.session);
    strays.release();
  }
  const [first] = files.flatMap((file) => file.result?.errors ?? []);
  const failure = strays.first ?? first;
  const interrupted = signal?.aborted === true;
  if (failure !== undefined && !interrupted) {
    throw new SuiteFailure(`The suites failed to run: ${errorText(failure)}`, { cause: failure });
  }
  // Those that were not begun any more.
  for (const test of testsOf(files[0])) tell(test);
  return interrupted ? 'interrupted' : 'finished';
}

/** The file that binds the same tests for an editor; here it only names them. */
const SUITE = path.join(packageRoot, 'suites', 'conformance.suite.ts');

/** A test lasts as long as its requests, and the client bounds each of these: no test has a timeout. */
const CONFIG: VitestRunner['config'] = {
  root: packageRoot,
  setupFiles: [],
  name: undefined,
  passWithNoTests: false,
  testNamePattern: undefined,
  allowOnly: false,
  sequence: { shuffle: false, concurrent: false, seed: 0, hooks: 'stack', setupFiles: 'list' },
  chaiConfig: undefined,
  maxConcurrency: 1,
  testTimeout: 0,
  hookTimeout: 0,
  retry: 0,
  includeTaskLocation: false,
  tags: [],
  tagsFilter: undefined,
  strictTags: true,
};

const testsOf = (file: File | undefined): Test[] =>
  (file?.tasks ?? []).filter((task): task is Test => task.type === 'test');

function finished({ result, meta }: Test, ms: number): FinishedTest {
  const state = result?.state;
  return {
    // A copy: a check that was cut off still writes on it.
    meta: meta.assay && { ...meta.assay },
    state: state === 'pass' ? 'passed' : state === 'fail' ? 'failed' : 'skipped',
    error: result?.errors?.[0]?.message ?? null,
    ms,
  };
}

const aborted = (signal: AbortSignal): Promise<true> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(true);
    signal.addEventListener('abort', () => resolve(true), { once: true });
  });

/** Runs a test, and leaves it alone when the run is interrupted: the session that is closed then ends it. */
async function unlessAborted(
  body: () => Promise<void>,
  test: Test,
  interruption: Promise<true> | null,
): Promise<void> {
  if (interruption === null) return body();
  const ended = body();
  const interrupted = await Promise.race([ended, interruption]);
  if (interrupted !== true) return;
  // Nobody waits for it any more.
  ended.catch(() => undefined);
  test.context.skip('the run was interrupted');
}

/** Watches for errors that no check is there to catch; without that, they would end the process with a code of their own. */
function watchForStrays(): { readonly first: unknown; release(): void } {
  const strays: unknown[] = [];
  const note = (error: unknown): void => void strays.push(error ?? new Error('no reason'));
  const events = ['uncaughtException', 'unhandledRejection'] as const;
  for (const event of events) process.on(event, note);
  return {
    get first() {
      return strays[0];
    },
    release() {
      for (const event of events) process.off(event, note);
    },
  };
}

function errorText(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : String(error);
}
