import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** A real browser and real k6: they measure ratios and bursts, so one file at a time has the machine. */
const ALONE = ['test/browser/**/!(*.slow).test.ts', 'test/**/*.k6.test.ts'];
/** Runs that are slow on purpose, or many of them; two files at a time. */
const LONG = ['test/**/*.slow.test.ts', 'test/trust/disturbed.test.ts'];

/**
 * `npm test` leaves out the tests that take their time and says so; `npm run test:slow` runs them, and continuous
 * integration runs both.
 */
const GROUPS: Readonly<Record<string, readonly string[]>> = { alone: ALONE, long: LONG };
const group = GROUPS[process.env['ASSAY_TESTS'] ?? ''];

export default defineConfig({
  // The source, which all other tests import, and not `dist` as in `imports` of package.json.
  resolve: { alias: { '#src': fileURLToPath(new URL('src', import.meta.url)) } },
  test: {
    include: group === undefined ? ['test/**/*.test.{ts,tsx}', 'src/**/*.test.ts'] : [...group],
    exclude: group === undefined ? [...ALONE, ...LONG] : [],
    maxWorkers: group === ALONE ? 1 : 2,
    // A shared machine may starve a process for a second; a real failure fails twice.
    retry: group === undefined && process.env['CI'] === undefined ? 0 : 1,
    testTimeout: 90_000,
    hookTimeout: 90_000,
  },
});
