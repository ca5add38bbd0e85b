import { createHmac, randomBytes } from 'node:crypto';
import type { KeyRole } from '../spec/exchange.ts';
import { ENDPOINT_PATHS } from '../spec/endpoints.ts';
import { KEY_HEADER } from '../spec/limits.ts';
import {
  credentialParts,
  decoded,
  isCommon,
  isPlainHeader,
  isTellingName,
  looksRandom,
} from '../http/secrets.ts';
import { REQUIREMENT_TEXTS } from '../requirements/texts.ts';
import { keyFault } from '../target/keys.ts';
import type { TargetKeys } from '../target/target.ts';
import { Habits, isTold, type Place } from './key-elsewhere.ts';
import { PLAIN_PARAMETERS, withoutMatrix, withoutNamed, withoutRandom } from './in-texts.ts';
import { hiddenBy, RecentSecrets, type Hidden } from './recent-secrets.ts';

/** What every report holds. */
const ORDINARY = [...ENDPOINT_PATHS, ...REQUIREMENT_TEXTS].join('\n').toLowerCase();

/** Credentials of each kind that are looked for in every writing; the others are in their own exchange only. */
const MOST_SECRETS = 60;
/** Values that are remembered to see whether they come again, and the longest of them. */
const MOST_SEEN = 20_000;
const LONGEST_SEEN = 4096;
/** After so many requests with as many signatures, none of them is expected to come again. */
const MANY = 20;

