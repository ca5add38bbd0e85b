import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));

/**
 * Which folders of `src` each folder may import. Arrows run downwards only: the command line knows everything, the
 * contract nothing. `reference` knows no rules, so that judge and judged stay independent.
 */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  text: ['contract'],
  rules: ['contract', 'text'],
  target: ['contract', 'text', 'rules'],
  http: ['contract', 'text', 'rules', 'target'],
  suite: ['contract', 'text', 'rules', 'target', 'http'],
  har: ['contract', 'text', 'rules', 'target', 'http'],
  report: ['contract', 'text'],
  // Runs in the page: pure words and shapes of the others, and no module of Node.
  'report-app': ['contract', 'text', 'report'],
  reference: ['contract', 'text'],
  // A second service by another hand: it must know nothing of the first, nor of what judges it.
  independent: [],
  openapi: ['contract', 'text', 'rules'],
  run: ['contract', 'text', 'rules', 'target', 'http', 'suite', 'report', 'reference', 'har'],
  load: ['contract', 'text', 'rules', 'target', 'http', 'report', 'reference'],
  doctor: ['contract', 'text', 'rules', 'target', 'http', 'load'],
  prove: [
    'contract',
    'text',
    'rules',
    'target',
    'reference',
    'independent',
    'run',
    'report',
    'suite',
  ],
  bench: ['text', 'target', 'reference', 'openapi', 'run', 'report', 'load'],
  cli: [
    'contract',
    'text',
    'rules',
    'target',
    'http',
    'suite',
    'report',
    'reference',
    'openapi',
    'run',
    'load',
    'har',
    'doctor',
  ],
};

/** Packages and Node modules that the pure folders may import; ajv is how schemas judge. */
const PURE_IMPORTS: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  rules: ['ajv', 'ajv-formats', 'parse5', 'node:module'],
  'report-app': ['preact'],
};

interface Import {
  readonly file: string;
  readonly target: string;
}

function sources(folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.test.ts'),
    )
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
}

/** Import specifiers of a source text: static, dynamic, and types. */
export function importsOf(text: string): string[] {
  const pattern = /(?:\bfrom\s*|\bimport\s*\(\s*|^import\s+)'([^']+)'/gm;
  return [...text.matchAll(pattern)].map((match) => match[1] ?? '');
}

function allImports(folder: string): Import[] {
  return sources(folder).flatMap((file) =>
    importsOf(readFileSync(path.join(root, file), 'utf8')).map((target) => ({ file, target })),
  );
}

/** Folder below `src` that a relative import leads to; undefined for packages. */
function folderOf({ file, target }: Import): string | undefined {
  if (!target.startsWith('.')) return undefined;
  const resolved = path.join(path.dirname(file), target);
  const [top, folder] = resolved.split(path.sep);
  return top === 'src' ? folder : top;
}

/** Imports of a folder that its arrows do not allow. */
export function forbidden(folder: string, imports: readonly Import[]): string[] {
  return imports.flatMap((one) => {
    const to = folderOf(one);
    if (to === undefined) {
      const pure = PURE_IMPORTS[folder];
      if (pure === undefined) return [];
      const allowed = pure.some((name) => one.target === name || one.target.startsWith(`${name}/`));
      return allowed ? [] : [`${one.file} imports ${one.target}`];
    }
    if (to === folder || ALLOWED[folder]?.includes(to) === true) return [];
    return [`${one.file} imports ${one.target}`];
  });
}

describe('the architecture', () => {
  const folders = readdirSync(path.join(root, 'src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

  it('has a place for every folder of src', () => {
    expect(folders.filter((folder) => !(folder in ALLOWED))).toEqual([]);
  });

  it.each(folders)('keeps the arrows of src/%s', (folder) => {
    expect(forbidden(folder, allImports(path.join('src', folder)))).toEqual([]);
  });

  it('lets suites import the suite, the rules and the contract only', () => {
    const strays = allImports('suites').filter((one) => {
      const to = folderOf(one);
      return (
        one.file.endsWith('.suite.ts') &&
        !['suite', 'contract', 'rules', 'suites'].includes(to ?? '')
      );
    });
    expect(strays.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });

  it('sees an arrow that is turned round', () => {
    const turned = { file: 'src/rules/view.ts', target: '../http/client.ts' };
    expect(forbidden('rules', [turned])).toEqual(['src/rules/view.ts imports ../http/client.ts']);
    expect(
      forbidden('contract', [{ file: 'src/contract/limits.ts', target: 'node:fs' }]),
    ).toHaveLength(1);
  });

  it('allows no cycle between folders', () => {
    const order = Object.keys(ALLOWED);
    for (const [folder, allowed] of Object.entries(ALLOWED)) {
      for (const other of allowed)
        expect(ALLOWED[other], `${folder} -> ${other}`).not.toContain(folder);
      expect(order).toContain(folder);
    }
  });
});
