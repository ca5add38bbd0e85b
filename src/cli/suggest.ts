import { suggestion } from '../text/closest-name.ts';
import { UsageError } from './errors.ts';

/** A command line that the parser refused. */
export interface Refused {
  readonly message: string;
  /** Words of the command line, without the program. */
  readonly args: readonly string[];
  /** Options of the command, long and short, without dashes. */
  readonly options: readonly string[];
  readonly commands: readonly string[];
}

/** Turns an error of the parser into one that suggests what was probably meant. */
export function usageError({ message, args, options, commands }: Refused): UsageError {
  const command = args.find((word) => commands.includes(word));
  const help = `\`assay ${command === undefined ? '' : `${command} `}--help\` lists the options.`;
  const unknown = /^Unknown (?:arguments?|commands?): (.+)$/.exec(message)?.[1]?.split(', ');
  if (unknown !== undefined || message.startsWith('Did you mean ')) {
    const [first = args[0] ?? ''] = unknown ?? [];
    const isOption = args.some((word) => word.replace(/=.*$/s, '') === dashed(first));
    if (isOption) return unknownOption(first, options, help);
    if (command === undefined) {
      return new UsageError(`Unknown command "${first}".`, `${suggestion(first, commands)}${help}`);
    }
    return new UsageError(`\`assay ${command}\` does not take "${first}".`, help);
  }
  const choice = /Argument: ([\w-]+), Given: "?(.*?)"?, Choices: (.+)/.exec(message);
  if (choice !== null) {
    const [, option = '', given = '', list = ''] = choice;
    const choices = [...list.matchAll(/"([^"]*)"/g)].map(([, name]) => name ?? '');
    const name = options.includes(option) ? dashed(option) : option;
    return new UsageError(
      `${name} takes ${choices.join(', ')}, not "${given}".`,
      `${suggestion(given, choices)}${help}`,
    );
  }
  const few = /^Not enough non-option arguments: got (\d+), need at least (\d+)/.exec(message);
  if (few !== null && command !== undefined) {
    const [, got = '0', need = '1'] = few;
    const given = got === '0' ? 'none was given' : `only ${got} was given`;
    return new UsageError(
      `\`assay ${command}\` needs ${need === '1' ? 'an argument' : `${need} arguments`}; ${given}.`,
      help,
    );
  }
  const valueless = /^Not enough arguments following: ([\w-]+)/.exec(message)?.[1];
  if (valueless !== undefined) return new UsageError(`${dashed(valueless)} needs a value.`, help);
  return new UsageError(message, help);
}

function unknownOption(name: string, options: readonly string[], help: string): UsageError {
  const long = options.filter((option) => option.length > 1);
  return new UsageError(
    `Unknown argument: ${name}`,
    `${suggestion(name.replace(/^no-/, ''), long, dashed)}${help}`,
  );
}

const dashed = (name: string): string => (name.length === 1 ? `-${name}` : `--${name}`);
