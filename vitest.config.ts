import { defineConfig } from 'vitest/config';

/**
 * Tests that take their time: a real browser, real k6, targets that are slow on purpose. `npm test` leaves them out and
 * says so, `npm run test:slow` runs them, and continuous integration runs both.
 */
const SLOW = [
  'test/browser/**',
  'test/**/*.k6.test.ts',
  'test/**/*.slow.test.ts',
  'test/trust/disturbed.test.ts',
];
const slow = process.env['ASSAY_TESTS'] === 'slow';

export default defineConfig({
  test: {
    include: slow
      ? SLOW.map((pattern) => (pattern.endsWith('**') ? `${pattern}/*.test.ts` : pattern))
      : ['test/**/*.test.ts', 'src/**/*.test.ts'],
    exclude: slow ? [] : SLOW,
    // The slow ones measure ratios or start processes of their own: one file at a time.
    maxWorkers: slow ? 1 : 2,
    // A shared machine may starve a browser for a second; a real failure fails twice.
    retry: slow ? 1 : 0,
    testTimeout: 90_000,
    hookTimeout: 90_000,
  },
});
