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
  readonly #recent: boolean;
  readonly #keys = new Set<string>();
  readonly #others = new Set<string>();
  #ring: KeyRing | undefined;

  constructor(
    options: {
      readonly keyHeader?: string | undefined;
      readonly keys?: TargetKeys | undefined;
      /** True for traffic that does not end: the credentials that came last are looked for, and not the first ones. */
      readonly recent?: boolean;
      /** Salt of the fingerprints; random by default. */
      readonly salt?: string | undefined;
    } = {},
  ) {
    this.#recent = options.recent === true;
    this.#salt = options.salt ?? this.#salt;
    this.#keyHeader = (options.keyHeader ?? KEY_HEADER).toLowerCase();
    this.#known = options.keys;
  }

  /** Origins of which at least one request carried the key header. */
  readonly #keyed = new Set<string>();

  /** True when a credential was noted. */
  get any(): boolean {
    return this.#keys.size + this.#others.size > 0;
  }

  isKeyHeader(name: string): boolean {
    return name.toLowerCase() === this.#keyHeader;
  }

  /** Notes the credentials of a request. */
  note(headers: readonly (readonly [string, string])[], url: URL): void {
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
    if (set.has(value)) {
      if (!this.#recent) return;
      // The newest last, so that the one that was not used for longest goes first.
      set.delete(value);
      set.add(value);
      return;
    }
    if (
      (set.size >= MOST_SECRETS && !this.#recent) ||
      isPlaceholder(value) ||
      keyFault(value, REQUIREMENT_TEXTS) !== undefined
    )
      return;
    const [oldest] = set;
    if (set.size >= MOST_SECRETS && oldest !== undefined) set.delete(oldest);
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
    const told = /\bk:[0-9a-f]{8}\b/.exec(value)?.[0];
    if (told !== undefined) return { role: 'valid', fingerprint: told };
    if (isPlaceholder(value) || keyFault(value, REQUIREMENT_TEXTS) !== undefined)
      return { role: 'valid', fingerprint: null };
    return { role: this.#roleOf(value), fingerprint: this.#secrets().fingerprint(value) };
  }

  /** Traffic that was seen itself lacks no header; a recording may, where no request has a key. */
  #isKeyed({ origin }: URL): boolean {
    return this.#recent || this.#keyed.has(origin);
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
    return this.#secrets().redact(text);
  }

  /** True when a text that was redacted still holds a credential, in several layers of writing. */
  leaks(redacted: string): boolean {
    return this.#secrets().stillLeaks(redacted);
  }

  /** Salt of the fingerprints: with the same one, the same keys have the same. */
  get salt(): string {
    return this.#salt;
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
    const { disabled, expired, restricted, nearQuota, valid = [] } = this.#known ?? {};
    const given = [...valid, disabled, expired, restricted?.key, nearQuota?.key];
    const all = new Set([...this.#keys, ...this.#others, ...given.flatMap((key) => key ?? [])]);
    return [...all].map((value, index) => ({
      name: `credential ${index + 1} of the recording`,
      value,
    }));
  }

  #secrets(): KeyRing {
    if (this.#ring === undefined) {
      const { disabled, expired, restricted, nearQuota, valid = [] } = this.#known ?? {};
      const given = [disabled, expired, restricted?.key, nearQuota?.key].flatMap(
        (key) => key ?? [],
      );
      this.#ring = new KeyRing(
        { valid: [...new Set([...valid, ...given, ...this.#keys])] },
        { seed: 1, salt: this.#salt, secrets: [...this.#others] },
      );
      this.#salt = this.#ring.salt;
    }
    return this.#ring;
  }
  #salt: string = new KeyRing({ valid: [] }, { seed: 1 }).salt;
}

const isPlaceholder = (value: string): boolean => value === '' || PLACEHOLDER.test(value);
