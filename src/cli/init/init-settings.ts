import { ENDPOINT_PATHS } from '../../spec/endpoints.ts';
import { suggestion } from '../../text/closest-name.ts';
import { number, string, strings, type ValuesOf } from '../command.ts';
import { UsageError } from '../errors.ts';
import { listOf } from '../options.ts';

/** Settings for `assay init`. Keys are given by the names of environment variables, never literally. */
export interface InitSettings {
  readonly baseUrl: string;
  readonly valid: readonly string[];
  readonly disabled?: string | undefined;
  readonly expired?: string | undefined;
  readonly restricted?: { readonly key: string; readonly forbidden: readonly string[] } | undefined;
  readonly nearQuota?: { readonly key: string; readonly remaining: number } | undefined;
  /** Header from the flags; undefined for the one in the specification. */
  readonly authHeader?: string | undefined;
}

/** Options for the settings. */
export const SETTING_OPTIONS = {
  'base-url': string('Base URL of the target', { alias: 'u' }),
  'key-env': strings('Environment variable that holds a valid key, repeatable', { nargs: 1 }),
  'disabled-key-env': string('Environment variable that holds a disabled key'),
  'expired-key-env': string('Environment variable that holds an expired key'),
  'restricted-key-env': string(
    'Environment variable that holds a key not allowed to call some endpoints',
  ),
  forbidden: strings('Endpoint that the restricted key is not allowed to call, repeatable', {
    nargs: 1,
  }),
  'near-quota-key-env': string('Environment variable that holds a key near its monthly quota'),
  remaining: number('Requests left for the near-quota key'),
  'auth-header': string('Header that carries the key; default: X-API-KEY'),
} as const;

type InitFlags = ValuesOf<typeof SETTING_OPTIONS>;
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Guesses whether a text is a key that was pasted instead of the name of a variable. A variable that is set is a name;
 * otherwise names are upper-case words, and keys are long, mixed-case or full of digits.
 */
export function looksLikeKey(text: string, env: Environment): boolean {
  if (text !== '' && env[text] !== undefined) return false;
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(text)) return text.length >= 6;
  const digits = text.replaceAll(/\D/g, '').length;
  if (/[a-z]/.test(text)) return digits > 0 ? text.length >= 10 : text.length >= 24;
  return text.length >= 16 && (digits >= 4 || !text.includes('_')) && digits * 4 >= text.length;
}

/** The name of a variable, without `${}`. @throws UsageError for an invalid one, and for a key (without repeating it) */
export function variableName(text: string, option: string, env: Environment): string {
  const name = text.trim().replace(/^\$\{?([A-Za-z_][A-Za-z0-9_]*)\}?$/, '$1');
  if (looksLikeKey(name, env)) {
    throw new UsageError(
      `${option} takes the name of an environment variable, but the value looks like a key.`,
      'Put the key into a variable, for example ASSAY_KEY, and pass the name of the variable: --key-env ASSAY_KEY. The target file will contain ${ASSAY_KEY}, not the key.',
      'ASSAY_KEY_IN_PLAIN',
    );
  }
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    throw new UsageError(
      `${option}: "${name}" is not a valid variable name.`,
      'For example ASSAY_KEY.',
    );
  }
  return name;
}

/** The variables that are not set. */
export const unset = (names: readonly string[], env: Environment): readonly string[] =>
  names.filter((name) => (env[name] ?? '') === '');

/** Loopback names and addresses, with or without port. */
const HERE = /^(?:localhost|[\w.-]+\.localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1\])(?=[:/]|$)/i;

/** Adds a missing scheme: http for loopback, which seldom has a certificate, https for everything else. */
export function completeUrl(text: string): string {
  if (text === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text;
  return `${HERE.test(text) ? 'http' : 'https'}://${text}`;
}

/** @throws UsageError for a path that is not in the specification */
export function endpointPath(text: string): string {
  if (ENDPOINT_PATHS.some((path) => path === text)) return text;
  throw new UsageError(
    `--forbidden ${text} is not an endpoint in the specification.`,
    `${suggestion(text, ENDPOINT_PATHS)}Use a path template from §4, such as /news or /currencies/{currency_id}.`,
  );
}

/** @throws UsageError when flags are inconsistent, or one of them is a key */
export function flagSettings(argv: InitFlags, env: Environment): Partial<InitSettings> {
  const optional = (
    option: 'disabled-key-env' | 'expired-key-env' | 'restricted-key-env' | 'near-quota-key-env',
  ): string | undefined => {
    const value = argv[option];
    return value === undefined ? undefined : variableName(value, `--${option}`, env);
  };
  const restricted = optional('restricted-key-env');
  const forbidden = (argv.forbidden ?? []).map(endpointPath);
  if ((restricted === undefined) !== (forbidden.length === 0)) {
    throw new UsageError(
      '--restricted-key-env and --forbidden must be given together.',
      'For example --restricted-key-env RESTRICTED_KEY --forbidden /news',
    );
  }
  const nearQuota = optional('near-quota-key-env');
  const { remaining } = argv;
  if ((nearQuota === undefined) !== (remaining === undefined)) {
    throw new UsageError(
      '--near-quota-key-env and --remaining must be given together.',
      'For example --near-quota-key-env LAST_KEY --remaining 5',
    );
  }
  if (remaining !== undefined && !(Number.isInteger(remaining) && remaining >= 0)) {
    throw new UsageError('--remaining takes a whole number.', 'For example --remaining 5.');
  }
  const names = listOf(argv['key-env']).map((name) => variableName(name, '--key-env', env));
  return {
    ...(argv['base-url'] !== undefined && { baseUrl: completeUrl(argv['base-url']) }),
    ...(names.length > 0 && { valid: [...new Set(names)] }),
    disabled: optional('disabled-key-env'),
    expired: optional('expired-key-env'),
    restricted: restricted === undefined ? undefined : { key: restricted, forbidden },
    nearQuota: nearQuota === undefined ? undefined : { key: nearQuota, remaining: remaining ?? 0 },
    authHeader: argv['auth-header'],
  };
}
