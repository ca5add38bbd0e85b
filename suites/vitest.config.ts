// Runs the suites under plain Vitest, so that an editor can run and debug a single check:
//
//   ASSAY_BASE_URL=http://127.0.0.1:4010 ASSAY_API_KEY=… npx vitest -c suites/vitest.config.ts
//
// ASSAY_TARGET names a target file instead. ASSAY_PROFILE, ASSAY_SEED, ASSAY_MAX_REQUESTS, ASSAY_CONCURRENCY and
// ASSAY_PATH match the flags of `run`.
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { PROFILES } from '../src/ask/profiles.ts';
import { loadTarget } from '../src/target/file/resolve-target.ts';
import type { SuiteInput } from '../src/ask/input.ts';

const { ASSAY_PROFILE, ASSAY_SEED, ASSAY_MAX_REQUESTS, ASSAY_CONCURRENCY, ASSAY_PATH } =
  process.env;

const input: SuiteInput = {
  runId: randomUUID(),
  target: loadTarget({}),
  profile: PROFILES.find((profile) => profile === ASSAY_PROFILE) ?? 'standard',
  seed: Number(ASSAY_SEED ?? 1),
  only: [],
  skip: [],
  maxRequests: ASSAY_MAX_REQUESTS === undefined ? null : Number(ASSAY_MAX_REQUESTS),
  ...(ASSAY_CONCURRENCY !== undefined && { concurrency: Number(ASSAY_CONCURRENCY) }),
  path: ASSAY_PATH ?? null,
  tell: null,
};

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    include: ['suites/**/*.suite.ts'],
    pool: 'threads',
    maxWorkers: 1,
    isolate: false,
    fileParallelism: false,
    testTimeout: 0,
    hookTimeout: 0,
    provide: { assay: input },
  },
});
