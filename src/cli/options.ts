import type { Argv } from 'yargs';
import { REQUIREMENTS } from '../requirements/catalogue.ts';
import { suggestion } from '../text/closest-name.ts';
import { selects } from '../ask/patterns.ts';
import type { NetworkFlags } from '../target/network.ts';
import type { TargetFlags } from '../target/file/resolve-target.ts';
import type { Target } from '../target/target.ts';
import type { NamedFile } from '../report/model/results.ts';
import { withConfigOptions, type ConfigArguments } from './config.ts';
import { UsageError } from './errors.ts';

/** Options that name the target, shared by the commands that have one. */
export interface TargetArguments extends NetworkArguments {
  'base-url': string | undefined;
  target: string | undefined;
  'api-key': string[] | undefined;
  'key-file': string | undefined;
}

/** Options that say how the target is reached. */
export interface NetworkArguments {
  proxy: string | undefined;
  'ca-file': string | undefined;
  cert: string | undefined;
  'cert-key': string | undefined;
  insecure: boolean | undefined;
  http2: boolean | undefined;
  header: string[] | undefined;
  'timeout-ms': number | undefined;
}

export function withTargetOptions<T>(yargs: Argv<T>) {
  const named = yargs
    .option('base-url', {
      alias: 'u',
      type: 'string',
      requiresArg: true,
      describe: 'Base URL of the target',
    })
    .option('target', {
      alias: 't',
      type: 'string',
      requiresArg: true,
      describe: 'Target file (YAML or JSON)',
    })
    .option('api-key', {
      alias: 'k',
      type: 'string',
      array: true,
      requiresArg: true,
      describe:
        'Valid key, repeatable; better in ASSAY_API_KEY, for arguments show in process lists',
    })
    .option('key-file', {
      type: 'string',
      requiresArg: true,
      describe: 'File with one valid key a line, closed to other users (or ASSAY_KEY_FILE)',
    });
  return withNetworkOptions(withConfigOptions(named));
}

/** Heading of the options about how the target is reached. */
const NETWORK = 'Network:';

export function withNetworkOptions<T>(yargs: Argv<T>) {
  return yargs
    .option('proxy', {
      type: 'string',
      requiresArg: true,
      group: NETWORK,
      describe: 'HTTP proxy, or "none"; HTTPS_PROXY and NO_PROXY are read by default',
    })
    .option('ca-file', {
      type: 'string',
      requiresArg: true,
      group: NETWORK,
      describe: 'PEM file with further certificate authorities',
    })
    .option('cert', {
      type: 'string',
      requiresArg: true,
      group: NETWORK,
      describe: 'Certificate of your own that the target asks for, PEM',
    })
    .option('cert-key', {
      type: 'string',
      requiresArg: true,
      group: NETWORK,
      describe: 'Private key of --cert, PEM; by default it stands in the same file',
    })
    .option('insecure', {
      type: 'boolean',
      group: NETWORK,
      describe: 'Accept any certificate; every report says so',
    })
    .option('http2', { type: 'boolean', group: NETWORK, describe: 'Offer HTTP/2 to https targets' })
    .option('header', {
      alias: 'H',
      type: 'string',
      array: true,
      nargs: 1,
      requiresArg: true,
      group: NETWORK,
      describe: 'Header for every request, "Name: value", repeatable',
    })
    .option('timeout-ms', {
      type: 'number',
      requiresArg: true,
      group: NETWORK,
      describe: 'Time for one answer; 10000 by default',
    });
}

/** What the network options say, in the words of the target. */
export function networkFlags(argv: NetworkArguments): NetworkFlags {
  return {
    proxy: argv.proxy,
    caFile: argv['ca-file'],
    cert: argv.cert,
    certKey: argv['cert-key'],
    insecure: argv.insecure,
    http2: argv.http2,
    headers: argv.header,
    timeoutMs: argv['timeout-ms'],
  };
}

/**
 * The target file that flags or environment name, as the user wrote it and no other path of this machine; nothing when
 * they name none.
 */
export function namedFile(argv: TargetArguments): NamedFile {
  const { ASSAY_BASE_URL, ASSAY_TARGET } = process.env;
  const file = argv.target ?? ASSAY_TARGET;
  if (file === undefined || file.trim() === '') return {};
  const baseUrl = argv['base-url'] ?? ASSAY_BASE_URL;
  return baseUrl === undefined || baseUrl.trim() === '' ? { file } : { file, baseUrlGiven: true };
}

/** What the options say about the target, in its words. */
export function targetFlags(argv: TargetArguments): TargetFlags {
  return {
    baseUrl: argv['base-url'],
    apiKeys: argv['api-key'],
    keyFile: argv['key-file'],
    target: argv.target,
    ...networkFlags(argv),
  };
}

/**
 * The target of flags, environment and file; null when none of them says anything about one, so that the embedded reference
 * server may stand in.
 * @throws TargetError when what they say cannot be used, UsageError for a section of the configuration without a target
 */
export async function namedTarget(
  argv: TargetArguments & Partial<ConfigArguments>,
): Promise<Target | null> {
  const [{ loadNamedTarget }, { REQUIREMENT_TEXTS }] = await Promise.all([
    import('../target/file/resolve-target.ts'),
    import('../requirements/texts.ts'),
  ]);
  const target = loadNamedTarget({ reserved: REQUIREMENT_TEXTS, flags: targetFlags(argv) });
  if (target === null && argv.environment !== undefined) {
    throw new UsageError(
      `--environment ${argv.environment} is given, and names no target.`,
      'Add `target: FILE` to that section, or give --target FILE or --base-url URL.',
    );
  }
  if (target !== null) warnInsecure(target);
  return target;
}

/**
 * The target of flags, environment and file.
 * @param requireKey false when a missing valid key is no error
 * @throws TargetError when what they name cannot be used
 */
export async function targetOf(argv: TargetArguments, requireKey = true): Promise<Target> {
  const { loadTarget } = await import('../target/file/resolve-target.ts');
  const { REQUIREMENT_TEXTS } = await import('../requirements/texts.ts');
  return loadTarget({ reserved: REQUIREMENT_TEXTS, flags: targetFlags(argv), requireKey });
}

/** Says on the error stream that nobody knows who answers. The results and the report say it too. */
export function warnInsecure({ baseUrl, http }: Target): void {
  if (!http.insecure || !baseUrl.startsWith('https:')) return;
  process.stderr.write(
    'assay: warning: TLS certificates are not verified (--insecure or http.insecure). Whoever answers gets the keys; give the authority with --ca-file instead.\n',
  );
}

/** Parts of a text separated by commas, without empty ones. */
export function listOf(text: string | readonly string[] | undefined): string[] {
  const texts = text === undefined ? [] : typeof text === 'string' ? [text] : text;
  return texts
    .flatMap((one) => one.split(','))
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/**
 * Patterns of requirements, as `--only` and `--skip` take them; none when the flag is not given.
 * @throws UsageError for a pattern that selects nothing: a run of nothing must not look like success
 */
export function patternsOf(flag: string, text: string | readonly string[] | undefined): string[] {
  const patterns = listOf(text);
  const ids = REQUIREMENTS.map(({ id }) => id);
  for (const pattern of patterns) {
    if (ids.some((id) => selects(pattern, id))) continue;
    throw new UsageError(
      `${flag} ${pattern} selects no requirement.`,
      `${suggestion(pattern, ids)}\`assay requirements\` lists all.`,
    );
  }
  return patterns;
}
