import { randomBytes } from 'node:crypto';
import type { KeyRole } from '../spec/exchange.ts';
import { ENDPOINT_PATHS } from '../spec/endpoints.ts';
import { KEY_HEADER } from '../spec/limits.ts';
import {
  credentialParts,
  decoded,
  isCommon,
  isPlainHeader,
  isSecretName,
  looksRandom,
} from '../http/secrets.ts';
import { REQUIREMENT_TEXTS } from '../requirements/texts.ts';
import { joinedHeaders } from '../text/header-value.ts';
import { keyFault, shortDigest } from '../target/keys.ts';
import { issuedKeys, type TargetKeys } from '../target/target.ts';
import { habitsOf, isCredentialName, type Field } from './key-elsewhere.ts';
import {
  piecesOf,
  PLAIN_PARAMETERS,
  withoutMatrix,
  withoutNamed,
  withoutRandom,
} from './in-texts.ts';
import { hiddenBy, recentSecrets, type Hidden } from './recent-secrets.ts';

/** Texts in every report. */
const ORDINARY = [...ENDPOINT_PATHS, ...REQUIREMENT_TEXTS].join('\n').toLowerCase();

/** Maximum number of credentials of each kind to redact everywhere; others are redacted in their exchange only. */
const MOST_SECRETS = 60;
/** Maximum number and length of values to remember, to detect repeated ones. */
const MOST_SEEN = 20_000;
const LONGEST_SEEN = 4096;
/** After this many requests with different signatures, none is expected to repeat. */
const MANY = 20;

