/** Heading of the examples of a command. */
export const EXAMPLES = 'Examples:';

/**
 * An example as the help of a command shows it: what it is for below the command, and not beside it, where the parser
 * would break commands that are longer than half a line. A command that is broken cannot be copied.
 */
export const example = (command: string, purpose: string): string =>
  `  ${command}\n      ${purpose}`;
