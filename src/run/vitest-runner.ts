import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type {
  PoolRunnerInitializer,
  Reporter,
  TestModule,
  TestSpecification,
  Vitest,
} from 'vitest/node';
import type { SuiteInput } from '../ask/input.ts';

/** Folder of the package: two levels above this file, in `src` as in `dist`. */
export const packageRoot = fileURLToPath(new URL('../../', import.meta.url));

/** Files in the order of their names: sections in the order of the specification. */
class PathOrder {
  async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => (a.moduleId < b.moduleId ? -1 : 1));
  }
  async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files;
  }
}

/** A failure of the suites themselves, not of the target: a file that does not load, an error outside of a check. */
export class SuiteFailure extends Error {
  readonly code = 'ASSAY_SUITE_FAILURE';
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SuiteFailure';
  }
}

export interface SuiteRunnerOptions {
  readonly input: SuiteInput;
  readonly reporter: Reporter;
  readonly signal?: AbortSignal;
}

/**
 * Runs the suites once, in one worker thread: checks share one client, one cache and one pacing. Returns how the run
 * ended.
 * @throws SuiteFailure when Vitest reports an error that is not of a check
 */
export async function runSuites(options: SuiteRunnerOptions): Promise<'finished' | 'interrupted'> {
  const runner = await createRunner();
  try {
    return await runner.run(options);
  } finally {
    await runner.close();
  }
}

/** A Vitest instance that can run the suites again and again; the second run costs a fraction of the first. */
export interface SuiteRunner {
  run(options: SuiteRunnerOptions): Promise<'finished' | 'interrupted'>;
  close(): Promise<void>;
}

/**
 * Starts Vitest without running anything yet.
 *
 * @param pool what the suites run in; a thread of its own for each run by default
 */
export async function createRunner(
  pool: PoolRunnerInitializer | 'threads' = 'threads',
): Promise<SuiteRunner> {
  // Loaded here and not above: `assay --help` must not wait for Vitest.
  const { createVitest } = await import('vitest/node');
  const before = (['SIGINT', 'SIGTERM'] as const).map(
    (name) => [name, process.listeners(name)] as const,
  );
  const errors: unknown[] = [];
  let interrupted = false;
  let current: Reporter = {};
  // Reporters are fixed when Vitest starts, but each run brings its own.
  const watch: Reporter = {
    onTestModuleCollected: (module) => current.onTestModuleCollected?.(module),
    onTestCaseResult: (test) => current.onTestCaseResult?.(test),
    onTestRunEnd(modules: readonly TestModule[], unhandled, reason) {
      errors.push(...unhandled, ...modules.flatMap((module) => module.errors()));
      interrupted = reason === 'interrupted';
    },
  };
  const root = packageRoot.replaceAll('\\', '/');
  const vitest = await createVitest(
    'test',
    {
      config: false,
      root: packageRoot,
      dir: path.join(packageRoot, 'suites'),
      include: ['**/*.suite.ts'],
      exclude: [],
      watch: false,
      cache: false,
      globals: false,
      allowOnly: false,
      passWithNoTests: false,
      pool,
      maxWorkers: 1,
      isolate: false,
      fileParallelism: false,
      sequence: { sequencer: PathOrder, concurrent: false, shuffle: false },
      testTimeout: 0,
      hookTimeout: 0,
      teardownTimeout: 10_000,
      reporters: [watch],
      server: {
        deps: { inline: [new RegExp(`^${escapeRegExp(root)}(?!node_modules/)`)] },
      },
    },
    {
      envDir: false,
      cacheDir: path.join(tmpdir(), 'assay-vite'),
      logLevel: 'error',
      server: { watch: null, ws: false },
    },
  );
  // Vitest's own listeners end the process at once, and every report with it.
  for (const [name, kept] of before) {
    for (const listener of process.listeners(name)) {
      if (!kept.includes(listener)) process.off(name, listener);
    }
  }
  return {
    async run({ input, reporter, signal }) {
      current = reporter;
      errors.length = 0;
      interrupted = false;
      // Vitest writes the code of its own opinion; the verdict decides.
      const exitCode = process.exitCode;
      const cancel = (): void => void vitest.cancelCurrentRun('keyboard-input');
      signal?.addEventListener('abort', cancel, { once: true });
      try {
        await start(vitest, input);
      } finally {
        signal?.removeEventListener('abort', cancel);
        process.exitCode = exitCode;
      }
      const [first] = errors;
      if (first !== undefined && !interrupted) {
        throw new SuiteFailure(`The suites failed to run: ${errorText(first)}`, { cause: first });
      }
      return interrupted ? 'interrupted' : 'finished';
    },
    close: () => vitest.close(),
  };
}

async function start(vitest: Vitest, input: SuiteInput): Promise<void> {
  vitest.getRootProject().provide('assay', input);
  const specifications = await vitest.globTestSpecifications();
  if (specifications.length === 0) {
    throw new SuiteFailure(`No suites found in ${path.join(packageRoot, 'suites')}`);
  }
  await vitest.runTestSpecifications(specifications, true);
}

function errorText(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : String(error);
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
