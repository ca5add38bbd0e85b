/** Delete and the C1 controls, which JSON lets stand as they are and some terminals obey. */
const CONTROLS = /[\u007f-\u009f]/g;

/** A value as JSON that can be shown in a terminal: every control character in it is escaped. */
export function jsonText(value: unknown, indent = 2): string {
  return JSON.stringify(value, null, indent).replace(
    CONTROLS,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  );
}
