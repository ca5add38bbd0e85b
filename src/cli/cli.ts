import yargs from 'yargs';
import type { CommandModule } from 'yargs';
import { columnsIn } from '../report/terminal/console.ts';
import { toolVersion } from '../run/version.ts';
import { examplesText } from './command.ts';
import { COMMANDS, nameOf } from './commands.ts';
import { UsageError } from './errors.ts';
import { STANDARD_INPUT } from './standard-input.ts';
import { usageError } from './suggest.ts';

/** Options as the parser knows them, and which may be repeated. yargs has this method; its types do not. */
const optionsOf = (parser: unknown) =>
  (parser as { getOptions(): { key: object; array: readonly string[] } }).getOptions();

/**
 * yargs drops a `-` among the positionals. Unless it is the value of an option it means standard input, and is replaced
 * by a name that no file can have.
 */
const withStandardInput = (args: readonly string[]): string[] =>
  args.map((arg, at) => {
    const before = args[at - 1] ?? '';
    const isValue = before.startsWith('-') && before !== '--verbose';
    return arg === '-' && !isValue ? STANDARD_INPUT : arg;
  });

/**
 * An empty argument is usually an unset shell variable. Treating it as "not given" would judge the wrong target, or by
 * the wrong rules.
 * @throws UsageError naming the option
 */
function refuseEmptyWords(args: readonly string[]): void {
  for (const [index, arg] of args.entries()) {
    const [, joined, value] = /^(--?[\w-]+)=(.*)$/s.exec(arg) ?? [];
    if (!/^[\s,]*$/.test(value ?? arg)) continue;
    const option = joined ?? args.slice(0, index).findLast((word) => word.startsWith('-'));
    throw new UsageError(
      `${option ?? 'An argument'} is empty.`,
      'Is a shell variable unset? Give a value or omit the option.',
    );
  }
}

/**
 * Thrown to leave the parser once it has found the command. Otherwise yargs would render the whole help, which takes a
 * tenth of the time of a small run.
 */
const CHOSEN = new Error('a command was chosen');

/**
 * Runs the command that the arguments (without the program) name. Commands set the exit code of the process.
 * @throws UsageError for an invalid command line; whatever the command throws
 */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  // Shell completion may pass an empty word.
  if (args[0] !== '--get-yargs-completions') refuseEmptyWords(args);
  let command = (): unknown => undefined;
  let cli = yargs(withStandardInput(args))
    .scriptName('assay')
    .usage(
      '$0 <command>\n\nConformance suite for implementations of the Crypto Market Data Service.',
    );
  for (const one of COMMANDS) {
    const { command: usage, describe } = one;
    // The other commands are needed for the help only.
    const body = args.includes(nameOf(one)) ? await one.load() : undefined;
    const handler = (argv: unknown): never => {
      command = () => body?.handler(argv);
      throw CHOSEN;
    };
    cli = cli.command({ command: usage, describe, ...body, handler } as CommandModule);
  }
  cli
    .demandCommand(1, 'Missing command.')
    .strict()
    .check((argv) => {
      const { key, array } = optionsOf(cli);
      const twice = Object.keys(key).find(
        (name) => name.length > 1 && Array.isArray(argv[name]) && !array.includes(name),
      );
      if (twice === undefined) return true;
      throw new UsageError(
        `--${twice} is given more than once.`,
        'Give the option once; it takes a single value.',
      );
    })
    .exitProcess(false)
    .version(toolVersion())
    .help()
    .alias('help', 'h')
    .completion('completion', 'Print a completion script for bash or zsh')
    .wrap(Math.min(100, columnsIn(process.stdout, 100)))
    .epilogue(
      examplesText({
        '$0 init': 'create a target file for your implementation',
        '$0 run': 'try it against the embedded reference server',
        '$0 run -u https://staging.example/v1': 'read the key from ASSAY_API_KEY',
        '$0 run -t target.yaml --only 4.3': 'run one section, with a target file',
      }),
    )
    .epilogue(
      '\nExit codes: 0 conforms, 1 violates, 2 usage or configuration error, 3 incomplete, 4 bug in Assay, 5 violated under load, 130 interrupted.',
    )
    .fail((message, error) => {
      // yargs reports its own errors either as a message or as an error.
      const problem = error?.name === 'YError' ? error.message : message;
      if (error !== undefined && error !== null && error.name !== 'YError') throw error;
      const commands = [...COMMANDS.map(nameOf), 'completion'];
      throw usageError(problem, args, Object.keys(optionsOf(cli).key), commands);
    });
  try {
    await cli.parseAsync();
  } catch (error) {
    if (error !== CHOSEN) throw error;
  }
  await command();
}
