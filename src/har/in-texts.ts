import { endpoint, ENDPOINT_PATHS } from '../spec/endpoints.ts';
import { looksRandom } from '../http/secrets.ts';

/** Parameters of the service, including the usual search parameter (§4.7): their values are not secret. */
export const PLAIN_PARAMETERS: ReadonlySet<string> = new Set([
  ...ENDPOINT_PATHS.flatMap((path) => Object.keys(endpoint(path).query)),
  'keyword',
]);

type Redact = (value: string) => string;

const WORDS = 'token|secret|passw(?:or)?d|key|session(?:[-_]?id)?|sig|signature|credential|jwt';
/** What precedes credentials: names of JSON members and parameters, and schemes in headers. */
const LEADS = [
  `"[\\w.-]*(?:${WORDS}|authorization|cookie)"\\s*:\\s*"`,
  `[?&;][\\w.-]*(?:${WORDS}|key-pair-id)=`,
  '\\b(?:bearer|basic) +',
].join('|');
const JSON_WEB_TOKEN = '(?<![\\w-])eyJ[\\w-]{8,}\\.eyJ[\\w-]{8,}(?:\\.[\\w-]+)*';
const NAMED = new RegExp(`(${LEADS})([^"'\\s&<>\\\\]{6,4096})|${JSON_WEB_TOKEN}`, 'gi');
/** Names that always mean credentials; a `key` or `token` may also be the name of a chart or a coin. */
const SURE =
  /passw|secret|credential|authorization|cookie|jwt|(?:access|api|auth|private)[-_]?key|(?:access|auth|csrf|id|refresh|security|session)[-_]?token/i;

// Parts of these never match the same characters, to avoid catastrophic backtracking.
const LOGIN = /(\/\/)[^\s/?#"'<>@:\\]+:[^\s/?#"'<>@\\]*(?=@)/g;
const PARAMETER = /([?&]([^=&?#\s"'<>]*)=)([^&#\s"'<>]+)/g;
const MATRIX = /(;[^=/;?#]+=)([^/;?#]+)/g;
/** An existing mark, or a run of characters that may be a credential. */
const TOKEN = /\[redacted[\w:-]*\]|[\w.~+/=-]{8,}/g;

/** Removes named credentials and logins in URLs. */
export function withoutNamed(text: string, redact: Redact): string {
  const shown = text.includes('@') ? text.replaceAll(LOGIN, '$1[redacted]') : text;
  return shown.replaceAll(NAMED, (whole: string, lead?: string, value = '') => {
    if (lead === undefined) return redact(whole);
    return SURE.test(lead) || looksRandom(value) ? lead + redact(value) : whole;
  });
}

/** Removes values of unknown parameters, and anything random. */
export function withoutRandom(text: string, redact: Redact): string {
  return text
    .replaceAll(PARAMETER, (whole: string, lead: string, name: string, value: string) =>
      PLAIN_PARAMETERS.has(name) ? whole : lead + redact(value),
    )
    .replaceAll(TOKEN, (token) =>
      token.startsWith('[') || !looksRandom(token) ? token : redact(token),
    );
}

/** Removes values of matrix parameters, as in `;jsessionid=…`. */
export function withoutMatrix(path: string, redact: Redact): string {
  return path.replaceAll(MATRIX, (_, lead: string, value: string) => lead + redact(value));
}

/** The parameters of a query, raw and decoded. */
export function piecesOf(url: URL): readonly { raw: string; name: string; value: string }[] {
  return url.search
    .slice(1)
    .split('&')
    .filter((raw) => raw !== '')
    .map((raw) => {
      const [[name, value] = ['', '']] = new URLSearchParams(raw);
      return { raw, name, value };
    });
}
