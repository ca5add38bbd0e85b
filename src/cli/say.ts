/** Prints one line for the user. */
export const sayLine = (line: string): void => void process.stdout.write(`${line}\n`);
