import path from 'node:path';
import type { File, Test, VitestRunner } from '@vitest/runner';
import type { SuiteInput } from '../ask/input.ts';
import { packageRoot } from '../fs/package-root.ts';
import { CodedError } from '../text/hinted-error.ts';
import type { SuiteListener } from './collect.ts';

/** A failure of the suites, not of the target: checks cannot be registered, or an error outside of a check. */
export class SuiteFailure extends CodedError('ASSAY_SUITE_FAILURE') {}

/** Vitest collects tests in global state, so runs must collect one after the other. */
let collecting: Promise<void> = Promise.resolve();

/**
 * Runs the checks of the catalogue one after the other, each as a Vitest test. Uses Vitest's runner in this thread,
 * without its server, bundler and workers, which are for editors (`suites/vitest.config.ts`).
 * @throws SuiteFailure for an error outside of a check
 */
export async function runSuites({
  input,
  listener,
  signal,
}: {
  readonly input: SuiteInput;
  readonly listener: SuiteListener;
  readonly signal?: AbortSignal | undefined;
}): Promise<'finished' | 'interrupted'> {
  // Loaded lazily, because these modules are slow to load.
  const [{ startTests, getFn }, { checkList, register, SuiteRun }] = await Promise.all([
    import('@vitest/runner'),
    import('../suite/index.ts'),
  ]);
  const run = new SuiteRun(input);
  const checks = checkList(input, (meta) => listener.onFinished({ meta, error: null, ms: 0 }));
  const before = collecting;
  let collected = (): void => undefined;
  collecting = new Promise((resolve) => (collected = resolve));
  await before;
  const strays = watchForStrays();
  const interruption = signal === undefined ? null : aborted(signal);
  // Cancel prefetched requests.
  interruption?.then(() => run.close()).catch(() => undefined);
  const reported = new Set<Test>();
  const begun = new Map<Test, number>();
  const tell = (test: Test): void => {
    if (reported.has(test)) return;
    reported.add(test);
    const now = performance.now();
    const ms = now - (begun.get(test) ?? now);
    // Copied, because an interrupted check may still change it.
    const meta = test.meta.assay && { ...test.meta.assay };
    const error = test.result?.state === 'fail' ? String(test.result.errors?.[0]?.message) : null;
    listener.onFinished({ meta, error, ms });
  };
  const runner: VitestRunner = {
    config: CONFIG,
    importFile: () => {
      register(checks.asked, run);
    },
    onCollected: ([file]) => {
      collected();
      listener.onCollected(testsOf(file).length + checks.leftOut);
    },
    onBeforeRunTask: (test) => {
      if (signal?.aborted === true || strays.first !== undefined) test.mode = 'skip';
      else checks.passTo(test.name);
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
    throw new SuiteFailure(
      `The suites failed to run: ${errorText(failure)}`,
      'Set ASSAY_DEBUG=1 and report the output.',
      { cause: failure },
    );
  }
  // Tests that were not started.
  for (const test of testsOf(files[0])) tell(test);
  checks.passRest(interrupted);
  return interrupted ? 'interrupted' : 'finished';
}

/** The suite file for editors; here only a name. */
const SUITE = path.join(packageRoot, 'suites', 'conformance.suite.ts');

/** Tests need no timeout: every request has one. */
const CONFIG: VitestRunner['config'] = {
  root: packageRoot,
  setupFiles: [],
  name: undefined,
  passWithNoTests: true,
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

const aborted = (signal: AbortSignal): Promise<true> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(true);
    signal.addEventListener('abort', () => resolve(true), { once: true });
  });

/** Runs a test, and stops waiting for it when the run is interrupted: closing the session ends it. */
async function unlessAborted(
  body: () => Promise<void>,
  test: Test,
  interruption: Promise<true> | null,
): Promise<void> {
  if (interruption === null) return body();
  const ended = body();
  const interrupted = await Promise.race([ended, interruption]);
  if (interrupted !== true) return;
  // Nothing waits for it any more.
  ended.catch(() => undefined);
  test.context.skip('the run was interrupted');
}

/** Catches errors outside of checks, which would otherwise end the process with a wrong exit code. */
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
