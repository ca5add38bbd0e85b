/** The whole number that the digits of a text stand for; null for any other text, and when there is none. */
export function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
