import { RecentSecrets } from './recent-secrets.ts';
import { isSecretHeader } from '../http/secrets.ts';
import type { KeyRole } from '../contract/exchange.ts';
import { KEY_HEADER } from '../contract/limits.ts';
import { REQUIREMENT_TEXTS } from '../requirements/texts.ts';
import { KeyRing, keyFault } from '../target/keys.ts';
import type { TargetKeys } from '../target/target.ts';

/** Parameters of a query that hold credentials. */
const SECRET_PARAMETER =
  /^(x[-_]?)?(api[-_]?key|apikey|access[-_]?token|auth|authorization|token|secret|signature|password)$/i;
/** Secrets beyond this many are taken out where they stand as a header or parameter, and not looked for elsewhere. */
const MOST_SECRETS = 60;

/** What tools and people write in place of a key. */
const PLACEHOLDER = /^[[<({*"']|redact|hidden|removed|masked|sanitiz|^x{4,}$|^\.+$|•|…/i;

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

/**
 * The keys and other credentials of a recording. They are noted while the file is scanned and taken out of everything
 * while it is read; nothing but a salted fingerprint leaves this place.
 */
export class Secrets {
  readonly #keyHeader: string;
  readonly #known: TargetKeys | undefined;
  /** Set for traffic that does not end. */
  readonly #recent: RecentSecrets | null;
  readonly #keys = new Set<string>();
  readonly #others = new Set<string>();
  #ring: KeyRing | undefined;

  constructor(
    options: {
      readonly keyHeader?: string | undefined;
      readonly keys?: TargetKeys | undefined;
      /** True for traffic that does not end: each request is noted before it is identified and redacted. */
      readonly recent?: boolean;
      /** Salt of the fingerprints of traffic that does not end; random by default. */
      readonly salt?: string | undefined;
    } = {},
  ) {
    this.#recent = options.recent === true ? new RecentSecrets(options.salt) : null;
    for (const key of this.#given()) this.#recent?.note(key, true);
    this.#keyHeader = (options.keyHeader ?? KEY_HEADER).toLowerCase();
    this.#known = options.keys;
  }

  /** Origins of which at least one request carried the key header. */
  readonly #keyed = new Set<string>();

  /** True when a credential was noted. */
  get any(): boolean {
    return this.#recent !== null || this.#keys.size + this.#others.size > 0;
  }

  isKeyHeader(name: string): boolean {
    return name.toLowerCase() === this.#keyHeader;
  }

  /** Notes the credentials of a request. */
  note(headers: readonly (readonly [string, string])[], url: URL): void {
    this.#recent?.begin();
    for (const [name, value] of headers) {
      if (this.isKeyHeader(name)) {
        this.#keyed.add(url.origin);
        this.#add(this.#keys, value);
      } else if (isSecretHeader(name)) this.#add(this.#others, value.replace(/^\w+ +/, ''));
    }
    for (const [name, value] of url.searchParams) {
      if (SECRET_PARAMETER.test(name)) this.#add(this.#others, value);
    }
  }

  #add(set: Set<string>, value: string): void {
    if (isPlaceholder(value) || keyFault(value, REQUIREMENT_TEXTS) !== undefined) return;
    if (this.#recent !== null) {
      this.#recent.note(value, set === this.#keys);
      return;
    }
    if (set.size >= MOST_SECRETS) return;
    set.add(value);
    this.#ring = undefined;
  }

  /** Whose request it was. Asked after all requests were noted. */
  identify({ requestHeaders: headers, url, hasAllHeaders }: Sent): Identity {
    const value = headers.find(([name]) => this.isKeyHeader(name))?.[1];
    if (value === undefined) {
      // A tool that leaves headers out leaves out every key; another credential may do for one.
      const other = headers.some(([name]) => isSecretHeader(name));
      return {
        role: hasAllHeaders && this.#isKeyed(url) && !other ? 'none' : 'valid',
        fingerprint: null,
      };
    }
    // What was recorded may be redacted already; what passes is what was sent.
    const told = /\bk:[0-9a-f]{8}\b/.exec(value)?.[0];
    if (told !== undefined && this.#recent === null) return { role: 'valid', fingerprint: told };
    if (isPlaceholder(value) || keyFault(value, REQUIREMENT_TEXTS) !== undefined)
      return { role: 'valid', fingerprint: null };
    const fingerprint = (this.#recent ?? this.#secrets()).fingerprint(value);
    return { role: this.#roleOf(value), fingerprint };
  }

  /** Traffic that was seen itself lacks no header; a recording may, where no request has a key. */
  #isKeyed({ origin }: URL): boolean {
    return this.#recent !== null || this.#keyed.has(origin);
  }

  #roleOf(key: string): KeyRole {
    const keys = this.#known;
    if (key === keys?.disabled) return 'disabled';
    if (key === keys?.expired) return 'expired';
    if (key === keys?.restricted?.key) return 'restricted';
    return key === keys?.nearQuota?.key ? 'nearQuota' : 'valid';
  }

  /** The text without any credential that was noted. */
  redact(text: string): string {
    return (this.#recent ?? this.#secrets()).redact(text);
  }

  /** True when a text that was redacted still holds a credential, in several layers of writing. */
  leaks(redacted: string): boolean {
    return this.#recent?.leaks(redacted) ?? this.#secrets().stillLeaks(redacted);
  }

  /** Salt of the fingerprints: with the same one, the same keys have the same. */
  get salt(): string {
    return this.#recent?.salt ?? this.#salt;
  }

  /** Headers as they may be shown. The key header gets its one spelling: tools and HTTP/2 change the letters. */
  headers(headers: readonly (readonly [string, string])[]): Record<string, string> {
    const shown: Record<string, string> = {};
    for (const [name, value] of headers) {
      const isKey = this.isKeyHeader(name);
      const spelled = isKey && this.#keyHeader === KEY_HEADER.toLowerCase() ? KEY_HEADER : name;
      const redacted = this.redact(value);
      const hide = (isKey || isSecretHeader(name)) && redacted === value && value !== '';
      const text = hide ? '[redacted]' : redacted;
      if (name === '__proto__') continue;
      shown[spelled] = shown[spelled] === undefined ? text : `${shown[spelled]}, ${text}`;
    }
    return shown;
  }

  /** A URL without credentials in its authority or query. */
  url(url: URL): string {
    const shown = new URL(url);
    shown.username = '';
    shown.password = '';
    shown.hash = '';
    const secret = [...shown.searchParams].some(([name]) => SECRET_PARAMETER.test(name));
    const text = secret
      ? `${shown.origin}${shown.pathname}?${this.query(url)
          .map((pair) => pair.join('='))
          .join('&')}`
      : shown.href;
    return this.redact(text);
  }

  query(url: URL): readonly (readonly [string, string])[] {
    return [...url.searchParams].map(
      ([name, value]) =>
        [
          this.redact(name),
          SECRET_PARAMETER.test(name) ? '[redacted]' : this.redact(value),
        ] as const,
    );
  }

  /** Every credential that was noted or given, under a name that may be shown: for a last look at what is written. */
  listed(): readonly { readonly name: string; readonly value: string }[] {
    const noted = this.#recent?.listed() ?? [...this.#keys, ...this.#others];
    const all = new Set([...noted, ...this.#given()]);
    return [...all].map((value, index) => ({
      name: `credential ${index + 1} of the recording`,
      value,
    }));
  }

  /** Keys that the target file names. */
  #given(): readonly string[] {
    const { disabled, expired, restricted, nearQuota, valid = [] } = this.#known ?? {};
    return [...valid, disabled, expired, restricted?.key, nearQuota?.key].flatMap(
      (key) => key ?? [],
    );
  }

  #secrets(): KeyRing {
    if (this.#ring === undefined) {
      this.#ring = new KeyRing(
        { valid: [...new Set([...this.#given(), ...this.#keys])] },
        { seed: 1, salt: this.#salt, secrets: [...this.#others] },
      );
      this.#salt = this.#ring.salt;
    }
    return this.#ring;
  }
  #salt: string = new KeyRing({ valid: [] }, { seed: 1 }).salt;
}

const isPlaceholder = (value: string): boolean => value === '' || PLACEHOLDER.test(value);