/** Placeholders that tools and people use instead of a key. */
const PLACEHOLDER = /^[[<({*"']|redact|hidden|removed|masked|sanitiz|^x{4,}$|^\.+$|•|…/i;
const MARK = /^\[redacted(?::k:[0-9a-f]{8}|:\d+-chars:[0-9a-f]{8})?\]$/;

/** A request as it was sent. */
export interface Sent {
  readonly requestHeaders: Headers;
  readonly url: URL;
  readonly hasAllHeaders: boolean;
}

/** The key of a request. */
export interface Identity {
  /** `none`: no key. Unknown keys have the role `valid`. */
  readonly role: KeyRole;
  /** Salted fingerprint; null without a key, or when it cannot be distinguished from others. */
  readonly fingerprint: string | null;
}

export interface SecretsOptions {
  readonly keyHeader?: string | undefined;
  readonly keys?: TargetKeys | undefined;
  /** Request headers to show in addition to harmless ones. */
  readonly showHeaders?: readonly string[] | undefined;
  /** Base URL of the service, whose parts are never redacted. */
  readonly baseUrl?: string | undefined;
  /** True for live traffic, where each request is noted just before it is redacted. */
  readonly recent?: boolean;
  /** Salt of the fingerprints of live traffic; default: random. */
  readonly salt?: string | undefined;
}

interface Value extends Field {
  readonly isKey: boolean;
}

/** Names and values as sent. */
export type Headers = readonly (readonly [string, string])[];

/** The credentials of recorded or live traffic. */
export type Secrets = ReturnType<typeof secretsIn>;

/**
 * Redacts recorded traffic. Values of request headers and parameters are hidden unless they are known to be harmless;
 * credentials are collected in the first pass and redacted everywhere in the second.
 */
export function secretsIn(options: SecretsOptions = {}) {
  const {
    keyHeader = KEY_HEADER,
    keys: givenKeys = {},
    salt = randomBytes(16).toString('hex'),
  } = options;
  /** Salt of the digests of other values. Never written, because such values may be easy to guess. */
  const pepper = randomBytes(16);
  const shown = new Set(options.showHeaders?.map((name) => name.toLowerCase()));
  const recent = options.recent === true ? recentSecrets() : null;
  const given = issuedKeys(givenKeys).map(({ key }) => key);
  const keys = new Set<string>();
  /** Other credentials, with their number of occurrences. */
  const others = new Map<string, number>();
  const seen = new Set<string>();
  const habits = habitsOf();
  /** Origins with at least one key header. */
  const keyed = new Set<string>();
  /** Credentials of the current request, with their replacements. */
  let own: readonly (readonly [string, string])[] = [];
  let hidden: Hidden | null = null;
  let baseUrl = options.baseUrl ?? '';

  const fingerprintOf = (key: string): string => `k:${shortDigest(key, salt)}`;
  const keyMark = (key: string): string => `[redacted:${fingerprintOf(key)}]`;
  /** Replacement of a value, which shows its length and whether two values are equal. */
  const mark = (value: string): string =>
    value === '' || MARK.test(value)
      ? value
      : `[redacted:${value.length}-chars:${shortDigest(value, pepper)}]`;
  /** Names are shown unless they are random, like a value without a name. */
  const nameOf = (name: string): string => (looksRandom(name) ? mark(name) : name);
  const isKeyHeader = (name: string): boolean => name.toLowerCase() === keyHeader.toLowerCase();
  /** True for text that is in reports anyway. */
  const isReserved = (value: string): boolean => {
    const folded = value.toLowerCase();
    if (!/^[\x21-\x7e]+$/.test(value) || ORDINARY.includes(folded)) return true;
    return baseUrl.toLowerCase().includes(folded);
  };
  const valuesOf = (headers: Headers, url: URL): readonly Value[] => [
    ...headers.flatMap(([name, value]) => {
      const isKey = isKeyHeader(name);
      if (!isKey && (isPlainHeader(name) || shown.has(name.toLowerCase()))) return [];
      const words = credentialParts(value);
      const parts = isKey ? [...new Set([value, ...words])] : words;
      return { ...valueOf('header', name, value), isKey, parts };
    }),
    ...piecesOf(url)
      .filter(({ name }) => !PLAIN_PARAMETERS.has(name))
      // A parameter without a value may itself be a credential.
      .map(({ name, value }) =>
        value === '' ? valueOf('parameter', '', name) : valueOf('parameter', name, value),
      ),
    ...[url.username, url.password]
      .filter((part) => part !== '')
      .map((part) => ({ ...valueOf('login', '', decoded(part)), isCredentialName: true })),
  ];
  /** True for a value to redact everywhere: named like a credential, or random and seen before. */
  const isCredential = (value: Value, part: string, again: Set<string>): boolean => {
    if (isCommon(part) || PLACEHOLDER.test(part) || part.length > LONGEST_SEEN) return false;
    if (value.isKey) return true;
    if (!looksRandom(part) && (!value.isCredentialName || /cookie/i.test(value.name))) return false;
    again.add(part);
    return seen.has(part) || (value.isCredentialName && !habits.differs(value, MANY));
  };
  const add = (value: string, isKey: boolean): void => {
    if (recent !== null) {
      if (!isReserved(value)) recent.note(value, isKey ? keyMark(value) : mark(value));
    } else if (isKey) {
      if (keys.size < MOST_SECRETS) keys.add(value);
    } else if (others.size < MOST_SEEN || others.has(value)) {
      others.set(value, (others.get(value) ?? 0) + 1);
    }
  };
  /** Credentials to redact in all encodings, with their replacements. */
  const sought = (): readonly (readonly [string, string])[] => {
    const usable = (value: string): boolean => !isReserved(value);
    const all = new Set([...given, ...[...keys].filter(usable)]);
    const rest = [...others]
      .toSorted(([, a], [, b]) => b - a)
      .flatMap(([value]) => (all.has(value) ? [] : value))
      .slice(0, MOST_SECRETS)
      .filter(usable);
    return [
      ...[...all].map((key) => [key, keyMark(key)] as const),
      ...rest.map((value) => [value, mark(value)] as const),
    ];
  };
  const inAllEncodings = (): Hidden => (hidden ??= hiddenBy(sought()));
  /** Redacts known credentials, and credentials named in the text. */
  const redact = (text: string): string => {
    let kept = recent?.redact(text) ?? inAllEncodings().redactor.redact(text);
    for (const [value, replacement] of own) {
      if (kept.includes(value)) kept = kept.replaceAll(value, () => replacement);
    }
    return withoutNamed(kept, mark);
  };
  /** Also redacts anything random; for texts that are not evidence, such as harmless headers. */
  const redactStrictly = (text: string): string => withoutRandom(redact(text), mark);
  /** Redacts a path, or the value of a path parameter. */
  const path = (text: string): string => withoutMatrix(redact(text), mark);
  const headersOf = (headers: Headers, show: (name: string, value: string) => string) => {
    const isPlainKey = isKeyHeader(KEY_HEADER);
    return joinedHeaders(
      headers.map(([name, value]) => [
        isPlainKey && isKeyHeader(name) ? KEY_HEADER : nameOf(name),
        show(name, value),
      ]),
    );
  };
  for (const key of given) recent?.note(key, keyMark(key));
  return {
    /** Salt of the key fingerprints. */
    salt,
    /** Fingerprints of the keys in the target file. */
    issued: new Set(given.map(fingerprintOf)),
    isKeyHeader,
    redact,
    redactStrictly,
    path,
    locate(url: string): void {
      baseUrl = url;
      hidden = null;
    },
    /** Collects the credentials of a request. */
    note(headers: Headers, url: URL): void {
      recent?.begin();
      hidden = null;
      const values = valuesOf(headers, url);
      const hasKey = values.some(({ isKey }) => isKey);
      if (hasKey) keyed.add(url.origin);
      const again = new Set<string>();
      for (const value of values) {
        if (!value.isKey) habits.note(value, hasKey);
        for (const part of value.parts) {
          if (isCredential(value, part, again)) add(part, value.isKey);
        }
      }
      if (seen.size >= MOST_SEEN) seen.clear();
      for (const part of again) seen.add(part);
    },
    /** Starts a request, whose values are redacted in everything until the next one. */
    begin(headers: Headers, url: URL): void {
      own = valuesOf(headers, url).flatMap(({ isKey, isCredentialName: named, parts }) =>
        parts
          .filter((part) => (isKey || named ? !isCommon(part) : looksRandom(part)))
          .filter((part) => !PLACEHOLDER.test(part) && !isReserved(part))
          .map((part) => [part, isKey ? keyMark(part) : mark(part)] as const),
      );
    },
    /** Identifies the key of a request. To be called after all requests were noted. */
    identify({ requestHeaders: headers, url, hasAllHeaders }: Sent): Identity {
      const value = headers.find(([name]) => isKeyHeader(name))?.[1];
      if (value === undefined) {
        // A tool may omit all key headers, and other credentials may serve as the key.
        const mayBeKeys = valuesOf(headers, url).filter((one) => habits.mayBeKey(one));
        for (const one of mayBeKeys) habits.insteadOfKey(one);
        // Live traffic has all headers; recordings without any key header may lack them.
        const isKeyed = recent !== null || keyed.has(url.origin);
        const isKeyless = hasAllHeaders && isKeyed && mayBeKeys.length === 0;
        return { role: isKeyless ? 'none' : 'valid', fingerprint: null };
      }
      // Recordings may be redacted already; live traffic never is.
      const fingerprint = /\bk:[0-9a-f]{8}\b/.exec(value)?.[0];
      if (fingerprint !== undefined && recent === null) return { role: 'valid', fingerprint };
      if (value === '' || PLACEHOLDER.test(value) || keyFault(value) !== undefined)
        return { role: 'valid', fingerprint: null };
      const known = issuedKeys({ ...givenKeys, valid: [] }).find(({ key }) => key === value);
      return { role: known?.role ?? 'valid', fingerprint: fingerprintOf(value) };
    },
    /** Messages about requests without the key header that may have a key elsewhere. */
    keysElsewhere: (how: (header: string) => string): readonly string[] =>
      habits.sentences(keyHeader, how),
    /** True when a redacted text still contains a credential in nested encodings. */
    leaks: (redacted: string): boolean =>
      recent?.leaks(redacted) ?? inAllEncodings().scan.scan(redacted) !== null,
    /** Redacts request headers and normalises the case of the key header, which tools and HTTP/2 change. */
    requestHeaders: (headers: Headers): Record<string, string> =>
      headersOf(headers, (name, value) => {
        if (isKeyHeader(name)) {
          const redacted = redact(value);
          return redacted === value ? mark(value) : redacted;
        }
        if (shown.has(name.toLowerCase())) return redact(value);
        return isPlainHeader(name) ? redactStrictly(value) : mark(value);
      }),
    /** Redacts response headers. Only credentials are hidden, because the rules need the other headers. */
    responseHeaders: (headers: Headers): Record<string, string> =>
      headersOf(headers, (name, value) =>
        isSecretName(name) ? mark(value) : redactStrictly(value),
      ),
    url(url: URL): string {
      const query = piecesOf(url).map(({ raw, name, value }) => {
        if (PLAIN_PARAMETERS.has(name)) return redact(raw);
        const [text = '', ...rest] = raw.split('=');
        const lead = looksRandom(name) ? mark(name) : text;
        return rest.length === 0 ? lead : `${lead}=${mark(value)}`;
      });
      const whole = path(`${url.origin}${url.pathname}`);
      return query.length === 0 ? whole : `${whole}?${query.join('&')}`;
    },
    query: (url: URL): readonly (readonly [string, string])[] =>
      piecesOf(url).map(({ name, value }) =>
        PLAIN_PARAMETERS.has(name)
          ? ([name, redact(value)] as const)
          : ([nameOf(name), mark(value)] as const),
      ),
    /** All known credentials, with names that may be shown, for the final scan of reports. */
    listed(): readonly { readonly name: string; readonly value: string }[] {
      const noted = recent?.listed() ?? sought().map(([value]) => value);
      return [...new Set([...noted, ...given])].map((value, index) => ({
        name: `credential ${index + 1} of the recording`,
        value,
      }));
    },
  };
}

const valueOf = (kind: Field['kind'], name: string, value: string): Value => ({
  kind,
  name,
  value,
  parts: [value],
  isKey: false,
  isCredentialName: isCredentialName(name),
});
