import { ENDPOINT_PATHS } from '../../spec/endpoints.ts';
import { suggestion } from '../../text/closest-name.ts';
import { UsageError } from '../errors.ts';

/** What `assay init` is told: keys by the names of environment variables, never by themselves. */
export interface InitSettings {
  readonly baseUrl: string;
  /** Variables that hold valid keys. */
  readonly valid: readonly string[];
  readonly disabled?: string | undefined;
  readonly expired?: string | undefined;
  readonly restricted?:
    { readonly variable: string; readonly forbidden: readonly string[] } | undefined;
  readonly nearQuota?: { readonly variable: string; readonly remaining: number } | undefined;
  /** Header that was given; undefined for that of the specification. */
  readonly authHeader?: string | undefined;
}

/** The flags that settings are made of. */
export interface InitFlags {
  'base-url': string | undefined;
  'key-env': string[] | undefined;
  'disabled-key-env': string | undefined;
  'expired-key-env': string | undefined;
  'restricted-key-env': string | undefined;
  forbidden: string[] | undefined;
  'near-quota-key-env': string | undefined;
  remaining: number | undefined;
  'auth-header': string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Whether a text is a key that was pasted where the name of a variable belongs. A name that the environment knows is one;
 * otherwise names are words in capitals, and keys are long, mixed or full of digits.
 */
export function looksLikeKey(text: string, env: Environment): boolean {
  if (text !== '' && env[text] !== undefined) return false;
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(text)) return text.length >= 6;
  const digits = text.replaceAll(/\D/g, '').length;
  if (/[a-z]/.test(text)) return digits > 0 ? text.length >= 10 : text.length >= 24;
  return text.length >= 16 && (digits >= 4 || !text.includes('_')) && digits * 4 >= text.length;
}

/**
 * The name of a variable, checked.
 * @throws UsageError for a key itself (never repeating it) and for what is no name
 */
export function variableName(text: string, option: string, env: Environment): string {
  const name = text.trim().replace(/^\$\{?([A-Za-z_][A-Za-z0-9_]*)\}?$/, '$1');
  if (looksLikeKey(name, env)) {
    throw new UsageError(
      `${option} takes the name of an environment variable, and this looks like a key itself.`,
      'Set a variable to the key, for example ASSAY_KEY, and give its name: --key-env ASSAY_KEY. The target file then holds ${ASSAY_KEY} and no key.',
      'ASSAY_KEY_IN_PLAIN',
    );
  }
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    throw new UsageError(
      `${option}: "${name}" is no name of an environment variable.`,
      'For example ASSAY_KEY.',
    );
  }
  return name;
}

/** The variables that are not set, of those that are to hold keys. */
export const unset = (names: readonly string[], env: Environment): readonly string[] =>
  names.filter((name) => (env[name] ?? '') === '');

/** This machine, by name or address, with a port or without. */
const HERE = /^(?:localhost|[\w.-]+\.localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1\])(?=[:/]|$)/i;

/** An address with its scheme: what runs on this machine seldom has a certificate, everything else should. */
export function completeUrl(text: string): string {
  if (text === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text;
  return `${HERE.test(text) ? 'http' : 'https'}://${text}`;
}

/** @throws UsageError for a path that the specification does not have */
export function endpointPath(text: string): string {
  if (ENDPOINT_PATHS.some((path) => path === text)) return text;
  throw new UsageError(
    `--forbidden ${text} is no endpoint of the specification.`,
    `${suggestion(text, ENDPOINT_PATHS)}Give the template of §4, such as /news or /currencies/{currency_id}.`,
  );
}

/** @throws UsageError when flags do not go together, or one of them is a key itself */
export function flagSettings(argv: InitFlags, env: Environment): Partial<InitSettings> {
  const optional = (
    option: 'disabled-key-env' | 'expired-key-env' | 'restricted-key-env' | 'near-quota-key-env',
  ): string | undefined => {
    const value = argv[option];
    return value === undefined ? undefined : variableName(value, `--${option}`, env);
  };
  const restricted = optional('restricted-key-env');
  const forbidden = (argv.forbidden ?? []).map((path) => endpointPath(path));
  if ((restricted === undefined) !== (forbidden.length === 0)) {
    throw new UsageError(
      '--restricted-key-env and --forbidden go together.',
      'For example --restricted-key-env RESTRICTED_KEY --forbidden /news',
    );
  }
  const nearQuota = optional('near-quota-key-env');
  const { remaining } = argv;
  if ((nearQuota === undefined) !== (remaining === undefined)) {
    throw new UsageError(
      '--near-quota-key-env and --remaining go together.',
      'For example --near-quota-key-env LAST_KEY --remaining 5',
    );
  }
  if (remaining !== undefined && !(Number.isInteger(remaining) && remaining >= 0)) {
    throw new UsageError('--remaining takes a whole number.', 'For example --remaining 5.');
  }
  const names = argv['key-env']
    ?.flatMap((text) => text.split(','))
    .map((name) => variableName(name, '--key-env', env));
  return {
    ...(argv['base-url'] === undefined ? {} : { baseUrl: completeUrl(argv['base-url']) }),
    ...(names === undefined || names.length === 0 ? {} : { valid: [...new Set(names)] }),
    disabled: optional('disabled-key-env'),
    expired: optional('expired-key-env'),
    restricted: restricted === undefined ? undefined : { variable: restricted, forbidden },
    nearQuota:
      nearQuota === undefined || remaining === undefined
        ? undefined
        : { variable: nearQuota, remaining },
    authHeader: argv['auth-header'],
  };
}
