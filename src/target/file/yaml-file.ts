import { readFileSync, statSync } from 'node:fs';
import { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, type Document } from 'yaml';
import { validate, type SchemaProblem } from '../../judge/schema/schemas.ts';
import { pointerParts } from '../../text/json-value.ts';
import { decodedText } from '../../text/decoded-text.ts';
import type { TargetProblem } from '../errors.ts';

/** Most problems to list; the rest is counted. */
const MOST_PROBLEMS = 10;

/** Settings files are small; a larger file is a mistake. */
const MAX_BYTES = 1024 * 1024;

/** The text of a settings file. @throws Error when it cannot be read, or is too large */
export function settingsText(file: string): string {
  if (statSync(file).size > MAX_BYTES) throw new Error('larger than 1 MiB');
  return decodedText(readFileSync(file));
}

/** The text of a settings file. @throws the error that `refuse` makes when it cannot be read */
export function readSettings(
  file: string,
  refuse: (message: string, options: ErrorOptions) => Error,
): string {
  try {
    return settingsText(file);
  } catch (cause) {
    throw refuse(`${file}: cannot be read: ${(cause as Error).message}`, { cause });
  }
}

/** A YAML or JSON settings file that reports problems with line, column and setting. */
export function yamlFile(source: string) {
  const lineCounter = new LineCounter();
  const document = parseDocument(source, { lineCounter, prettyErrors: false });
  /** Line and column of an offset, counted from 1. */
  const at = (offset: number | undefined): Pick<TargetProblem, 'line' | 'column'> => {
    if (offset === undefined) return { line: null, column: null };
    const { line, col } = lineCounter.linePos(offset);
    return { line, column: col };
  };
  const locationOf = (names: readonly string[]) => at(offsetOf(document, names));
  return {
    document,
    locationOf,
    /** The first syntax error, which usually causes the others; empty when there is none. */
    syntaxProblems: document.errors
      .slice(0, 1)
      .map(({ pos, message }): TargetProblem => ({ setting: '', ...at(pos[0]), message })),
    problem(problem: SchemaProblem): TargetProblem {
      const names = pointerParts(problem.pointer);
      const message = describeProblem(problem);
      return { setting: settingOf(names), ...locationOf(names), message };
    },
  };
}

/**
 * A YAML or JSON file and its content, which its schema permits.
 * @param refuse makes the error for the lines that say what is wrong
 */
export function validSettings(
  schema: Parameters<typeof validate>[0],
  [file, source]: readonly [file: string, source: string],
  refuse: (lines: string, isSyntax: boolean) => Error,
) {
  const yaml = yamlFile(source);
  const { syntaxProblems } = yaml;
  if (syntaxProblems.length > 0) throw refuse(problemLines(file, syntaxProblems), true);
  const value: unknown = yaml.document.toJS({ maxAliasCount: 100 });
  const problems = validate(schema, value).map((problem) => yaml.problem(problem));
  if (problems.length > 0) throw refuse(problemLines(file, problems), false);
  return { yaml, value };
}

/** One line per problem in the order of the file, up to a limit: `target.yaml:3:5: keys.valid[0]: …`. */
export function problemLines(file: string, problems: readonly TargetProblem[]): string {
  const inOrder = problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
  const shown = inOrder.slice(0, MOST_PROBLEMS).map(({ setting, line, column, message }) => {
    const location = line === null ? file : `${file}:${line}:${column ?? 1}`;
    return `${location}: ${setting === '' ? '' : `${setting}: `}${message}`;
  });
  const more = problems.length - shown.length;
  return [...shown, ...(more > 0 ? [`${file}: and ${more} more`] : [])].join('\n');
}

/** The path of a setting as text: `keys.valid[0]`. */
export const settingOf = (names: readonly string[]): string =>
  names
    .map((name) => (/^\d+$/.test(name) ? `[${name}]` : `.${name}`))
    .join('')
    .replace(/^\./, '');

/** Offset of a setting; for a missing one, of its parent. */
function offsetOf(document: Document, names: readonly string[]): number | undefined {
  const path = names.map((step) => (/^\d+$/.test(step) ? Number(step) : step));
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

/** Keys and headers may be secrets: messages about them do not show the value. */
function describeProblem({ pointer, keyword, expected, actual }: SchemaProblem): string {
  if (keyword === 'additionalProperties') return `unknown setting; expected ${expected}`;
  if (keyword === 'uniqueItems') return 'contains duplicate values';
  if (keyword === 'required') return `is missing; expected ${expected}`;
  const secret =
    /^\/(keys|keyCommand|http\/(headers|bearer|proxy|clientCertificate\/passphrase))\b/.test(
      pointer,
    );
  return secret ? `expected ${expected}` : `expected ${expected}, found ${actual}`;
}
