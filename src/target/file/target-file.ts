import { dirname, resolve } from 'node:path';
import { schemaFile } from '../../judge/schema/schema-files.ts';
import { validate } from '../../judge/schema/schemas.ts';
import { isObject } from '../../text/json-value.ts';
import { cut } from '../../text/text.ts';
import { TargetError, type TargetErrorCode, type TargetProblem } from '../errors.ts';
import type { TargetFile } from '../target.ts';
import { problemLines, settingOf, readSettings, yamlFile } from './yaml-file.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Settings that flags or environment can override, so that variables in them need not be set. */
export type Overridden = 'baseUrl' | 'keys.valid' | 'keyCommand';

/**
 * Reads a target file (YAML or JSON) from disk. `${VARIABLE}` in a value is replaced from `env`; relative paths of
 * certificates start at the folder of the file.
 * @throws TargetError naming file, line, column and setting.
 */
export function readTargetFile(
  file: string,
  env: Environment,
  overridden: readonly Overridden[] = [],
): TargetFile {
  const way =
    'Check the path in --target or ASSAY_TARGET, or create a target file with `assay init`.';
  const source = readSettings(
    file,
    (message, options) => new TargetError('ASSAY_TARGET_UNREADABLE', message, way, options),
  );
  const settings = parseTargetFile(source, file, env, overridden);
  return withPaths(settings, dirname(file));
}

function withPaths(settings: TargetFile, folder: string): TargetFile {
  const { http } = settings;
  const { caFile, clientCertificate: own = null } = http ?? {};
  if (typeof caFile !== 'string' && own === null) return settings;
  return {
    ...settings,
    http: {
      ...http,
      ...(typeof caFile === 'string' && { caFile: resolve(folder, caFile) }),
      ...(own !== null && {
        clientCertificate: {
          ...own,
          certFile: resolve(folder, own.certFile),
          ...(typeof own.keyFile === 'string' && { keyFile: resolve(folder, own.keyFile) }),
        },
      }),
    },
  };
}

/**
 * Parses the text of a target file. `file` is used in messages only. An overridden setting is ignored when a variable
 * in it is not set.
 * @throws TargetError with all problems found, in the order of the file.
 */
export function parseTargetFile(
  source: string,
  file: string,
  env: Environment,
  overridden: readonly Overridden[] = [],
): TargetFile {
  const yaml = yamlFile(source);
  const refuse = (
    code: TargetErrorCode,
    problems: readonly TargetProblem[],
    hint: string,
  ): never => {
    throw new TargetError(code, problemLines(file, problems), hint);
  };

  const { syntaxProblems } = yaml;
  if (syntaxProblems.length > 0) {
    return refuse('ASSAY_TARGET_SYNTAX', syntaxProblems, 'The file must be YAML or JSON.');
  }
  const hint =
    'schemas/tool/target.json describes the settings; `assay init` creates a target file.';
  const content: unknown = yaml.document.toJS({ maxAliasCount: 100 });
  const other = otherFormat(content);
  if (other !== null) {
    const problem = { setting: '', line: null, column: null, message: other };
    return refuse('ASSAY_TARGET_INVALID', [problem], hint);
  }

  const found = substituted(content, env);
  let { value: settings } = found;
  const missing = found.missing.filter(({ names }) => {
    const name = overridden.find((one) => `${names.join('.')}.`.startsWith(`${one}.`));
    if (name !== undefined) settings = without(settings, name.split('.'));
    return name === undefined;
  });
  if (missing.length > 0) {
    return refuse(
      'ASSAY_TARGET_VARIABLE',
      missing.map(({ variable, names }) => ({
        setting: settingOf(names),
        ...yaml.locationOf(names),
        message: `environment variable ${variable} is ${env[variable] === undefined ? 'not set' : 'empty'}`,
      })),
      'Set the variable, remove the setting, or write $${…} for a literal ${…}.',
    );
  }

  // Flags or environment may set the base URL, so it is checked later.
  const problems = validate('target', settings).filter(
    ({ keyword, pointer }) => keyword !== 'required' || pointer !== '/baseUrl',
  );
  if (problems.length === 0) return settings as TargetFile;
  return refuse(
    'ASSAY_TARGET_INVALID',
    problems.map((problem) => yaml.problem(problem)),
    hint,
  );
}

/** Detects a completely different file: one message is better than hundreds of unknown settings. */
function otherFormat(content: unknown): string | null {
  if (!isObject(content)) return 'contains no settings; expected at least baseUrl';
  const settings = Object(schemaFile('target')['properties']) as object;
  const names = Object.keys(content);
  // A target file without baseUrl may contain just a few misspelled settings.
  if (names.length < 3 || names.some((name) => Object.hasOwn(settings, name))) return null;
  if (names.includes('schemaVersion') && names.includes('verdict')) {
    return 'is the results.json of a run, not a target file; its member target.file names the target file of that run';
  }
  const shown = names.slice(0, 3).map((name) => cut(name, 40));
  return `is not a target file: none of its ${names.length} members (${shown.join(', ')}, …) is a setting`;
}

/** A variable that is not set, and the path of the setting that refers to it. */
type Missing = { readonly variable: string; readonly names: readonly string[] };

/** Settings with `${NAME}` replaced in all texts; `$${` is a literal `${`. */
function substituted(
  settings: unknown,
  env: Environment,
): { readonly value: unknown; readonly missing: readonly Missing[] } {
  const missing: Missing[] = [];
  const inText = (text: string, names: readonly string[]): string =>
    text.replaceAll(
      /(\$)?\$\{([^{}]*)\}/g,
      (match, escape: string | undefined, variable: string) => {
        if (escape !== undefined) return match.slice(1);
        const given = env[variable] ?? '';
        if (given.trim() === '') missing.push({ variable, names });
        return given;
      },
    );
  const within = (value: unknown, names: readonly string[]): unknown => {
    if (typeof value === 'string') return inText(value, names);
    if (Array.isArray(value)) return value.map((one, at) => within(one, [...names, String(at)]));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, within(one, [...names, name])]),
    );
  };
  return { value: within(settings, []), missing };
}

/** Settings without the one at a path. */
function without(settings: unknown, [name = '', ...rest]: readonly string[]): unknown {
  if (!isObject(settings)) return settings;
  const { [name]: inner, ...others } = settings;
  return rest.length === 0 ? others : { ...others, [name]: without(inner, rest) };
}
