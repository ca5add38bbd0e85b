/** True for an absolute http(s) URL or the empty string, which stands for "none" where a link is always sent. */
export function isLinkOrEmpty(value: string): boolean {
  return value === '' || /^https?:\/\/[^\s/?#]+/i.test(value);
}
