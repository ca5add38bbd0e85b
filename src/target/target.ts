import type { Bearer, BearerSettings } from './bearer.ts';
import type { KeyVariables } from './key-variables.ts';
import type { FixtureKind } from '../spec/endpoints.ts';
import { KEY_HEADER, MONTHLY_QUOTA, RATE_LIMIT, RATE_WINDOW_MS } from '../spec/limits.ts';

/** Keys by role. Only `valid` is needed; requirements that need another role stay untested without it. */
export interface TargetKeys {
  /** Working keys; the run is spread over them. */
  readonly valid: readonly string[];
  /** A key that the service has disabled (§5 rule 3). */
  readonly disabled?: string;
  /** A key past its end of life (§5 rule 3). */
  readonly expired?: string;
  /** A working key that may not call some endpoints; `forbidden` holds their path templates (§5 rule 3). */
  readonly restricted?: { readonly key: string; readonly forbidden: readonly string[] };
  /** A working key with few requests left of its monthly quota (§8). */
  readonly nearQuota?: { readonly key: string; readonly remaining: number };
}

/** Identifiers given by the user; what is missing is discovered from the lists of the target. */
export type TargetFixtures = Readonly<Partial<Record<FixtureKind, readonly string[]>>> & {
  /** A well-formed currency id that no currency has. */
  readonly unknownCurrencyId?: string;
  /** A currency id of the wrong form (400001, §7). */
  readonly malformedCurrencyId?: string;
  /** Identifiers of other kinds that do not exist (§7), by path parameter: `ticker`, `event`. */
  readonly unknownIds?: Readonly<Record<string, string>>;
  /** Exchange names for the filter of the pairs list (§4.1). */
  readonly exchanges?: readonly string[];
};

export interface TargetLimits {
  /** Requests that one key may make in one window (§8). */
  readonly requests: number;
  /** Length of the window, ms. Scaled on a test target only. */
  readonly windowMs: number;
  /** Requests that one key may make in one month (§8). */
  readonly monthlyQuota: number;
}

/** A certificate of one's own, in PEM files. */
export interface ClientCertificate {
  /** The certificate, and those that lead from it to an authority. */
  readonly certFile: string;
  /** Its private key; null where it stands in `certFile`. */
  readonly keyFile: string | null;
  /** What the private key is encrypted with; null for a plain one. */
  readonly passphrase: string | null;
}

export interface TargetHttp {
  /** Time for one request, from sending to the last byte, ms. */
  readonly timeoutMs: number;
  /** Headers added to every request; that of `bearer` among them, with the token of the moment. */
  readonly headers: Readonly<Record<string, string>>;
  /** Token for a gateway before the target, which is asked for again before it ends; null for none. */
  readonly bearer: Bearer | null;
  /** True when certificates are not verified. */
  readonly insecure: boolean;
  /** PEM file with additional certificate authorities; null for none. */
  readonly caFile: string | null;
  /** What the target, or a gateway before it, knows this machine by (mutual TLS); null for none. */
  readonly clientCertificate: ClientCertificate | null;
  /** Address of the HTTP proxy in use, with its credentials if any; null for none. */
  readonly proxy: string | null;
  /** True when HTTP/2 is offered to an https target. */
  readonly http2: boolean;
}

/** Everything known about the implementation under test, all defaults filled. */
export interface Target {
  /** Without a trailing slash, query or credentials. */
  readonly baseUrl: string;
  readonly auth: { readonly header: string };
  readonly keys: TargetKeys;
  /** Environment variables that hold the keys; left out where none does. */
  readonly keyVariables?: KeyVariables;
  readonly fixtures: TargetFixtures;
  readonly limits: TargetLimits;
  /** Field that wraps every body and is unwrapped before judging (ruling 21); null for bare bodies. */
  readonly envelope: string | null;
  readonly http: TargetHttp;
  /** Address that moves the clock of a test target: POST `{"advanceMs": n}` answers `{"now": epochMs}`. */
  readonly clock?: {
    readonly control: string;
    /** False when waits move it and checks do not: whoever looks at a service over days lets them pass by itself. */
    readonly forChecks?: boolean;
  };
  /**
   * Answers in place of the network: a service within this process, of which no target file can speak. Its keys are worth
   * nothing elsewhere, and are not redacted.
   */
  readonly service?: LocalService;
}

/** Answers a request without a socket. Names of headers and their values stand in turn in the answer. */
export type LocalService = (request: {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}) => { readonly status: number; readonly headers: readonly string[]; readonly body: Buffer };

/** The content of a target file: every setting is optional there, for flags and environment may give it. */
export interface TargetFile {
  readonly baseUrl?: string;
  readonly auth?: { readonly header?: string };
  readonly keys?: Partial<TargetKeys>;
  /** Program and arguments that print the valid keys, one a line; in place of `keys.valid`. */
  readonly keyCommand?: readonly string[];
  readonly fixtures?: TargetFixtures;
  readonly limits?: Partial<TargetLimits>;
  readonly envelope?: string | null;
  readonly http?: Partial<Omit<TargetHttp, 'clientCertificate' | 'bearer'>> & {
    readonly bearer?: BearerSettings | null;
    readonly clientCertificate?:
      (Partial<ClientCertificate> & Pick<ClientCertificate, 'certFile'>) | null;
  };
  readonly clock?: { readonly control: string };
}

/** What holds when nothing else is said (§5 rule 2, §8). */
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
