export const EXAMPLES = 'Examples:';

/**
 * An example for the help of a command. The purpose goes on its own line: yargs would put it next to the command and
 * wrap long commands, which then cannot be copied.
 */
export const example = (command: string, purpose: string): string =>
  `  ${command}\n      ${purpose}`;
