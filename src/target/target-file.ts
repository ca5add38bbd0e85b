import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml';
import type { Document, Node, Pair } from 'yaml';
import { validateTarget } from '../rules/schemas.ts';
import type { SchemaProblem } from '../rules/schemas.ts';
import { problemLine, TargetError } from './errors.ts';
import type { TargetErrorCode, TargetProblem } from './errors.ts';
import type { TargetFile } from './target.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A target file is a page of settings; anything larger is another file by mistake. */
const MAX_BYTES = 1024 * 1024;

/**
 * Reads a target file (YAML or JSON) from disk. `${VARIABLE}` in a value is replaced from `env`; relative
 * paths of certificates are taken from the folder of the file.
 *
 * @throws TargetError naming file, line, column and setting.
 */
export function readTargetFile(file: string, env: Environment): TargetFile {
  let source: string;
  try {
    if (statSync(file).size > MAX_BYTES) throw new Error('larger than 1 MiB');
    source = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new TargetError(
      'ASSAY_TARGET_UNREADABLE',
      `${file}: cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
      'Check the path given with --target or ASSAY_TARGET, or write a target file with `assay init`.',
      { file, cause },
    );
  }
  const settings = parseTargetFile(source, file, env);
  return withPaths(settings, dirname(file));
}

/** The settings with the paths of certificates as they are from here. */
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
 * Parses the text of a target file. `file` is used in messages only.
 *
 * @throws TargetError with all problems found, in the order of the file.
 */
export function parseTargetFile(source: string, file: string, env: Environment): TargetFile {
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number | undefined): { line: number | null; column: number | null } => {
    if (offset === undefined) return { line: null, column: null };
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const refuse = (code: TargetErrorCode, problems: TargetProblem[], hint: string): never => {
    const sorted = problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
    const message = sorted.map((problem) => problemLine(file, problem)).join('\n');
    throw new TargetError(code, message, hint, { file, problems: sorted });
  };

  if (document.errors.length > 0) {
    const problems = document.errors.map(({ pos, message }) => ({
      setting: '',
      ...at(pos[0]),
      message,
    }));
    return refuse('ASSAY_TARGET_SYNTAX', problems, 'The file must be YAML or JSON.');
  }
  const hint = 'The settings are described in schemas/target.json; `assay init` writes an example.';
  if (!isMap(document.contents)) {
    const message = 'holds no settings; at least baseUrl is expected';
    return refuse('ASSAY_TARGET_INVALID', [{ setting: '', ...at(undefined), message }], hint);
  }

  const missing = substitute(document, env);
  if (missing.length > 0) {
    return refuse(
      'ASSAY_TARGET_VARIABLE',
      missing.map(({ name, setting, offset }) => ({
        setting,
        ...at(offset),
        message: `environment variable ${name} is not set`,
      })),
      'Set the variable, remove the setting, or write $${…} for a literal ${…}.',
    );
  }

  const settings: unknown = document.toJS({ maxAliasCount: 100 });
  // A flag or the environment may give the base URL; its absence is judged when all of them are known.
  const problems = validateTarget(settings).filter(
    ({ keyword, place }) => keyword !== 'required' || place !== '/baseUrl',
  );
  if (isTargetFile(settings, problems)) return settings;
  return refuse(
    'ASSAY_TARGET_INVALID',
    problems.map((problem) => ({
      setting: settingOf(problem.place),
      ...at(offsetOf(document, problem.place)),
      message: complaint(problem),
    })),
    hint,
  );
}

function isTargetFile(value: unknown, problems: readonly SchemaProblem[]): value is TargetFile {
  return typeof value === 'object' && value !== null && problems.length === 0;
}

interface MissingVariable {
  readonly name: string;
  readonly setting: string;
  readonly offset: number | undefined;
}

/** Replaces `${NAME}` in all string values of the document; `$${` stands for a literal `${`. */
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
          if (value !== undefined && value !== '') return value;
          missing.push({ name, setting: settingAt([...path, scalar]), offset: scalar.range?.[0] });
          return '';
        },
      );
    },
  });
  return missing;
}

/** Path of a node, `keys.valid[0]`, from the nodes and pairs that lead to it. */
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

/** `/keys/valid/0` as `keys.valid[0]`. */
function settingOf(pointer: string): string {
  return steps(pointer)
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
}

function steps(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Where the setting stands in the file; for a missing one, where the settings around it begin. */
function offsetOf(document: Document, pointer: string): number | undefined {
  const path = steps(pointer).map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  for (let depth = path.length; depth > 0; depth -= 1) {
    const parent: unknown =
      depth === 1 ? document.contents : document.getIn(path.slice(0, depth - 1), true);
    const last = path[depth - 1];
    if (isMap(parent)) {
      const pair = parent.items.find(
        ({ key }) => isScalar(key) && String(key.value) === String(last),
      );
      if (isNode(pair?.key)) return pair.key.range?.[0];
    } else if (isSeq(parent) && typeof last === 'number') {
      const item = parent.items[last];
      if (isNode(item)) return item.range?.[0];
    }
  }
  return undefined;
}

/** Keys and headers may be secrets: a message about them says what is wrong without showing them. */
function complaint({ place, keyword, expected, actual }: SchemaProblem): string {
  if (keyword === 'additionalProperties') return `unknown setting; expected ${expected}`;
  if (keyword === 'required') return `is missing; expected ${expected}`;
  const secret = /^\/(keys|keyCommand|http\/(headers|proxy|clientCertificate\/passphrase))\b/.test(
    place,
  );
  return secret ? `expected ${expected}` : `expected ${expected}, found ${actual}`;
}
