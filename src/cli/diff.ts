import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { EXIT } from '../contract/exit-codes.ts';
import { readResults } from './read-results.ts';
import type { CommandBody } from './commands.ts';

interface DiffArguments {
  before: string;
  after: string;
  format: 'text' | 'md' | 'json';
  output: string | undefined;
}

/** `assay diff`: what is different between two runs. Sends nothing. */
export const diffCommand: CommandBody<DiffArguments> = {
  builder: (yargs) =>
    yargs
      .positional('before', { type: 'string', demandOption: true, describe: 'The earlier run' })
      .positional('after', { type: 'string', demandOption: true, describe: 'The later run' })
      .option('format', {
        choices: ['text', 'md', 'json'] as const,
        default: 'text' as const,
        describe: 'How to say it',
      })
      .option('output', {
        alias: 'o',
        type: 'string',
        requiresArg: true,
        describe: 'File to write to instead of the terminal',
      })
      .example('$0 diff monday/results.json today/results.json', 'in the terminal')
      .example('$0 report today/results.json --baseline monday/results.json', 'in the report'),
  handler: async (argv) => {
    const [before, after] = await Promise.all([readResults(argv.before), readResults(argv.after)]);
    const [
      { diffResults },
      { renderDiffMarkdown, renderDiffText },
      { columnsIn, wantsColor },
      { withHistory },
      { wordsById },
    ] = await Promise.all([
      import('../report/diff.ts'),
      import('../report/diff-text.ts'),
      import('../report/console.ts'),
      import('../run/outcome-history.ts'),
      import('../report/history.ts'),
    ]);
    const diff = diffResults(before, after);
    const told =
      after.history === undefined ? await withHistory(after, path.dirname(argv.after)) : after;
    const history = wordsById(told);
    const text =
      argv.format === 'json'
        ? `${JSON.stringify({ ...diff, history: Object.fromEntries(history) }, null, 2)}\n`
        : argv.format === 'md'
          ? renderDiffMarkdown(diff, history)
          : renderDiffText(diff, {
              color: argv.output === undefined && wantsColor(process.stdout.isTTY, process.env),
              width: columnsIn(process.stdout, 100),
              history,
            });
    if (argv.output === undefined) process.stdout.write(text);
    else await writeFile(argv.output, text);
    const worse = diff.changes.some(
      ({ kind, level }) => kind === 'new-violation' && level === 'must',
    );
    process.exitCode = worse ? EXIT.violates : EXIT.conforms;
  },
};
