import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Argv } from 'yargs';
import type { Profile } from '../ask/profiles.ts';
import type { YamlFile } from '../target/file/yaml-file.ts';
import { suggestion } from '../text/closest-name.ts';
import { decodedText } from '../text/decoded-text.ts';
import { UsageError } from './errors.ts';

/** Name of the file that defines environments. */
export const CONFIG_FILE = 'assay.config.yaml';

/** Arguments of commands that take an environment. */
export interface ConfigArguments {
  environment: string | undefined;
  config: string | undefined;
}

/** A section of the file, with paths relative to the working directory (`schemas/tool/config.json`). */
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

/** The configuration file is invalid. The message names the position, the hint the fix. */
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
      describe: `Take options from this section of ${CONFIG_FILE}`,
    })
    .option('config', {
      type: 'string',
      requiresArg: true,
      describe: `Configuration file; default: ${CONFIG_FILE} here or in a parent folder up to the repository root`,
    });
}

/**
 * Fills in arguments from the environment. Flags and `ASSAY_TARGET` take precedence.
 *
 * @param takes options that the command takes from an environment
 * @throws ConfigError when the file or the section is
 * invalid
 */
export async function withEnvironment<Arguments extends ConfigArguments>(
  argv: Arguments,
  takes: readonly (keyof Environment & keyof Arguments)[],
): Promise<Arguments> {
  const { environment, config } = argv;
  if (environment === undefined) {
    if (config === undefined) return argv;
    throw new UsageError('--config needs --environment.', 'Add --environment NAME.');
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

/** Members that name files. A missing target file has its own error. */
const FILES = ['waivers', 'baseline'] as const;

const MISSING_HINT =
  'Remove the setting until the file exists. `assay waive` creates a waiver file; the folder of a run can be a baseline.';

/** Missing files that a section names: one message each, without a full stop. */
function missingIn(
  section: ReadEnvironment,
  names: readonly (typeof FILES)[number][] = FILES,
): readonly string[] {
  return names.flatMap((name) => {
    const file = section[name];
    return file === undefined || existsSync(file)
      ? []
      : [`${section.place(name)}: ${file} does not exist`];
  });
}

/**
 * Missing files that an environment names, for `assay doctor`; empty without an environment.
 * @throws ConfigError when the file or the section is invalid
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
 * The environment whose target file is this one, if exactly one has it.
 * @param target path, relative to the working directory
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
    // A missing or invalid file means no environment here; commands that name one get the error.
    if (error instanceof ConfigError) return null;
    throw error;
  }
}

/** An environment with the positions of its members. */
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
      `${suggestion(name, names)}Environments: ${names.join(', ')}.`,
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
 * The file in the working directory or in a parent up to the repository root. Outside of a repository, parents are not
 * searched: they may belong to somebody else.
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
      ? `No ${CONFIG_FILE} in this folder.`
      : `No ${CONFIG_FILE} in this folder or its parents up to the repository root.`,
    'Create one (see docs/target-file.md) or pass --config FILE.',
  );
}

interface ReadConfig {
  readonly environments: Readonly<Record<string, Environment>>;
  readonly yaml: YamlFile;
}

async function readConfig(file: string): Promise<ReadConfig> {
  const [{ YamlFile: Yaml, problemLines }, { validate }] = await Promise.all([
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
  const problems = validate('config', value).map((problem) => yaml.problem(problem));
  if (problems.length === 0) {
    return { environments: value as Readonly<Record<string, Environment>>, yaml };
  }
  throw new ConfigError(
    problemLines(
      file,
      problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0)),
    ),
    'Each top-level member is an environment; schemas/tool/config.json lists its settings.',
  );
}
