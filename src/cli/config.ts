import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Argv } from 'yargs';
import type { Profile } from '../ask/profiles.ts';
import type { YamlFile } from '../target/file/yaml-file.ts';
import { suggestion } from '../text/closest-name.ts';
import { decodedText } from '../text/decoded-text.ts';
import { UsageError } from './errors.ts';

/** Name of the file that environments stand in. */
export const CONFIG_FILE = 'assay.config.yaml';

/** Arguments of the commands that take an environment. */
export interface ConfigArguments {
  environment: string | undefined;
  config: string | undefined;
}

/** A section of the file, its paths relative to the working folder (`schemas/tool/config.json`). */
export interface Environment {
  readonly target?: string;
  readonly profile?: Profile;
  readonly waivers?: string;
  readonly baseline?: string;
  readonly 'fail-on'?: string | readonly string[];
  readonly skip?: string | readonly string[];
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
  const named = process.env['ASSAY_TARGET'] !== undefined;
  const filled = takes.filter(
    (name) =>
      argv[name] === undefined && section[name] !== undefined && !(name === 'target' && named),
  );
  const [missing] = missingIn(
    section,
    FILES.filter((name) => filled.some((one) => one === name)),
  );
  if (missing !== undefined) throw new ConfigError(`${missing}.`, MISSING_HINT);
  return { ...argv, ...Object.fromEntries(filled.map((name) => [name, section[name]])) };
}

/** Members that name files which a run reads; the target file has words of its own. */
const FILES = ['waivers', 'baseline'] as const;

const MISSING_HINT =
  'Leave the setting out until there is one: `assay waive` writes a waiver file, and the folder of a run is a baseline.';

/** What is wrong with files that a section names, with file and line, and without a full stop. */
function missingIn(
  section: ReadEnvironment,
  names: readonly (typeof FILES)[number][] = FILES,
): readonly string[] {
  return names.flatMap((name) => {
    const file = section[name];
    return file === undefined || existsSync(file)
      ? []
      : [`${section.place(name)}: there is no file or folder ${file}`];
  });
}

/**
 * What an environment names and a run could not read, for a diagnosis; empty without an environment.
 * @throws ConfigError when file or section cannot be used
 */
export async function missingFiles({
  environment,
  config,
}: ConfigArguments): Promise<{ readonly problems: readonly string[]; readonly hint: string }> {
  const problems =
    environment === undefined ? [] : missingIn(await readEnvironment(environment, config));
  return { problems, hint: MISSING_HINT };
}

/**
 * The environment of the configuration file here whose target file is this one, when there is just one.
 * @param target path, relative to the working folder
 */
export async function environmentOf(target: string): Promise<string | null> {
  try {
    const file = foundFile();
    const { environments } = await readConfig(file);
    const folder = path.dirname(file);
    const names = Object.entries(environments).flatMap(([name, section]) =>
      section.target !== undefined && path.resolve(folder, section.target) === path.resolve(target)
        ? [name]
        : [],
    );
    return names.length === 1 ? (names[0] ?? null) : null;
  } catch (error) {
    // Without a file, or with one that cannot be used, there is none; who names it is told why.
    if (error instanceof ConfigError) return null;
    throw error;
  }
}

/** An environment, and where its members stand. */
interface ReadEnvironment extends Environment {
  /** `assay.config.yaml:4:3: staging.waivers` */
  readonly place: (member: keyof Environment) => string;
}

async function readEnvironment(name: string, config: string | undefined): Promise<ReadEnvironment> {
  const file = config ?? foundFile();
  const { environments, yaml } = await readConfig(file);
  const section = Object.hasOwn(environments, name) ? environments[name] : undefined;
  if (section === undefined) {
    const names = Object.keys(environments);
    throw new ConfigError(
      `${file} has no environment "${name}".`,
      `${suggestion(name, names)}It has ${names.join(', ')}.`,
    );
  }
  const folder = path.dirname(file);
  const relative = PATHS.flatMap((one) => {
    const value = section[one];
    return value === undefined ? [] : [[one, path.relative('', path.resolve(folder, value))]];
  });
  const place = (member: keyof Environment): string => {
    const { line, column } = yaml.placeOf([name, member]);
    return `${file}:${line ?? 1}:${column ?? 1}: ${name}.${member}`;
  };
  return { ...section, ...(Object.fromEntries(relative) as Environment), place };
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

interface ReadConfig {
  readonly environments: Readonly<Record<string, Environment>>;
  readonly yaml: YamlFile;
}

async function readConfig(file: string): Promise<ReadConfig> {
  const [{ YamlFile: Yaml, problemLines }, { validateConfig }] = await Promise.all([
    import('../target/file/yaml-file.ts'),
    import('../judge/schema/schemas.ts'),
  ]);
  let source: string;
  try {
    source = decodedText(readFileSync(file));
  } catch (cause) {
    throw new ConfigError(
      `${file}: cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
      'Check the path given with --config.',
      { cause },
    );
  }
  const yaml = new Yaml(source);
  if (yaml.syntaxProblems.length > 0) {
    throw new ConfigError(
      problemLines(file, yaml.syntaxProblems),
      'The file must be YAML or JSON.',
    );
  }
  const value: unknown = yaml.document.toJS({ maxAliasCount: 100 });
  const problems = validateConfig(value).map((problem) => yaml.problem(problem));
  if (problems.length === 0) {
    return { environments: value as Readonly<Record<string, Environment>>, yaml };
  }
  throw new ConfigError(
    problemLines(
      file,
      problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0)),
    ),
    'Each member is an environment, with settings as in schemas/tool/config.json.',
  );
}
