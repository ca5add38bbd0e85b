import { REQUIREMENTS } from '../requirements/catalogue.ts';
import { REQUIREMENT_TEXTS } from '../requirements/texts.ts';
import { FORMATS, type Format } from '../report/formats.ts';
import { DAY, HOUR, MINUTE } from '../spec/time.ts';
import { suggestion } from '../text/closest-name.ts';
import { selects } from '../ask/patterns.ts';
import { loadNamedTarget, loadTarget } from '../target/file/resolve-target.ts';
import type { Target } from '../target/target.ts';
import type { NamedFile } from '../report/model/results.ts';
import { inGroup, number, string, strings, type ValuesOf } from './command.ts';
import { CONFIG_OPTIONS, type ConfigArguments } from './config.ts';
import { UsageError } from './errors.ts';

/** How the target is reached. */
export const NETWORK_OPTIONS = inGroup('Network:', {
  proxy: string('HTTP proxy, or "none"; default: HTTPS_PROXY and NO_PROXY'),
  'ca-file': string('PEM file with additional CA certificates'),
  cert: string('Client certificate, PEM'),
  'cert-key': string('Private key for --cert, PEM; default: the same file'),
  insecure: { type: 'boolean', describe: 'Accept any certificate; noted in every report' },
  http2: { type: 'boolean', describe: 'Offer HTTP/2 to https targets' },
  header: strings('Header for every request, "Name: value", repeatable', { alias: 'H', nargs: 1 }),
  'timeout-ms': number('Request timeout in milliseconds; default: 10000'),
});

/** The target, and how it is reached. */
export const TARGET_OPTIONS = {
  'base-url': string('Base URL of the target', { alias: 'u' }),
  target: string('Target file (YAML or JSON)', { alias: 't' }),
  'api-key': strings(
    'Valid key, repeatable; prefer ASSAY_API_KEY, because process lists show arguments',
    { alias: 'k' },
  ),
  'key-file': string('File with one valid key per line, readable only by you (or ASSAY_KEY_FILE)'),
  ...CONFIG_OPTIONS,
  ...NETWORK_OPTIONS,
} as const;

export type TargetArguments = Omit<ValuesOf<typeof TARGET_OPTIONS>, keyof ConfigArguments>;

/**
 * The target file named by flags or environment, exactly as the user wrote it: an absolute path would reveal something
 * about the machine.
 */
export function namedFile(argv: Pick<TargetArguments, 'target' | 'base-url'>): NamedFile {
  const { ASSAY_BASE_URL, ASSAY_TARGET } = process.env;
  const file = argv.target ?? ASSAY_TARGET;
  if (file === undefined || file.trim() === '') return {};
  const baseUrl = argv['base-url'] ?? ASSAY_BASE_URL;
  return baseUrl === undefined || baseUrl.trim() === '' ? { file } : { file, baseUrlGiven: true };
}

/**
 * The target from flags, environment and file; null when none of them names one, so that the embedded reference server
 * can be used.
 * @throws TargetError for invalid settings, UsageError for a configuration section without a target
 */
export function namedTarget(argv: TargetArguments & Partial<ConfigArguments>): Target | null {
  const target = loadNamedTarget({ reserved: REQUIREMENT_TEXTS, flags: argv });
  if (target === null && argv.environment !== undefined) {
    throw new UsageError(
      `Environment ${argv.environment} has no target.`,
      'Add `target: FILE` to it, or give --target FILE or --base-url URL.',
    );
  }
  if (target !== null) warnInsecure(target);
  return target;
}

/** The target from flags, environment and file. @throws TargetError for invalid settings */
export const targetOf = (argv: TargetArguments, requireKey = true): Target =>
  loadTarget({ reserved: REQUIREMENT_TEXTS, flags: argv, requireKey });

/** Warns on standard error that the target is not authenticated. */
export function warnInsecure({ baseUrl, http }: Target): void {
  if (!http.insecure || !baseUrl.startsWith('https:')) return;
  process.stderr.write(
    'assay: warning: TLS certificates are not verified (--insecure or http.insecure), so anyone between this machine and the target can read the keys. Use --ca-file instead.\n',
  );
}

/** Splits comma-separated texts and drops empty parts. */
export function listOf(text: string | readonly string[] | undefined): string[] {
  return [text ?? []]
    .flat()
    .flatMap((one) => one.split(','))
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/**
 * Requirement patterns of `--only` or `--skip`; empty without the flag.
 * @throws UsageError for a pattern that selects nothing, because an empty run must not look like success
 */
export function patternsOf(flag: string, text: string | readonly string[] | undefined): string[] {
  const patterns = listOf(text);
  const ids = REQUIREMENTS.map(({ id }) => id);
  for (const pattern of patterns) {
    if (ids.some((id) => selects(pattern, id))) continue;
    throw new UsageError(
      `${flag} ${pattern} selects no requirement.`,
      `${suggestion(pattern, ids)}\`assay requirements\` lists all ids.`,
    );
  }
  return patterns;
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: MINUTE, h: HOUR, d: DAY };

/** A duration such as `90s`, ms. @throws UsageError for anything but a number with a unit */
export function durationOf(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, count, unit] = /^(\d+(?:\.\d+)?)(ms|[smhd])$/.exec(text.trim()) ?? [];
  const factor = UNITS[unit ?? ''];
  if (count === undefined || factor === undefined) {
    throw new UsageError(`${option} takes a number with a unit.`, 'For example 90s, 30m or 2h.');
  }
  return Number(count) * factor;
}

/** The formats named by a `--format` flag. @throws UsageError for an unknown format */
export function formatsOf(text: string | readonly string[]): readonly Format[] {
  return listOf(text).map((name) => {
    const format = FORMATS.find((one) => one === name);
    if (format !== undefined) return format;
    throw new UsageError(
      `Unknown format "${name}".`,
      `${suggestion(name, FORMATS)}Formats: ${FORMATS.join(', ')}.`,
    );
  });
}
