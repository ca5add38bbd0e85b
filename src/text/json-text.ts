/** DEL and the C1 controls, which JSON does not escape and some terminals interpret. */
const CONTROLS = /[\u007f-\u009f]/g;

/** JSON for a terminal: all control characters are escaped. */
export function jsonText(value: unknown, indent = 2): string {
  return JSON.stringify(value, null, indent).replace(
    CONTROLS,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  );
}
