import { existsSync } from 'node:fs';
import path from 'node:path';
import { readSettings, validSettings } from '../target/file/yaml-file.ts';
import { suggestion } from '../text/closest-name.ts';
import { CodedError } from '../text/hinted-error.ts';
import { string, type ValuesOf } from './command.ts';
import { UsageError } from './errors.ts';

const CONFIG_FILE = 'assay.config.yaml';

/** Options of commands that take an environment. */
export const CONFIG_OPTIONS = {
  environment: string(`Take options from this section of ${CONFIG_FILE}`, { alias: 'e' }),
  config: string(
    `Configuration file; default: ${CONFIG_FILE} here or in a parent folder up to the repository root`,
  ),
};

export type ConfigArguments = ValuesOf<typeof CONFIG_OPTIONS>;

const PATHS = ['target', 'waivers', 'baseline', 'output'] as const;
const LISTS = ['fail-on', 'skip', 'format'] as const;

/** A section of the file, with paths relative to the working directory (`schemas/tool/config.json`). */
type Environment = Readonly<
  Partial<Record<(typeof PATHS)[number] | 'profile', string>> &
    Partial<Record<(typeof LISTS)[number], string | readonly string[]>>
>;

/** The configuration file is invalid. The message names the position, the hint the fix. */
class ConfigError extends CodedError('ASSAY_CONFIG') {}

/**
 * Fills in arguments from the environment. Flags and `ASSAY_TARGET` take precedence.
 * @param takes options that the command takes from an environment
 * @throws ConfigError when the file or the section is
 * invalid
 */
export function withEnvironment<Arguments extends ConfigArguments>(
  argv: Arguments,
  takes: readonly (keyof Environment & keyof Arguments)[],
): Arguments {
  const { environment, config } = argv;
  if (environment === undefined) {
    if (config === undefined) return argv;
    throw new UsageError('--config needs --environment.', 'Add --environment NAME.');
  }
  const section = readEnvironment(environment, config);
  const named = process.env['ASSAY_TARGET'] !== undefined;
  const filled = takes.filter(
    (name) =>
      argv[name] === undefined && section[name] !== undefined && !(name === 'target' && named),
  );
  return { ...argv, ...Object.fromEntries(filled.map((name) => [name, section[name]])) };
}

function readEnvironment(name: string, config: string | undefined): Environment {
  const file = config ?? foundFile();
  const environments = readConfig(file);
  const section = Object.hasOwn(environments, name) ? environments[name] : undefined;
  if (section === undefined) {
    const names = Object.keys(environments);
    throw new ConfigError(
      `${file} has no environment "${name}".`,
      `${suggestion(name, names)}Environments: ${names.join(', ')}.`,
    );
  }
  const relative = (value: string): string =>
    path.relative('', path.resolve(path.dirname(file), value));
  const paths = PATHS.flatMap((one) =>
    section[one] === undefined ? [] : [[one, relative(section[one])]],
  );
  return { ...section, ...(Object.fromEntries(paths) as Environment) };
}

/**
 * The file in the working directory or in a parent up to the repository root. Outside of a repository, parents are not
 * searched: they may belong to somebody else.
 * @throws ConfigError when there is none
 */
function foundFile(): string {
  const here = process.cwd();
  const folders = [here];
  for (let up = path.dirname(here); up !== folders.at(-1); up = path.dirname(up)) folders.push(up);
  const root = folders.findIndex((one) => existsSync(path.join(one, '.git')));
  const searched = folders.slice(0, Math.max(0, root) + 1);
  const folder = searched.find((one) => existsSync(path.join(one, CONFIG_FILE)));
  if (folder !== undefined) return path.relative('', path.join(folder, CONFIG_FILE));
  throw new ConfigError(
    searched.length === 1
      ? `No ${CONFIG_FILE} in this folder.`
      : `No ${CONFIG_FILE} in this folder or its parents up to the repository root.`,
    'Create the file (see docs/target-file.md) or pass --config FILE.',
  );
}

function readConfig(file: string): Readonly<Record<string, Environment>> {
  const way = 'Check the path given with --config.';
  const source = readSettings(file, (message, options) => new ConfigError(message, way, options));
  const { value } = validSettings('config', [file, source], (lines, isSyntax) => {
    const members =
      'Each top-level member is an environment; schemas/tool/config.json lists its settings.';
    return new ConfigError(lines, isSyntax ? 'The file must be YAML or JSON.' : members);
  });
  return value as Readonly<Record<string, Environment>>;
}
