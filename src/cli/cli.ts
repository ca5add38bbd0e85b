import { example, EXAMPLES } from './examples.ts';
import yargs from 'yargs';
import type { CommandModule } from 'yargs';
import { columnsIn } from '../report/terminal/console.ts';
import { toolVersion } from '../run/version.ts';
import { bodyOf, COMMANDS, nameOf, type CommandBody } from './commands.ts';
import { UsageError } from './errors.ts';
import { STANDARD_INPUT } from './standard-input.ts';
import { usageError } from './suggest.ts';

/** What the parser knows of options; yargs has it, its types do not. */
interface KnowsOptions {
  getOptions(): {
    readonly key: Readonly<Record<string, unknown>>;
    /** Names of the options that may be repeated. */
    readonly array: readonly string[];
  };
}

const optionsOf = (parser: unknown): ReturnType<KnowsOptions['getOptions']> =>
  (parser as KnowsOptions).getOptions();

/**
 * The parser drops a `-` among the positionals. Where it is no value of an option it stands for standard input, and gets a
 * name that no file has.
 */
const withStandardInput = (args: readonly string[]): string[] =>
  args.map((arg, at) => {
    const before = args[at - 1] ?? '';
    const isValue = before.startsWith('-') && before !== '--verbose';
    return arg === '-' && !isValue ? STANDARD_INPUT : arg;
  });

/**
 * An empty word is a variable of the shell that is not set. To read it as "not given" would judge another target, or by other
 * rules, than was meant.
 * @throws UsageError naming the option that it belongs to
 */
function refuseEmptyWords(args: readonly string[]): void {
  for (const [index, arg] of args.entries()) {
    const [, joined, value] = /^(--?[\w-]+)=(.*)$/s.exec(arg) ?? [];
    if (!/^[\s,]*$/.test(value ?? arg)) continue;
    const option = joined ?? args.slice(0, index).findLast((word) => word.startsWith('-'));
    throw new UsageError(
      `${option ?? 'An argument'} is empty.`,
      'Is a variable of the shell not set? Give a value, or leave the option out.',
    );
  }
}

/**
 * Thrown to leave the parser when it has come to a command. It would write out the whole help after that, for nobody: a
 * tenth of the time of a small run.
 */
const CHOSEN = new Error('a command was chosen');

const NOTHING: CommandBody<object> = { handler: () => undefined };

/**
 * Runs the command that the words name (without the program). Commands set the exit code of the process.
 * @throws UsageError for words that are no command line; whatever the command throws
 */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  // A shell that completes a word may have none yet.
  if (args[0] !== '--get-yargs-completions') refuseEmptyWords(args);
  let command = (): unknown => undefined;
  let cli = yargs(withStandardInput(args))
    .scriptName('assay')
    .usage(
      '$0 <command>\n\nConformance suite for implementations of the Crypto Market Data Service.',
    );
  for (const one of COMMANDS) {
    const { command: usage, describe } = one;
    // Those that are not called stand in the help only.
    const body = args.includes(nameOf(one)) ? await bodyOf(one) : NOTHING;
    const handler: typeof body.handler = (argv) => {
      command = () => body.handler(argv);
      throw CHOSEN;
    };
    cli = cli.command({ command: usage, describe, ...body, handler } as CommandModule);
  }
  cli
    .demandCommand(1, 'Name a command.')
    .strict()
    .check((argv) => {
      const { key, array } = optionsOf(cli);
      const twice = Object.keys(key).find(
        (name) => name.length > 1 && Array.isArray(argv[name]) && !array.includes(name),
      );
      if (twice === undefined) return true;
      throw new UsageError(
        `--${twice} was given more than once.`,
        'Give it once: one value counts.',
      );
    })
    .exitProcess(false)
    .version(toolVersion())
    .help()
    .alias('help', 'h')
    .completion('completion', 'Print a completion script for bash or zsh')
    .wrap(Math.min(100, columnsIn(process.stdout, 100)))
    .epilogue(EXAMPLES)
    .epilogue(example('$0 init', 'write a target file for an implementation of yours'))
    .epilogue(example('$0 run', 'try it: against the embedded reference server'))
    .epilogue(example('$0 run -u https://staging.example/v1', 'with the key in ASSAY_API_KEY'))
    .epilogue(example('$0 run -t target.yaml --only 4.3', 'one section, with a target file'))
    .epilogue(
      'Exit codes: 0 conforms, 1 violates, 2 usage or configuration, 3 no verdict, 4 fault of Assay, 5 load thresholds, 130 interrupted.',
    )
    .fail((message, error) => {
      // Complaints of the parser itself arrive now as a message, now as an error.
      const complaint = error?.name === 'YError' ? error.message : message;
      if (error !== undefined && error !== null && error.name !== 'YError') throw error;
      throw usageError({
        message: complaint,
        words: args,
        options: Object.keys(optionsOf(cli).key),
        commands: [...COMMANDS.map(nameOf), 'completion'],
      });
    });
  try {
    await cli.parseAsync();
  } catch (error) {
    if (error !== CHOSEN) throw error;
  }
  await command();
}
