import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** A real browser. */
const BROWSER = ['test/browser/**/!(*.slow).test.ts'];
/** Real k6, and what it measures: it sends bursts, so one file at a time; most of the time it waits. */
const K6 = ['test/**/*.k6.test.ts'];
/** Runs that are slow on purpose, or many of them. */
const LONG = ['test/**/*.slow.test.ts', 'test/trust/disturbed.test.ts'];

/** They change what others read, so each has its own modules. All others share them: to load and compile them takes seconds. */
const ALONE = ['test/spec/{bound-changed,schema-changed}.test.ts'];

/**
 * `npm test` leaves out the tests that take their time and says so; `npm run test:slow` runs them, and continuous
 * integration runs both.
 */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  browser: BROWSER,
  k6: K6,
  long: LONG,
};
const group = GROUPS[process.env['ASSAY_TESTS'] ?? ''];

/** Files that take longest of their project, so that none of them is left over when the rest is done. */
const LONGEST = [
  /\/test\/(cli\/run|report-runs\/one-truth)\.test\.ts$/,
  /\/test\/(monitor\/(months|days)|watch\/watch|proof\/kill\/\S+)\.slow\.test\.ts$/,
  /\/test\/(cli\/two-at-once|resume\/replay|first-run\/journey|report-runs\/order)\.slow\.test\.ts$/,
  /\/test\/(report-runs\/(advice|truth)|run\/plan|monitor\/command)\.slow\.test\.ts$/,
];
const isLongest = ({ moduleId }: TestSpecification): boolean =>
  LONGEST.some((longest) => longest.test(moduleId));

/** Those that have their modules to themselves come last: a worker ends with its project. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // The rule takes this for Array.prototype.sort; it is a method of Vitest's sequencer.
    // oxlint-disable-next-line unicorn/no-array-sort
    const sorted = await super.sort(files);
    const placeOf = ({ project }: TestSpecification): number => Number(project.name === 'alone');
    return sorted.toSorted(
      (a, b) => placeOf(a) - placeOf(b) || Number(isLongest(b)) - Number(isLongest(a)),
    );
  }
}

/** Processes that run programs for the tests and are kept between them. */
const globalSetup = 'test/kept/processes.ts';
const setupFiles = 'test/kept/own-folder.ts';

/**
 * Most of what tests make is gone at once, but not before the space for what is new is full, and then it is copied: half a
 * test of reports was collection.
 */
const execArgv = ['--max-semi-space-size=64'];

const EVERYWHERE = ['test/**/*.test.{ts,tsx}', '{src,suites,tools}/**/*.test.ts'];

export default defineConfig({
  // The source, which all other tests import, and not `dist` as in `imports` of package.json.
  resolve: {
    alias: {
      '#src': fileURLToPath(new URL('src', import.meta.url)),
      '#suites': fileURLToPath(new URL('suites', import.meta.url)),
      '#proof': fileURLToPath(new URL('test/proof', import.meta.url)),
    },
  },
  test: {
    // More than there are processors in continuous integration: many wait, for a window or for a run.
    maxWorkers: group === K6 ? 1 : group === BROWSER ? 2 : group === LONG ? 4 : 3,
    // A test that fails now and then is a defect, of the test or of what it tests: a second try would hide it.
    retry: 0,
    sequence: { sequencer: LongestFirst },
    // These are for a hang, not for a busy machine: some take a minute on a calm one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    execArgv,
    // What is printed has other marks elsewhere.
    env: { LC_ALL: 'C.UTF-8' },
    // What is compiled for one group of tests is not compiled again for the next.
    experimental: { fsModuleCache: true },
    projects:
      group === undefined
        ? [
            {
              extends: true,
              test: {
                name: 'together',
                globalSetup,
                setupFiles,
                include: EVERYWHERE,
                exclude: [...ALONE, ...BROWSER, ...K6, ...LONG],
                isolate: false,
              },
            },
            { extends: true, test: { name: 'alone', include: ALONE } },
          ]
        : [
            {
              extends: true,
              test: {
                name: 'slow',
                globalSetup,
                setupFiles,
                include: [...group],
                isolate: group === K6,
              },
            },
          ],
  },
});