/** What tools and people write in place of a key. */
const PLACEHOLDER = /^[[<({*"']|redact|hidden|removed|masked|sanitiz|^x{4,}$|^\.+$|•|…/i;
/** What stands in place of a value that was redacted before. */
const MARK = /^\[redacted(?::k:[0-9a-f]{8}|:\d+-chars:[0-9a-f]{8})?\]$/;

/** A request as it was sent. */
export interface Sent {
  readonly requestHeaders: readonly (readonly [string, string])[];
  readonly url: URL;
  /** True when no header is missing. */
  readonly hasAllHeaders: boolean;
}

/** The key that a request carried. */
export interface Identity {
  /** `none`: no key. `valid` is also the role of a key of which nothing is known. */
  readonly role: KeyRole;
  /** Salted fingerprint; null when there is no key, or when it cannot be told from others. */
  readonly fingerprint: string | null;
}

export interface SecretsOptions {
  readonly keyHeader?: string | undefined;
  readonly keys?: TargetKeys | undefined;
  /** Request headers whose values may be shown, beside the plain ones. */
  readonly showHeaders?: readonly string[] | undefined;
  /** Where the service is: what stands in it is shown everywhere. */
  readonly baseUrl?: string | undefined;
  /** True for traffic that does not end: each request is noted before it is identified and redacted. */
  readonly recent?: boolean;
  /** Salt of the fingerprints of traffic that does not end; random by default. */
  readonly salt?: string | undefined;
}

/** A value that is not known to be harmless, and where it stands. */
interface Value extends Place {
  /** True in the key header. */
  readonly isKey: boolean;
}

type Headers = readonly (readonly [string, string])[];

/**
 * What has to be hidden in recorded traffic. The values of request headers and parameters are, unless they are known to be
 * harmless; those that are credentials are noted while the file is scanned, and taken out of everything while it is read.
 */
export class Secrets {
  /** Salt of the fingerprints: with the same one, the same keys have the same. */
  readonly salt: string;
  /** Salt of the digests of all other values. It is never written, since such a value may be easy to guess. */
  readonly #pepper = randomBytes(16);
  readonly #options: SecretsOptions;
  readonly #shown: ReadonlySet<string>;
  /** Set for traffic that does not end. */
  readonly #recent: RecentSecrets | null;
  readonly #keys = new Set<string>();
  /** Credentials beside the keys, with how often they came. */
  readonly #others = new Map<string, number>();
  readonly #seen = new Set<string>();
  readonly #habits = new Habits();
  /** Origins of which at least one request carried the key header. */
  readonly #keyed = new Set<string>();
  readonly #digests = new Map<string, string>();
  /** Credentials of the request at hand, and what stands in their place. */
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

  /** Says where the service is, once it is known. */
  locate(baseUrl: string): void {
    this.#baseUrl = baseUrl;
    this.#hidden = null;
  }

  /** Notes the credentials of a request. */
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

  /** True for what is looked for elsewhere: a value that its place calls a credential, or a random one that came before. */
  #isCredential(value: Value, part: string, again: Set<string>): boolean {
    if (isCommon(part) || PLACEHOLDER.test(part) || part.length > LONGEST_SEEN) return false;
    if (value.isKey) return true;
    if (!looksRandom(part) && (!value.isTold || /cookie/i.test(value.name))) return false;
    again.add(part);
    return this.#seen.has(part) || (value.isTold && !this.#habits.differs(value, MANY));
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

  /** True for what reports hold anyway. */
  #isReserved(value: string): boolean {
    const folded = value.toLowerCase();
    if (!/^[\x21-\x7e]+$/.test(value) || ORDINARY.includes(folded)) return true;
    return this.#baseUrl.toLowerCase().includes(folded);
  }

  /** A request begins: what it carries is looked for in all that is redacted until the next one. */
  begin(headers: Headers, url: URL): void {
    this.#own = this.#valuesOf(headers, url).flatMap(({ isKey, isTold: told, parts }) =>
      parts
        .filter((part) => (isKey || told ? !isCommon(part) : looksRandom(part)))
        .filter((part) => !PLACEHOLDER.test(part) && !this.#isReserved(part))
        .map((part) => [part, isKey ? this.#keyMark(part) : this.#mark(part)] as const),
    );
  }

  /** Whose request it was. Asked after all requests were noted. */
  identify({ requestHeaders: headers, url, hasAllHeaders }: Sent): Identity {
    const value = headers.find(([name]) => this.isKeyHeader(name))?.[1];
    if (value === undefined) {
      // A tool that leaves headers out leaves out every key; another credential may do for one.
      const mayBeKeys = this.#valuesOf(headers, url).filter((one) => this.#habits.mayBeKey(one));
      for (const one of mayBeKeys) this.#habits.stoodForKey(one);
      const isKeyless = hasAllHeaders && this.#isKeyed(url) && mayBeKeys.length === 0;
      return { role: isKeyless ? 'none' : 'valid', fingerprint: null };
    }
    // What was recorded may be redacted already; what passes is what was sent.
    const told = /\bk:[0-9a-f]{8}\b/.exec(value)?.[0];
    if (told !== undefined && this.#recent === null) return { role: 'valid', fingerprint: told };
    if (value === '' || PLACEHOLDER.test(value) || keyFault(value) !== undefined)
      return { role: 'valid', fingerprint: null };
    return { role: this.#roleOf(value), fingerprint: this.#fingerprint(value) };
  }

  /**
   * What to say of requests that have no key header and carry what may be a key elsewhere.
   *
   * @param how where a header is named as the one that carries keys
   */
  keysElsewhere(how: (header: string) => string): readonly string[] {
    return this.#habits.sentences(this.#options.keyHeader ?? KEY_HEADER, how);
  }

  /** Traffic that was seen itself lacks no header; a recording may, where no request has a key. */
  #isKeyed({ origin }: URL): boolean {
    return this.#recent !== null || this.#keyed.has(origin);
  }

  #roleOf(key: string): KeyRole {
    const keys = this.#options.keys;
    if (key === keys?.disabled) return 'disabled';
    if (key === keys?.expired) return 'expired';
    if (key === keys?.restricted?.key) return 'restricted';
    return key === keys?.nearQuota?.key ? 'nearQuota' : 'valid';
  }

  /** The text without any credential that was noted, and without what it names as one itself. */
  redact(text: string): string {
    let shown = this.#recent?.redact(text) ?? this.#secrets().redactor.redact(text);
    for (const [value, mark] of this.#own) {
      if (shown.includes(value)) shown = shown.replaceAll(value, () => mark);
    }
    return withoutNamed(shown, this.#mark);
  }

  /** The same for a text that is no evidence, such as a header or the path of a page: nothing random stays in it. */
  redactStrictly(text: string): string {
    return withoutRandom(this.redact(text), this.#mark);
  }

  /** True when a text that was redacted still holds a credential, in several layers of writing. */
  leaks(redacted: string): boolean {
    return this.#recent?.leaks(redacted) ?? this.#secrets().scan.scan(redacted) !== null;
  }

  /** Headers of a request as they may be shown. The key header gets its one spelling: tools and HTTP/2 change the letters. */
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

  /** The same of an answer, where it is the rules that say which headers matter: only what is a credential is hidden. */
  responseHeaders(headers: Headers): Record<string, string> {
    return this.#headers(headers, (name, value) =>
      isTellingName(name) ? this.#mark(value) : this.redactStrictly(value),
    );
  }

  #headers(
    headers: Headers,
    show: (name: string, value: string) => string,
  ): Record<string, string> {
    const shown: Record<string, string> = {};
    for (const [name, value] of headers) {
      const isPlainKey = this.isKeyHeader(name) && this.isKeyHeader(KEY_HEADER);
      const spelled = isPlainKey ? KEY_HEADER : this.#name(name);
      if (spelled === '__proto__') continue;
      const text = show(name, value);
      shown[spelled] = shown[spelled] === undefined ? text : `${shown[spelled]}, ${text}`;
    }
    return shown;
  }

  /** A URL without credentials in its authority, path or query. */
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

  /** A path, or the value of a path parameter. */
  path(path: string): string {
    return withoutMatrix(this.redact(path), this.#mark);
  }

  /** Names are shown, but for a value that stands alone. */
  #name(name: string): string {
    return looksRandom(name) ? this.#mark(name) : name;
  }

  /** Every credential that was noted or given, under a name that may be shown: for a last look at what is written. */
  listed(): readonly { readonly name: string; readonly value: string }[] {
    const noted = this.#recent?.listed() ?? this.#sought().map(([value]) => value);
    const all = new Set([...noted, ...this.#given()]);
    return [...all].map((value, index) => ({
      name: `credential ${index + 1} of the recording`,
      value,
    }));
  }

  /** Keys that the target file names. */
  #given(): readonly string[] {
    const { disabled, expired, restricted, nearQuota, valid = [] } = this.#options.keys ?? {};
    return [...valid, disabled, expired, restricted?.key, nearQuota?.key].flatMap(
      (key) => key ?? [],
    );
  }

  /** What is looked for in every writing, and what stands in its place. */
  #sought(): readonly (readonly [string, string])[] {
    const often = [...this.#others].toSorted(([, a], [, b]) => b - a).map(([value]) => value);
    const usable = (value: string): boolean => !this.#isReserved(value);
    const keys = new Set([...this.#given(), ...[...this.#keys].filter(usable)]);
    const others = often
      .filter((value) => !keys.has(value))
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

  /** Salted digest that tells keys apart without showing them. */
  #fingerprint(key: string): string {
    return `k:${this.#digest(key, this.salt)}`;
  }

  #keyMark(key: string): string {
    return `[redacted:${this.#fingerprint(key)}]`;
  }

  /** What stands in place of a value: how long it is, and whether it is the same as another one. */
  readonly #mark = (value: string): string =>
    value === '' || MARK.test(value)
      ? value
      : `[redacted:${value.length}-chars:${this.#digest(value, this.#pepper)}]`;

  #digest(value: string, salt: string | Buffer): string {
    const known = salt === this.salt ? `k:${value}` : value;
    let digest = this.#digests.get(known);
    if (digest === undefined) {
      digest = createHmac('sha256', salt).update(value).digest('hex').slice(0, 8);
      if (this.#digests.size >= MOST_SEEN) this.#digests.clear();
      this.#digests.set(known, digest);
    }
    return digest;
  }

  /** What a request carries that is not known to be harmless. */
  #valuesOf(headers: Headers, url: URL): readonly Value[] {
    const values: Value[] = [];
    for (const [name, value] of headers) {
      const isKey = this.isKeyHeader(name);
      if (!isKey && (isPlainHeader(name) || this.#shown.has(name.toLowerCase()))) continue;
      const words = credentialParts(value);
      const parts = isKey ? [...new Set([value, ...words])] : words;
      values.push({ kind: 'header', name, value, parts, isKey, isTold: isTold(name) });
    }
    const add = (kind: Place['kind'], name: string, value: string, told: boolean): void =>
      void values.push({ kind, name, value, parts: [value], isTold: told, isKey: false });
    for (const { name, value } of piecesOf(url)) {
      if (PLAIN_PARAMETERS.has(name)) continue;
      // What stands without a value may be one.
      if (value === '') add('parameter', '', name, false);
      else add('parameter', name, value, isTold(name));
    }
    for (const part of [url.username, url.password].filter((one) => one !== '')) {
      add('login', '', decoded(part), true);
    }
    return values;
  }
}

/** The parameters of a query, as written and as meant. */
function piecesOf(url: URL): readonly { raw: string; name: string; value: string }[] {
  return url.search
    .slice(1)
    .split('&')
    .filter((raw) => raw !== '')
    .map((raw) => {
      const [[name, value] = ['', '']] = new URLSearchParams(raw);
      return { raw, name, value };
    });
}
