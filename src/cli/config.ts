import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Argv } from 'yargs';
import type { Profile } from '../ask/profiles.ts';
import { closestName } from '../text/closest-name.ts';
import { UsageError } from './errors.ts';

/** Name of the file that environments stand in. */
export const CONFIG_FILE = 'assay.config.yaml';

/** Arguments of the commands that take an environment. */
export interface ConfigArguments {
  environment: string | undefined;
  config: string | undefined;
}

/** A section of the file, its paths relative to the working folder (`schemas/config.json`). */
export interface Environment {
  readonly target?: string;
  readonly profile?: Profile;
  readonly waivers?: string;
  readonly baseline?: string;
  readonly 'fail-on'?: string | readonly string[];
  readonly output?: string;
  readonly format?: string | readonly string[];
}

/** Members that are paths. */
const PATHS = ['target', 'waivers', 'baseline', 'output'] as const;

/** The configuration file cannot be used. The message names the place, the hint the way out. */
export class ConfigError extends Error {
  readonly code = 'ASSAY_CONFIG';
  readonly hint: string;
  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ConfigError';
    this.hint = hint;
  }
}

export function withConfigOptions<T>(yargs: Argv<T>) {
  return yargs
    .option('environment', {
      alias: 'e',
      type: 'string',
      requiresArg: true,
      describe: `Section of ${CONFIG_FILE} that options are taken from`,
    })
    .option('config', {
      type: 'string',
      requiresArg: true,
      describe: `The file; ${CONFIG_FILE} here, or above it up to the root of the repository, by default`,
    });
}

/**
 * The arguments of a command, filled up with what the environment says: a flag wins over it, and so does `ASSAY_TARGET`.
 *
 * @param takes what the command has options for
 * @throws ConfigError when file or section cannot be used
 */
export async function withEnvironment<Arguments extends ConfigArguments>(
  argv: Arguments,
  takes: readonly (keyof Environment & keyof Arguments)[],
): Promise<Arguments> {
  const { environment, config } = argv;
  if (environment === undefined) {
    if (config === undefined) return argv;
    throw new UsageError(
      '--config names a file, and no environment in it.',
      'Add one: --environment NAME.',
    );
  }
  const section = await readEnvironment(environment, config);
  const named = (process.env['ASSAY_TARGET'] ?? '').trim() !== '';
  const filled = takes.filter(
    (name) =>
      argv[name] === undefined && section[name] !== undefined && !(name === 'target' && named),
  );
  return { ...argv, ...Object.fromEntries(filled.map((name) => [name, section[name]])) };
}

/** Names of the environments, for completion: of a file that cannot be used there are none. */
export async function environmentNames(): Promise<readonly string[]> {
  try {
    return Object.keys(await readConfig(foundFile()));
  } catch {
    return [];
  }
}

async function readEnvironment(name: string, config: string | undefined): Promise<Environment> {
  const file = config ?? foundFile();
  const environments = await readConfig(file);
  const section = Object.hasOwn(environments, name) ? environments[name] : undefined;
  if (section === undefined) {
    const names = Object.keys(environments);
    const meant = closestName(name, names);
    throw new ConfigError(
      `${file} has no environment "${name}".`,
      `${meant === undefined ? '' : `Did you mean ${meant}? `}It has ${names.join(', ')}.`,
    );
  }
  const folder = path.dirname(file);
  const relative = PATHS.flatMap((one) => {
    const value = section[one];
    return value === undefined ? [] : [[one, path.relative('', path.resolve(folder, value))]];
  });
  return { ...section, ...(Object.fromEntries(relative) as Environment) };
}

/**
 * The file of the working folder, or of one above it up to the root of the repository; outside of a repository, other
 * people's folders are not looked at.
 * @throws ConfigError when there is none
 */
function foundFile(): string {
  const searched: string[] = [];
  for (let folder = process.cwd(); ; folder = path.dirname(folder)) {
    searched.push(folder);
    if (existsSync(path.join(folder, '.git'))) break;
    if (folder === path.dirname(folder)) {
      searched.splice(1);
      break;
    }
  }
  const folder = searched.find((one) => existsSync(path.join(one, CONFIG_FILE)));
  if (folder !== undefined) return path.relative('', path.join(folder, CONFIG_FILE));
  throw new ConfigError(
    searched.length === 1
      ? `There is no ${CONFIG_FILE} in this folder.`
      : `There is no ${CONFIG_FILE} in this folder, nor above it up to the root of the repository.`,
    'Write one, as docs/target-file.md shows, or name it: --config FILE.',
  );
}

async function readConfig(file: string): Promise<Readonly<Record<string, Environment>>> {
  const [{ YamlFile, problemLines }, { validateConfig }] = await Promise.all([
    import('../target/yaml-file.ts'),
    import('../rules/schemas.ts'),
  ]);
  let source: string;
  try {
    source = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new ConfigError(
      `${file}: cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
      'Check the path given with --config.',
      { cause },
    );
  }
  const yaml = new YamlFile(source);
  if (yaml.syntaxProblems.length > 0) {
    throw new ConfigError(
      problemLines(file, yaml.syntaxProblems),
      'The file must be YAML or JSON.',
    );
  }
  const value: unknown = yaml.document.toJS({ maxAliasCount: 100 });
  const problems = validateConfig(value).map((problem) => yaml.problem(problem));
  if (problems.length === 0) return value as Readonly<Record<string, Environment>>;
  throw new ConfigError(
    problemLines(
      file,
      problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0)),
    ),
    'Each member is an environment, with settings as in schemas/config.json.',
  );
}
