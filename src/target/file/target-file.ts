import { dirname, resolve } from 'node:path';
import { isMap, isScalar, visit, type Document, type Node, type Pair } from 'yaml';
import { schemaFile } from '../../judge/schema/schema-files.ts';
import { validate } from '../../judge/schema/schemas.ts';
import { cut } from '../../text/text.ts';
import { TargetError, type TargetErrorCode, type TargetProblem } from '../errors.ts';
import type { TargetFile } from '../target.ts';
import { problemLines, settingsText, YamlFile } from './yaml-file.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Settings that flags or environment can override, so that variables in them need not be set. */
export type Overridden = 'baseUrl' | 'keys.valid' | 'keyCommand';

/**
 * Reads a target file (YAML or JSON) from disk. `${VARIABLE}` in a value is replaced from `env`; relative paths of
 * certificates start at the folder of the file.
 *
 * @throws TargetError naming file, line, column and setting.
 */
export function readTargetFile(
  file: string,
  env: Environment,
  overridden: readonly Overridden[] = [],
): TargetFile {
  let source: string;
  try {
    source = settingsText(file);
  } catch (cause) {
    throw new TargetError(
      'ASSAY_TARGET_UNREADABLE',
      `${file}: cannot be read: ${(cause as Error).message}`,
      'Check the path in --target or ASSAY_TARGET, or create a target file with `assay init`.',
      { cause },
    );
  }
  const settings = parseTargetFile(source, file, env, overridden);
  return withPaths(settings, dirname(file));
}

/** The settings with absolute paths of certificates. */
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
 *
 * @throws TargetError with all problems found, in the order of the file.
 */
export function parseTargetFile(
  source: string,
  file: string,
  env: Environment,
  overridden: readonly Overridden[] = [],
): TargetFile {
  const yaml = new YamlFile(source);
  const { document } = yaml;
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
  const other = otherFormat(document.contents);
  if (other !== null) {
    const problem = { setting: '', ...yaml.at(undefined), message: other };
    return refuse('ASSAY_TARGET_INVALID', [problem], hint);
  }

  const stoodIn = (setting: string): Overridden | undefined =>
    overridden.find((name) => setting === name || setting.startsWith(`${name}[`));
  const missing = substitute(document, env).filter(({ setting }) => {
    const name = stoodIn(setting);
    if (name !== undefined) document.deleteIn(name.split('.'));
    return name === undefined;
  });
  if (missing.length > 0) {
    return refuse(
      'ASSAY_TARGET_VARIABLE',
      missing.map(({ name, setting, offset }) => ({
        setting,
        ...yaml.at(offset),
        message: `environment variable ${name} is ${env[name] === undefined ? 'not set' : 'empty'}`,
      })),
      'Set the variable, remove the setting, or write $${…} for a literal ${…}.',
    );
  }

  const settings: unknown = document.toJS({ maxAliasCount: 100 });
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
function otherFormat(contents: unknown): string | null {
  if (!isMap(contents)) return 'contains no settings; expected at least baseUrl';
  const settings = Object(schemaFile('target')['properties']) as object;
  const names = contents.items.map(({ key }) => String(isScalar(key) ? key.value : key));
  // A target file without baseUrl may contain just a few misspelled settings.
  if (names.length < 3 || names.some((name) => Object.hasOwn(settings, name))) return null;
  if (names.includes('schemaVersion') && names.includes('verdict')) {
    return 'is the results.json of a run, not a target file; its member target.file names the target file of that run';
  }
  const shown = names.slice(0, 3).map((name) => cut(name, 40));
  return `is not a target file: none of its ${names.length} members (${shown.join(', ')}, …) is a setting`;
}

interface MissingVariable {
  readonly name: string;
  readonly setting: string;
  readonly offset: number | undefined;
}

/** Replaces `${NAME}` in all string values of the document; `$${` is a literal `${`. */
function substitute(document: Document, env: Environment): MissingVariable[] {
  const missing: MissingVariable[] = [];
  visit(document, {
    Scalar(key, scalar, path) {
      if (key === 'key' || typeof scalar.value !== 'string') return;
      scalar.value = scalar.value.replaceAll(
        /(\$)?\$\{([^{}]*)\}/g,
        (match, escape: string | undefined, name: string) => {
          if (escape !== undefined) return match.slice(1);
          const value = env[name];
          if (value !== undefined && value.trim() !== '') return value;
          missing.push({ name, setting: settingAt([...path, scalar]), offset: scalar.range?.[0] });
          return '';
        },
      );
    },
  });
  return missing;
}

/** Path of a node, such as `keys.valid[0]`, from its ancestors. */
function settingAt(path: readonly (Document | Node | Pair)[]): string {
  let setting = '';
  for (const [index, step] of path.entries()) {
    if ('key' in step && isScalar(step.key)) {
      setting += setting === '' ? String(step.key.value) : `.${String(step.key.value)}`;
    } else if ('items' in step && !isMap(step)) {
      const items: readonly unknown[] = step.items;
      setting += `[${items.indexOf(path[index + 1])}]`;
    }
  }
  return setting;
}
