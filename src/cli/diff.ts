import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { wordsById } from '../report/analysis/history.ts';
import { toMarkdown } from '../report/formats/markdown.ts';
import { diffResults } from '../report/model/diff.ts';
import { kindOf } from '../report/model/status.ts';
import {
  darkIds,
  DIFF_FAIL_ON,
  diffOutline,
  failingChanges,
} from '../report/analysis/diff-outline.ts';
import { columnsIn, wantsColor } from '../report/terminal/console.ts';
import { toTerminal } from '../report/terminal/terminal.ts';
import { withHistory } from '../run/history.ts';
import { EXIT } from '../spec/exit-codes.ts';
import { plural } from '../text/text.ts';
import { commandBody, string, strings } from './command.ts';
import { UsageError } from './errors.ts';
import { failOnNames } from './judging-options.ts';
import { readResults, resultsFile } from './read-results.ts';

/** `assay diff`: compares two runs. */
export const diffCommand = commandBody({
  positionals: {
    before: {
      type: 'string',
      demandOption: true,
      describe: 'Earlier run: its folder or results.json',
    },
    after: { type: 'string', demandOption: true, describe: 'Later run' },
  },
  options: {
    format: { choices: ['text', 'md', 'json'], default: 'text', describe: 'Output format' },
    output: string('Write to this file instead of standard output', { alias: 'o' }),
    'fail-on': strings(
      'Exit with code 1 for these (comma-separated): must (always included), should, unverified (musts no longer verified, unless --only, --skip or missing data is the cause)',
      { default: ['must'], coerce: (given: readonly string[]) => failOnNames(given, DIFF_FAIL_ON) },
    ),
  },
  examples: {
    '$0 diff reports/monday reports/latest': 'print the differences',
    '$0 diff reports/monday reports/latest --fail-on unverified':
      'also fail when musts are no longer verified',
    '$0 report today/results.json --baseline monday/results.json':
      'show the comparison in the report',
  },
  handler: async (argv) => {
    const afterFile = await resultsFile(argv.after);
    const [before, after] = await Promise.all([readResults(argv.before), readResults(afterFile)]);
    if ((kindOf(before) === 'load') !== (kindOf(after) === 'load'))
      throw new UsageError(
        'A load run judges other requirements than a run of the suites: they cannot be compared.',
        'Pass two load runs, or two runs of the suites.',
      );
    const diff = diffResults(before, after);
    const withRuns =
      after.history === undefined ? await withHistory(after, path.dirname(afterFile)) : after;
    const history = wordsById(withRuns);
    const failing = failingChanges(diff, after, argv['fail-on']);
    const outline = diffOutline(diff, withRuns, failing);
    const shown =
      argv.format === 'json'
        ? `${JSON.stringify({ ...diff, history: Object.fromEntries(history), failing }, null, 2)}\n`
        : argv.format === 'md'
          ? toMarkdown(outline)
          : toTerminal(outline, {
              color: argv.output === undefined && wantsColor(process.stdout.isTTY, process.env),
              width: columnsIn(process.stdout, 100),
            });
    if (argv.output === undefined) process.stdout.write(shown);
    else await writeFile(argv.output, shown);
    const dark = darkIds(diff, after).length;
    if (dark > 0 && !argv['fail-on'].includes('unverified')) {
      process.stderr.write(
        `assay: ${plural(dark, 'must')} ${dark === 1 ? 'is' : 'are'} no longer verified, apart from those without data. This fails the comparison only with --fail-on unverified.\n`,
      );
    }
    return failing.length > 0 ? EXIT.violates : EXIT.conforms;
  },
});
