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
import { Habits, isCredentialName, type Field } from './key-elsewhere.ts';
import {
  piecesOf,
  PLAIN_PARAMETERS,
  withoutMatrix,
  withoutNamed,
  withoutRandom,
} from './in-texts.ts';
import { hiddenBy, RecentSecrets, type Hidden } from './recent-secrets.ts';

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

/**
 * Redacts recorded traffic. Values of request headers and parameters are hidden unless they are known to be harmless;
 * credentials are collected in the first pass and redacted everywhere in the second.
 */
export class Secrets {
  readonly salt: string;
  /** Salt of the digests of other values. Never written, because such values may be easy to guess. */
  readonly #pepper = randomBytes(16);
  readonly #options: SecretsOptions;
  readonly #shown: ReadonlySet<string>;
  readonly #recent: RecentSecrets | null;
  readonly #keys = new Set<string>();
  /** Other credentials, with their number of occurrences. */
  readonly #others = new Map<string, number>();
  readonly #seen = new Set<string>();
  readonly #habits = new Habits();
  /** Origins with at least one key header. */
  readonly #keyed = new Set<string>();
  /** Credentials of the current request, with their replacements. */
  #own: readonly (readonly [string, string])[] = [];
  #hidden: Hidden | null = null;
  #baseUrl: string;

