import { dirname } from 'node:path';
import { TargetError } from '../errors.ts';
import { keysOfCommand, keysOfFile } from '../key-sources.ts';
import { variablesOf } from '../key-variables.ts';
import { keyFault } from '../keys.ts';
import { resolveNetwork, type NetworkFlags } from '../network.ts';
import { readTargetFile, type Overridden } from './target-file.ts';
import {
  issuedKeys,
  TARGET_DEFAULTS,
  type Target,
  type TargetFile,
  type TargetKeys,
} from '../target.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Target options of the command line. */
export interface TargetFlags extends NetworkFlags {
  readonly 'base-url'?: string | undefined;
  readonly 'api-key'?: readonly string[] | undefined;
  readonly 'key-file'?: string | undefined;
  readonly target?: string | undefined;
}

interface ResolveOptions {
  readonly flags?: TargetFlags;
  readonly env?: Environment;
  readonly file?: TargetFile | undefined;
  /** Folder of the target file, in which `keyCommand` runs; default: the working directory. */
  readonly folder?: string | undefined;
  /** False when a valid key is optional, as for a diagnosis. Default: true. */
  readonly requireKey?: boolean;
  /** Texts in every report: a key must not occur in them. */
  readonly reserved?: readonly string[];
}

/** Environment variables, with the flags that override them. */
const VARIABLES: Readonly<Record<string, readonly (keyof TargetFlags)[]>> = {
  ASSAY_BASE_URL: ['base-url'],
  ASSAY_TARGET: ['target'],
  ASSAY_API_KEY: ['api-key', 'key-file'],
  ASSAY_KEY_FILE: ['api-key', 'key-file'],
  ASSAY_PROXY: ['proxy'],
  ASSAY_CA_FILE: ['ca-file'],
  ASSAY_CERT: ['cert'],
  ASSAY_CERT_KEY: ['cert', 'cert-key'],
  ASSAY_CERT_PASSPHRASE: [],
};

/** An empty variable is a missing secret or a typo. Treating it as unset would judge the wrong target. */
function refuseEmpty(flags: TargetFlags, env: Environment): void {
  for (const [variable, flagsBefore] of Object.entries(VARIABLES)) {
    const value = env[variable];
    if (value === undefined || !/^[\s,]*$/.test(value)) continue;
    if (flagsBefore.some((flag) => flags[flag] !== undefined)) continue;
    throw new TargetError(
      'ASSAY_TARGET_INVALID',
      `The environment variable ${variable} is empty.`,
      `Set the variable, or remove it: unset ${variable}`,
    );
  }
}

/** Whether flags or environment name a target. @throws TargetError when a relevant variable is empty */
export function namesTarget(flags: TargetFlags, env: Environment = process.env): boolean {
  refuseEmpty(flags, env);
  const { ASSAY_BASE_URL, ASSAY_TARGET } = env;
  return (flags['base-url'] ?? flags.target ?? ASSAY_BASE_URL ?? ASSAY_TARGET) !== undefined;
}

/** Flags that configure a target without naming one. */
const SETTING_FLAGS =
  'api-key key-file proxy ca-file cert cert-key insecure http2 header timeout-ms'.split(
    ' ',
  ) as (keyof TargetFlags)[];

/**
 * Loads the target named by flags or environment; null when they name none.
 * @throws TargetError also for a key or another setting without a target, unless no key is required: with such a
 * setting, the user does not mean the embedded reference server
 */
export function loadNamedTarget(options: Omit<ResolveOptions, 'file' | 'folder'>): Target | null {
  const { flags = {}, env = process.env } = options;
  if (namesTarget(flags, env)) return loadTarget(options);
  if (options.requireKey === false) return null;
  const [stray] = [
    ...SETTING_FLAGS.filter((flag) => flags[flag] !== undefined).map((flag) => `--${flag}`),
    ...['ASSAY_API_KEY', 'ASSAY_KEY_FILE'].filter((variable) => env[variable] !== undefined),
  ];
  if (stray === undefined) return null;
  throw new TargetError(
    'ASSAY_TARGET_BASE_URL',
    `${stray} is set, but no target is.`,
    `Set the target: --base-url URL, --target FILE, ASSAY_BASE_URL or ASSAY_TARGET. Without ${stray}, the embedded reference server is used.`,
  );
}

/** Reads the target file named by flags or `ASSAY_TARGET`, if any, and resolves the target. @throws TargetError */
export function loadTarget(options: Omit<ResolveOptions, 'file' | 'folder'>): Target {
  const { flags = {}, env = process.env } = options;
  refuseEmpty(flags, env);
  const path = flags.target ?? env['ASSAY_TARGET'];
  if (path === undefined) return resolveTarget({ ...options, env });
  // Variables in overridden settings need not be set.
  const overridden: Overridden[] = [];
  if (givenKeys(flags, env) !== undefined) overridden.push('keys.valid', 'keyCommand');
  if (givenUrl(flags, env) !== undefined) overridden.push('baseUrl');
  const file = readTargetFile(path, env, overridden);
  return resolveTarget({ ...options, env, file, folder: dirname(path) });
}

