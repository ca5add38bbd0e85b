export const TURNS: readonly { pattern: RegExp; instead: string }[];
/** Every use of a turn in a file, as `file:line: "turn" -> better wording`. */
export function uses(file: string, text: string): string[];