  constructor(options: SecretsOptions = {}) {
    this.#options = options;
    this.salt = options.salt ?? randomBytes(16).toString('hex');
    this.#shown = new Set(options.showHeaders?.map((name) => name.toLowerCase()));
    this.#baseUrl = options.baseUrl ?? '';
    this.#recent = options.recent === true ? new RecentSecrets() : null;
    for (const key of this.#given()) this.#recent?.note(key, this.#keyMark(key));
  }

  isKeyHeader(name: string): boolean {
    return name.toLowerCase() === (this.#options.keyHeader ?? KEY_HEADER).toLowerCase();
  }

  locate(baseUrl: string): void {
    this.#baseUrl = baseUrl;
    this.#hidden = null;
  }

  note(headers: Headers, url: URL): void {
    this.#recent?.begin();
    this.#hidden = null;
    const values = this.#valuesOf(headers, url);
    const hasKey = values.some(({ isKey }) => isKey);
    if (hasKey) this.#keyed.add(url.origin);
    const again = new Set<string>();
    for (const value of values) {
      if (!value.isKey) this.#habits.note(value, hasKey);
      for (const part of value.parts) {
        if (this.#isCredential(value, part, again)) this.#add(part, value.isKey);
      }
    }
    if (this.#seen.size >= MOST_SEEN) this.#seen.clear();
    for (const part of again) this.#seen.add(part);
  }

  /** True for a value to redact everywhere: named like a credential, or random and seen before. */
  #isCredential(value: Value, part: string, again: Set<string>): boolean {
    if (isCommon(part) || PLACEHOLDER.test(part) || part.length > LONGEST_SEEN) return false;
    if (value.isKey) return true;
    if (!looksRandom(part) && (!value.isCredentialName || /cookie/i.test(value.name))) return false;
    again.add(part);
    return this.#seen.has(part) || (value.isCredentialName && !this.#habits.differs(value, MANY));
  }

  #add(value: string, isKey: boolean): void {
    if (this.#recent !== null) {
      if (!this.#isReserved(value)) {
        this.#recent.note(value, isKey ? this.#keyMark(value) : this.#mark(value));
      }
    } else if (isKey) {
      if (this.#keys.size < MOST_SECRETS) this.#keys.add(value);
    } else if (this.#others.size < MOST_SEEN || this.#others.has(value)) {
      this.#others.set(value, (this.#others.get(value) ?? 0) + 1);
    }
  }

  /** True for text that is in reports anyway. */
  #isReserved(value: string): boolean {
    const folded = value.toLowerCase();
    if (!/^[\x21-\x7e]+$/.test(value) || ORDINARY.includes(folded)) return true;
    return this.#baseUrl.toLowerCase().includes(folded);
  }

  /** Starts a request, whose values are redacted in everything until the next one. */
  begin(headers: Headers, url: URL): void {
    this.#own = this.#valuesOf(headers, url).flatMap(({ isKey, isCredentialName: named, parts }) =>
      parts
        .filter((part) => (isKey || named ? !isCommon(part) : looksRandom(part)))
        .filter((part) => !PLACEHOLDER.test(part) && !this.#isReserved(part))
        .map((part) => [part, isKey ? this.#keyMark(part) : this.#mark(part)] as const),
    );
  }

  /** Identifies the key of a request. To be called after all requests were noted. */
  identify({ requestHeaders: headers, url, hasAllHeaders }: Sent): Identity {
    const value = headers.find(([name]) => this.isKeyHeader(name))?.[1];
    if (value === undefined) {
      // A tool may omit all key headers, and other credentials may serve as the key.
      const mayBeKeys = this.#valuesOf(headers, url).filter((one) => this.#habits.mayBeKey(one));
      for (const one of mayBeKeys) this.#habits.insteadOfKey(one);
      // Live traffic has all headers; recordings without any key header may lack them.
      const isKeyed = this.#recent !== null || this.#keyed.has(url.origin);
      const isKeyless = hasAllHeaders && isKeyed && mayBeKeys.length === 0;
      return { role: isKeyless ? 'none' : 'valid', fingerprint: null };
    }
    // Recordings may be redacted already; live traffic never is.
    const fingerprint = /\bk:[0-9a-f]{8}\b/.exec(value)?.[0];
    if (fingerprint !== undefined && this.#recent === null) return { role: 'valid', fingerprint };
    if (value === '' || PLACEHOLDER.test(value) || keyFault(value) !== undefined)
      return { role: 'valid', fingerprint: null };
    const others = issuedKeys({ ...this.#options.keys, valid: [] });
    const role = others.find(({ key }) => key === value)?.role ?? 'valid';
    return { role, fingerprint: this.#fingerprint(value) };
  }

  /** Messages about requests without the key header that may have a key elsewhere. */
  keysElsewhere(how: (header: string) => string): readonly string[] {
    return this.#habits.sentences(this.#options.keyHeader ?? KEY_HEADER, how);
  }

  redact(text: string): string {
    let shown = this.#recent?.redact(text) ?? this.#secrets().redactor.redact(text);
    for (const [value, mark] of this.#own) {
      if (shown.includes(value)) shown = shown.replaceAll(value, () => mark);
    }
    return withoutNamed(shown, this.#mark);
  }

  /** Also redacts anything random; for texts that are not evidence, such as harmless headers. */
  redactStrictly(text: string): string {
    return withoutRandom(this.redact(text), this.#mark);
  }

  /** True when a redacted text still contains a credential in nested encodings. */
  leaks(redacted: string): boolean {
    return this.#recent?.leaks(redacted) ?? this.#secrets().scan.scan(redacted) !== null;
  }

  /** Redacts request headers and normalises the case of the key header, which tools and HTTP/2 change. */
  requestHeaders(headers: Headers): Record<string, string> {
    return this.#headers(headers, (name, value) => {
      if (this.isKeyHeader(name)) {
        const redacted = this.redact(value);
        return redacted === value ? this.#mark(value) : redacted;
      }
      if (this.#shown.has(name.toLowerCase())) return this.redact(value);
      return isPlainHeader(name) ? this.redactStrictly(value) : this.#mark(value);
    });
  }

  /** Redacts response headers. Only credentials are hidden, because the rules need the other headers. */
  responseHeaders(headers: Headers): Record<string, string> {
    return this.#headers(headers, (name, value) =>
      isSecretName(name) ? this.#mark(value) : this.redactStrictly(value),
    );
  }

  #headers(headers: Headers, show: (name: string, value: string) => string) {
    const isPlainKey = this.isKeyHeader(KEY_HEADER);
    return joinedHeaders(
      headers.map(([name, value]) => [
        isPlainKey && this.isKeyHeader(name) ? KEY_HEADER : this.#name(name),
        show(name, value),
      ]),
    );
  }

  url(url: URL): string {
    const query = piecesOf(url).map(({ raw, name, value }) => {
      if (PLAIN_PARAMETERS.has(name)) return this.redact(raw);
      const [shown = '', ...rest] = raw.split('=');
      const lead = looksRandom(name) ? this.#mark(name) : shown;
      return rest.length === 0 ? lead : `${lead}=${this.#mark(value)}`;
    });
    const path = this.path(`${url.origin}${url.pathname}`);
    return query.length === 0 ? path : `${path}?${query.join('&')}`;
  }

  query(url: URL): readonly (readonly [string, string])[] {
    return piecesOf(url).map(({ name, value }) =>
      PLAIN_PARAMETERS.has(name)
        ? ([name, this.redact(value)] as const)
        : ([this.#name(name), this.#mark(value)] as const),
    );
  }

  /** Redacts a path, or the value of a path parameter. */
  path(path: string): string {
    return withoutMatrix(this.redact(path), this.#mark);
  }

  /** Names are shown unless they are random, like a value without a name. */
  #name(name: string): string {
    return looksRandom(name) ? this.#mark(name) : name;
  }

  /** All known credentials, with names that may be shown, for the final scan of reports. */
  listed(): readonly { readonly name: string; readonly value: string }[] {
    const noted = this.#recent?.listed() ?? this.#sought().map(([value]) => value);
    return [...new Set([...noted, ...this.#given()])].map((value, index) => ({
      name: `credential ${index + 1} of the recording`,
      value,
    }));
  }

  #given(): readonly string[] {
    return issuedKeys(this.#options.keys ?? {}).map(({ key }) => key);
  }

  /** Credentials to redact in all encodings, with their replacements. */
  #sought(): readonly (readonly [string, string])[] {
    const usable = (value: string): boolean => !this.#isReserved(value);
    const keys = new Set([...this.#given(), ...[...this.#keys].filter(usable)]);
    const others = [...this.#others]
      .toSorted(([, a], [, b]) => b - a)
      .flatMap(([value]) => (keys.has(value) ? [] : value))
      .slice(0, MOST_SECRETS)
      .filter(usable);
    return [
      ...[...keys].map((key) => [key, this.#keyMark(key)] as const),
      ...others.map((value) => [value, this.#mark(value)] as const),
    ];
  }

  #secrets(): Hidden {
    return (this.#hidden ??= hiddenBy(this.#sought()));
  }

  readonly #fingerprint = (key: string): string => `k:${shortDigest(key, this.salt)}`;

  readonly #keyMark = (key: string): string => `[redacted:${this.#fingerprint(key)}]`;

  /** Replacement of a value, which shows its length and whether two values are equal. */
  readonly #mark = (value: string): string =>
    value === '' || MARK.test(value)
      ? value
      : `[redacted:${value.length}-chars:${shortDigest(value, this.#pepper)}]`;

  #valuesOf(headers: Headers, url: URL): readonly Value[] {
    return [
      ...headers.flatMap(([name, value]) => {
        const isKey = this.isKeyHeader(name);
        if (!isKey && (isPlainHeader(name) || this.#shown.has(name.toLowerCase()))) return [];
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
  }
}

const valueOf = (kind: Field['kind'], name: string, value: string): Value => ({
  kind,
  name,
  value,
  parts: [value],
  isKey: false,
  isCredentialName: isCredentialName(name),
});
