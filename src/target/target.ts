import type { Bearer, BearerSettings } from './bearer.ts';
import type { KeyVariables } from './key-variables.ts';
import type { FixtureKind } from '../spec/endpoints.ts';
import { KEY_HEADER, MONTHLY_QUOTA, RATE_LIMIT, RATE_WINDOW_MS } from '../spec/limits.ts';

/** Keys by role. Only `valid` is required; requirements that need a missing role stay untested. */
export interface TargetKeys {
  /** Working keys; the run distributes its requests over them. */
  readonly valid: readonly string[];
  readonly disabled?: string;
  readonly expired?: string;
  /** A working key that is not allowed to call the path templates in `forbidden` (§5 rule 3). */
  readonly restricted?: { readonly key: string; readonly forbidden: readonly string[] };
  /** A working key with few requests left of its monthly quota (§8). */
  readonly nearQuota?: { readonly key: string; readonly remaining: number };
}

/** The keys with their roles and settings, in the order of the target file. */
export const issuedKeys = (keys: Partial<TargetKeys>) => {
  const { valid = [], disabled, expired, restricted, nearQuota } = keys;
  const others = [
    ['disabled', 'keys.disabled', disabled],
    ['expired', 'keys.expired', expired],
    ['restricted', 'keys.restricted.key', restricted?.key],
    ['nearQuota', 'keys.nearQuota.key', nearQuota?.key],
  ] as const;
  return [
    ...valid.map((key, at) => ({ role: 'valid' as const, name: `keys.valid[${at}]`, key })),
    ...others.flatMap(([role, name, key]) => (key === undefined ? [] : [{ role, name, key }])),
  ];
};

/** Identifiers set by the user; missing ones are discovered from lists of the target. */
export type TargetFixtures = Readonly<Partial<Record<FixtureKind, readonly string[]>>> & {
  /** A well-formed currency id that does not exist. */
  readonly unknownCurrencyId?: string;
  /** A malformed currency id (400001, §7). */
  readonly malformedCurrencyId?: string;
  /** Identifiers of other kinds that do not exist (§7), by path parameter: `ticker`, `event`. */
  readonly unknownIds?: Readonly<Record<string, string>>;
  /** Exchange names for the filter of the pairs list (§4.1). */
  readonly exchanges?: readonly string[];
};

export interface TargetLimits {
  readonly requests: number;
  /** Length of the window, ms; scaled on test targets only. */
  readonly windowMs: number;
  readonly monthlyQuota: number;
}

/** A client certificate in PEM files. */
export interface ClientCertificate {
  /** The certificate with its chain. */
  readonly certFile: string;
  /** Its private key; null when it is in `certFile`. */
  readonly keyFile: string | null;
  /** Passphrase of the private key; null for an unencrypted one. */
  readonly passphrase: string | null;
}

export interface TargetHttp {
  /** Timeout of a request, from sending to the last byte, ms. */
  readonly timeoutMs: number;
  /** Headers added to every request, including the current token of `bearer`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Token for a gateway in front of the target, refreshed before it expires; null for none. */
  readonly bearer: Bearer | null;
  /** True when certificates are not verified. */
  readonly insecure: boolean;
  /** PEM file with additional CA certificates; null for none. */
  readonly caFile: string | null;
  /** Client certificate for mutual TLS; null for none. */
  readonly clientCertificate: ClientCertificate | null;
  /** URL of the HTTP proxy, with credentials if any; null for none. */
  readonly proxy: string | null;
  /** True when HTTP/2 is offered to an https target. */
  readonly http2: boolean;
}

/** All settings of the implementation under test, with defaults. */
export interface Target {
  /** Without a trailing slash, query or credentials. */
  readonly baseUrl: string;
  readonly auth: { readonly header: string };
  readonly keys: TargetKeys;
  /** True when the key near its quota is left out on purpose, as in a monitor, whose first run would use it up. */
  readonly sparesNearQuota?: boolean;
  /** Environment variables that contain the keys, if any. */
  readonly keyVariables?: KeyVariables;
  readonly fixtures: TargetFixtures;
  readonly limits: TargetLimits;
  /** Envelope field to unwrap before judging (ruling 21); null for none. */
  readonly envelope: string | null;
  readonly http: TargetHttp;
  /** URL that advances the clock of a test target: POST `{"advanceMs": n}` returns `{"now": epochMs}`. */
  readonly clock?: {
    readonly control: string;
    /** False when only waits may advance it, not checks, as in a monitor, which controls the days itself. */
    readonly forChecks?: boolean;
  };
  /**
   * A service in this process that is used instead of the network. Not available in target files. Its keys are not
   * redacted.
   */
  readonly service?: LocalService;
}

/** Answers a request without a socket. `headers` of the response alternates names and values. */
export type LocalService = (request: {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}) => { readonly status: number; readonly headers: readonly string[]; readonly body: Buffer };

/** The content of a target file. All settings are optional, because flags and environment may set them. */
export interface TargetFile {
  readonly baseUrl?: string;
  readonly auth?: { readonly header?: string };
  readonly keys?: Partial<TargetKeys>;
  /** Program and arguments that print the valid keys, one per line, instead of `keys.valid`. */
  readonly keyCommand?: readonly string[];
  readonly fixtures?: TargetFixtures;
  readonly limits?: Partial<TargetLimits>;
  readonly envelope?: string | null;
  readonly http?: Partial<Omit<TargetHttp, 'clientCertificate' | 'bearer'>> & {
    readonly bearer?: BearerSettings | null;
    readonly clientCertificate?:
      | (Partial<ClientCertificate> & Pick<ClientCertificate, 'certFile'>)
      | null;
  };
  readonly clock?: { readonly control: string };
}

/** Defaults (§5 rule 2, §8). */
export const TARGET_DEFAULTS = {
  auth: { header: KEY_HEADER },
  limits: { requests: RATE_LIMIT, windowMs: RATE_WINDOW_MS, monthlyQuota: MONTHLY_QUOTA },
  envelope: null,
  http: {
    timeoutMs: 10_000,
    headers: {},
    bearer: null,
    insecure: false,
    caFile: null,
    clientCertificate: null,
    proxy: null,
    http2: false,
  },
} as const satisfies Partial<Target>;
