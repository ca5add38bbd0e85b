import { ENDPOINTS, type Endpoint } from '../spec/endpoints.ts';
import { looksRandom } from '../http/secrets.ts';

/** Parameters of the interface, and the one that names what a search is for (§4.7): their values are data. */
export const PLAIN_PARAMETERS: ReadonlySet<string> = new Set([
  ...Object.values<Endpoint>(ENDPOINTS).flatMap(({ query }) => Object.keys(query)),
  'keyword',
]);

/** What stands in place of a value. */
type Mark = (value: string) => string;

const WORDS = 'token|secret|passw(?:or)?d|key|session(?:[-_]?id)?|sig|signature|credential|jwt';
/** Ends of the names of members of JSON and of parameters that hold credentials, and the words before one in a header. */
const LEADS = [
  `"[\\w.-]*(?:${WORDS}|authorization|cookie)"\\s*:\\s*"`,
  `[?&;][\\w.-]*(?:${WORDS}|key-pair-id)=`,
  '\\b(?:bearer|basic) +',
].join('|');
const JSON_WEB_TOKEN = '(?<![\\w-])eyJ[\\w-]{8,}\\.eyJ[\\w-]{8,}(?:\\.[\\w-]+)*';
const NAMED = new RegExp(`(${LEADS})([^"'\\s&<>\\\\]{6,4096})|${JSON_WEB_TOKEN}`, 'gi');
/** Leads that nothing else follows; a `key` or a `token` may well be the name of a chart or a coin. */
const SURE =
  /passw|secret|credential|authorization|cookie|jwt|(?:access|api|auth|private)[-_]?key|(?:access|auth|csrf|id|refresh|security|session)[-_]?token/i;

// No two parts of these can match the same characters, so that a hostile text takes no longer than another one.
const LOGIN = /(\/\/)[^\s/?#"'<>@:\\]+:[^\s/?#"'<>@\\]*(?=@)/g;
const PARAMETER = /([?&]([^=&?#\s"'<>]*)=)([^&#\s"'<>]+)/g;
const MATRIX = /(;[^=/;?#]+=)([^/;?#]+)/g;
/** A mark, which stays as it is, or a run of characters that may be a credential. */
const TOKEN = /\[redacted[\w:-]*\]|[\w.~+/=-]{8,}/g;

/** The text without the credentials that it names as such, and without logins in URLs. */
export function withoutNamed(text: string, mark: Mark): string {
  const shown = text.includes('@') ? text.replaceAll(LOGIN, '$1[redacted]') : text;
  return shown.replaceAll(NAMED, (whole: string, lead?: string, value = '') => {
    if (lead === undefined) return mark(whole);
    return SURE.test(lead) || looksRandom(value) ? lead + mark(value) : whole;
  });
}

/** The text without the values of parameters that the interface does not have, and without anything random. */
export function withoutRandom(text: string, mark: Mark): string {
  return text
    .replaceAll(PARAMETER, (whole: string, lead: string, name: string, value: string) =>
      PLAIN_PARAMETERS.has(name) ? whole : lead + mark(value),
    )
    .replaceAll(TOKEN, (token) =>
      token.startsWith('[') || !looksRandom(token) ? token : mark(token),
    );
}

/** The path without the values of its parameters, as in `;jsessionid=…`. */
export function withoutMatrix(path: string, mark: Mark): string {
  return path.replaceAll(MATRIX, (_, lead: string, value: string) => lead + mark(value));
}
