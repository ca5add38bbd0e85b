/** Epoch ms of an HTTP date (RFC 9110, section 5.6.7); NaN for anything else that `Date.parse` might accept. */
export function httpDate(text: string | undefined): number {
  return text !== undefined &&
    /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
}
