import { suggestion } from '../text/closest-name.ts';
import { UsageError } from './errors.ts';

/**
 * Turns an error of the parser into one that suggests what was probably meant.
 * @param args words of the command line, without the program
 * @param options of the command, long and short, without dashes
 */
export function usageError(
  message: string,
  args: readonly string[],
  options: readonly string[],
  commands: readonly string[],
): UsageError {
  const command = args.find((word) => commands.includes(word));
  const help = `\`assay ${command === undefined ? '' : `${command} `}--help\` lists the options.`;
  const unknown = /^Unknown (?:arguments?|commands?): (.+)$/.exec(message)?.[1]?.split(', ');
  if (unknown !== undefined || message.startsWith('Did you mean ')) {
    const [first = args[0] ?? ''] = unknown ?? [];
    const isOption = args.some((word) => word.replace(/=.*$/s, '') === dashed(first));
    if (isOption) {
      const long = options.filter((option) => option.length > 1);
      const near = suggestion(first.replace(/^no-/, ''), long, dashed);
      return new UsageError(`Unknown argument: ${first}`, `${near}${help}`);
    }
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

const dashed = (name: string): string => (name.length === 1 ? `-${name}` : `--${name}`);
