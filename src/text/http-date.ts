/** Epoch ms of a date in the form that HTTP sends (RFC 9110, section 5.6.7); NaN for anything else, which `Date.parse` might take. */
export function httpDate(text: string | undefined): number {
  return text !== undefined &&
    /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
}
