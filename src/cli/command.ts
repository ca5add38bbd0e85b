import type {
  Argv,
  InferredOptionType,
  InferredOptionTypes,
  Options,
  PositionalOptions,
} from 'yargs';
import { FORMATS } from '../report/formats.ts';

/** Options by name, in the order of `--help`. */
export type OptionTable = Readonly<Record<string, Options>>;

/** The values of a table of options. */
export type ValuesOf<Table extends OptionTable> = InferredOptionTypes<Table>;

/** An option with a text. */
export const string = <const More extends Options = object>(describe: string, more?: More) =>
  ({ type: 'string', requiresArg: true, describe, ...(more as More) }) as const;

/** An option with texts: it may be repeated. */
export const strings = <const More extends Options = object>(describe: string, more?: More) =>
  ({ type: 'string', array: true, requiresArg: true, describe, ...(more as More) }) as const;

export const number = <const More extends Options = object>(describe: string, more?: More) =>
  ({ type: 'number', requiresArg: true, describe, ...(more as More) }) as const;

/** A switch, off by default. */
export const toggle = <const More extends Options = object>(describe: string, more?: More) =>
  ({ type: 'boolean', default: false, describe, ...(more as More) }) as const;

/** A switch that is on by default. */
export const toggleOn = (describe: string) =>
  ({ type: 'boolean', default: true, describe }) as const;

export const inGroup = <Table extends OptionTable>(group: string, options: Table): Table =>
  Object.fromEntries(
    Object.entries(options).map(([name, option]) => [name, { ...option, group }]),
  ) as Table;

/** What reports a command can write. */
export const REPORTS_TO_WRITE = `Reports to write: ${FORMATS.join(', ')}`;

/**
 * Examples for the help of a command: command lines (`$0` is the program) with their purposes. A purpose goes on its own
 * line: yargs would put it next to the command and wrap long commands, which then cannot be copied.
 */
export type Examples = Readonly<Record<string, string>>;

export const examplesText = (examples: Examples): string =>
  [
    'Examples:',
    ...Object.entries(examples).map(([command, purpose]) => `  ${command}\n      ${purpose}`),
  ].join('\n');

type PositionalTable = Readonly<Record<string, PositionalOptions>>;

interface Parts<Table extends OptionTable, Positionals extends PositionalTable> {
  readonly options: Table;
  readonly positionals?: Positionals;
  readonly examples: Examples;
  readonly footer?: string;
  /** Returns the exit code, or nothing after success. */
  readonly handler: (
    argv: ValuesOf<Table> &
      ([Positionals] extends [never]
        ? unknown
        : { [Name in keyof Positionals]: InferredOptionType<Positionals[Name]> }),
  ) => Promise<number | void>;
}

/** Options and handler of a command, as yargs takes them. */
export interface CommandBody {
  readonly builder: (yargs: Argv) => Argv;
  readonly handler: (argv: unknown) => void | Promise<void>;
}

export function commandBody<
  const Table extends OptionTable,
  const Positionals extends PositionalTable = never,
>({ options, positionals, examples, footer, handler }: Parts<Table, Positionals>): CommandBody {
  return {
    builder: (yargs) => {
      for (const [name, one] of Object.entries(positionals ?? {})) yargs.positional(name, one);
      yargs.options(options).epilogue(examplesText(examples));
      return footer === undefined ? yargs : yargs.epilogue(footer);
    },
    handler: async (argv) => {
      process.exitCode = (await handler(argv as Parameters<typeof handler>[0])) ?? 0;
    },
  };
}