/** Merges flags over environment over the target file over the defaults. @throws TargetError */
export function resolveTarget(options: ResolveOptions): Target {
  const { flags = {}, env = process.env, file = {}, requireKey = true } = options;
  const [baseUrl, origin] = givenUrl(flags, env) ?? [file.baseUrl, 'baseUrl'];
  if (baseUrl === undefined) {
    throw new TargetError(
      'ASSAY_TARGET_BASE_URL',
      'No target: baseUrl is missing.',
      'Pass --base-url URL, set ASSAY_BASE_URL, or add baseUrl to the target file.',
    );
  }

  const { folder, reserved = [] } = options;
  const given = givenKeys(flags, env)?.() ?? keysOf(file, folder);
  const keys = mergeKeys(reserved, given, file.keys);
  if (requireKey && keys.valid.length === 0) {
    throw new TargetError(
      'ASSAY_TARGET_KEY',
      'No valid API key.',
      'Set ASSAY_API_KEY (comma-separated), pass --key-file, or add keys.valid or keyCommand to the target file.',
    );
  }
  const checked = checkBaseUrl(baseUrl, origin);
  checkApart(keys, checked, origin);
  const keyVariables = variablesOf(keys, env);
  const auth = { ...TARGET_DEFAULTS.auth, ...file.auth };
  return {
    baseUrl: checked,
    auth,
    keys,
    ...(Object.keys(keyVariables).length > 0 && { keyVariables }),
    fixtures: file.fixtures ?? {},
    limits: { ...TARGET_DEFAULTS.limits, ...file.limits },
    envelope: file.envelope ?? TARGET_DEFAULTS.envelope,
    http: resolveNetwork({
      flags,
      env,
      file: file.http ?? {},
      baseUrl: checked,
      keyHeader: auth.header,
      folder,
    }),
    ...(file.clock === undefined
      ? {}
      : { clock: { control: checkUrl(file.clock.control, 'clock.control').href } }),
  };
}

/** A base URL from flags or environment, and its origin. */
function givenUrl(flags: TargetFlags, env: Environment): [string, string] | undefined {
  if (flags['base-url'] !== undefined) return [flags['base-url'], '--base-url'];
  const { ASSAY_BASE_URL } = env;
  return ASSAY_BASE_URL === undefined ? undefined : [ASSAY_BASE_URL, 'ASSAY_BASE_URL'];
}

type GivenKeys = readonly [keys: readonly string[], origin: string];

/** Reads valid keys from flags or environment. The first source wins; other files are not read. */
function givenKeys(
  { 'api-key': apiKeys = [], 'key-file': keyFile }: TargetFlags,
  env: Environment,
): (() => GivenKeys) | undefined {
  if (apiKeys.length > 0) return () => [apiKeys, '--api-key'];
  const { ASSAY_API_KEY: listed, ASSAY_KEY_FILE: named } = env;
  if (keyFile === undefined && listed !== undefined) {
    const keys = listed.split(',').map((key) => key.trim());
    return () => [keys.filter((key) => key !== ''), 'ASSAY_API_KEY'];
  }
  const file = keyFile ?? named;
  const origin = keyFile === undefined ? 'ASSAY_KEY_FILE' : '--key-file';
  return file === undefined ? undefined : () => [keysOfFile(file, origin), origin];
}

/** The valid keys of a target file. Its command is run only for them. */
function keysOf({ keyCommand, keys }: TargetFile, folder: string | undefined): GivenKeys {
  if (keyCommand === undefined) return [keys?.valid ?? [], 'keys.valid'];
  if (keys?.valid === undefined) return [keysOfCommand(keyCommand, folder), 'keyCommand'];
  throw new TargetError(
    'ASSAY_TARGET_KEY',
    'The target file has both keys.valid and keyCommand.',
    'Remove one of the settings.',
  );
}

function mergeKeys(
  reserved: readonly string[],
  [given, origin]: GivenKeys,
  file: Partial<TargetKeys> = {},
): TargetKeys {
  const valid = [...new Set(given)];
  const keys = { ...file, valid };
  const seen = new Map<string, string>();
  for (const { name, key } of issuedKeys(keys)) {
    const setting = name.replace('keys.valid', origin);
    const first = seen.get(key);
    const fault = first === undefined ? keyFault(key, reserved) : `is the same key as ${first}`;
    if (fault !== undefined) {
      throw new TargetError(
        'ASSAY_TARGET_KEY',
        `${setting} ${fault}.`,
        first === undefined
          ? 'Use a random key of 6 or more characters, exactly as the service issued it.'
          : 'Use a different key for each role.',
      );
    }
    seen.set(key, setting);
  }
  return keys;
}

/** A key in the base URL would be redacted, so that no report could name the target. */
function checkApart({ valid }: TargetKeys, baseUrl: string, origin: string): void {
  const index = valid.findIndex((key) => baseUrl.toLowerCase().includes(key.toLowerCase()));
  if (index < 0) return;
  throw new TargetError(
    'ASSAY_TARGET_KEY',
    `Valid key ${index + 1} is part of ${origin}, which every report shows.`,
    'Keys are sent in a header: remove the key from the URL.',
  );
}

function checkBaseUrl(text: string, origin: string): string {
  const url = checkUrl(text, origin);
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(text)) {
    throw invalidUrl(`${origin} must not contain a query or a fragment.`);
  }
  return url.href.replace(/\/+$/, '');
}

function checkUrl(text: string, origin: string): URL {
  // `new URL` would parse `localhost` in `localhost:5055` as the scheme.
  const scheme = /^\s*([a-z][a-z0-9+.-]*:)\/\//i.exec(text)?.[1]?.toLowerCase();
  if (!URL.canParse(scheme === undefined ? `http://${text}` : text)) {
    throw invalidUrl(`${origin} is not a URL.`);
  }
  if (scheme !== 'http:' && scheme !== 'https:') {
    const found = scheme === undefined ? 'which is missing' : `not ${scheme}`;
    throw invalidUrl(`${origin} must begin with http:// or https://, ${found}.`);
  }
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw invalidUrl(
      `${origin} must not contain credentials; add a header under http.headers instead.`,
    );
  }
  return url;
}

function invalidUrl(message: string): TargetError {
  return new TargetError(
    'ASSAY_TARGET_BASE_URL',
    message,
    "Use the URL that the specification's paths are appended to, such as https://staging.example/v1.",
  );
}
