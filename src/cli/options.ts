import type { Argv } from 'yargs';
import { REQUIREMENTS } from '../contract/requirements.ts';
import { closestName } from '../rules/closest-name.ts';
import { selects } from '../suite/patterns.ts';
import type { Target } from '../target/target.ts';
import { UsageError } from './errors.ts';

/** Options that name the target, shared by the commands that have one. */
export interface TargetArguments {
  'base-url': string | undefined;
  target: string | undefined;
  'api-key': string[] | undefined;
}

export function withTargetOptions<T>(yargs: Argv<T>) {
  return yargs
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
    });
}

/**
 * The target of flags, environment and file; null when none of them names one.
 * @throws TargetError when what they name cannot be used
 */
export async function namedTarget(argv: TargetArguments): Promise<Target | null> {
  const { ASSAY_BASE_URL, ASSAY_TARGET } = process.env;
  const named = [argv['base-url'], argv.target, ASSAY_BASE_URL, ASSAY_TARGET];
  if (!named.some((value) => value !== undefined && value !== '')) return null;
  const { loadTarget } = await import('../target/resolve-target.ts');
  return loadTarget({
    flags: { baseUrl: argv['base-url'], apiKeys: argv['api-key'], target: argv.target },
  });
}

/** Parts of a text separated by commas, without empty ones. */
export function listOf(text: string | readonly string[] | undefined): string[] {
  const texts = text === undefined ? [] : typeof text === 'string' ? [text] : text;
  return texts
    .flatMap((one) => one.split(','))
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** @throws UsageError for a pattern that selects nothing: a run of nothing must not look like success */
export function checkPatterns(flag: string, patterns: string[]): string[] {
  const ids = REQUIREMENTS.map(({ id }) => id);
  for (const pattern of patterns) {
    if (ids.some((id) => selects(pattern, id))) continue;
    const meant = closestName(pattern, ids);
    throw new UsageError(
      `${flag} ${pattern} selects no requirement.`,
      `${meant === undefined ? '' : `Did you mean ${meant}? `}\`assay requirements\` lists all.`,
    );
  }
  return patterns;
}
