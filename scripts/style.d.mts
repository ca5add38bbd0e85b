export const PHRASES: readonly { pattern: RegExp; instead: string }[];
/** Every use of a phrase in a file, as `file:line: "phrase" -> better wording`. */
export function uses(file: string, text: string): string[];
