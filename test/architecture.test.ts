import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));

/**
 * Which folders of `src` each folder may import. Arrows run downwards only: the command line knows everything, the
 * contract nothing. `reference` knows no rules, so that judge and judged stay independent. `proof/…` is `test/proof/…`:
 * it may know all of `src`, and nothing that ships may know it.
 */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  spec: ['/schemas'],
  text: ['spec'],
  // What is done with files, and where they are.
  fs: ['text'],
  judge: ['spec', 'text', '/schemas'],
  target: ['spec', 'text', 'judge'],
  http: ['spec', 'text', 'judge', 'target'],
  ask: ['spec', 'text', 'judge', 'target', 'http'],
  // The catalogue lists the sections of the suite, which are written with the words of this folder.
  requirements: ['spec', 'text', 'judge', 'ask', '/suites'],
  '/suites': ['spec', 'text', 'judge', 'http', 'ask', 'requirements'],
  suite: ['spec', 'requirements', 'text', 'fs', 'judge', 'target', 'http', 'ask', '/suites'],
  har: ['spec', 'requirements', 'text', 'judge', 'target', 'http'],
  report: ['spec', 'requirements', 'text', 'fs'],
  // Runs in the page: components, words and shapes of the report, and no module of Node.
  'report-app': ['spec', 'text', 'report'],
  reference: ['spec', 'text', '/suites/faults'],
  // They stand beside what they prove and know nothing of it: judge and judged stay independent.
  '/suites/faults': ['spec', 'text', 'reference'],
  openapi: ['spec', 'text', 'judge', '/schemas'],
  run: [
    'spec',
    'requirements',
    'text',
    'fs',
    'judge',
    'target',
    'http',
    'ask',
    'suite',
    'report',
    'reference',
    'har',
    '/suites',
  ],
  monitor: [
    'spec',
    'requirements',
    'text',
    'fs',
    'judge',
    'target',
    'http',
    'ask',
    'report',
    'run',
    '/suites',
  ],
  load: [
    'spec',
    'requirements',
    'text',
    'fs',
    'judge',
    'target',
    'http',
    'report',
    'reference',
    '/suites',
  ],
  watch: ['spec', 'requirements', 'text', 'fs', 'judge', 'target', 'http', 'report', 'har', 'run'],
  doctor: ['spec', 'requirements', 'text', 'judge', 'target', 'http', 'load'],
  cli: [
    'spec',
    'requirements',
    'text',
    'fs',
    'judge',
    'target',
    'http',
    'ask',
    'suite',
    'report',
    'reference',
    'openapi',
    'run',
    'monitor',
    'load',
    'har',
    'doctor',
    'watch',
  ],
  // A second service by another hand: it must know nothing of the first, nor of what judges it.
  'proof/independent': [],
  'proof/kill': [
    'spec',
    'fs',
    'text',
    'requirements',
    'judge',
    'target',
    'reference',
    'run',
    'report',
    'ask',
    'suite',
    'proof/independent',
  ],
  'proof/order': [
    'spec',
    'requirements',
    'judge',
    'reference',
    'run',
    'ask',
    'suite',
    'proof/kill',
  ],
  // What writes documents and the pages of the documentation site from requirements, proof and runs; not shipped.
  tools: [
    'spec',
    'fs',
    'text',
    'requirements',
    'judge',
    'target',
    'reference',
    'run',
    'report',
    'ask',
    'suite',
    'proof/kill',
  ],
  'proof/limiters': ['spec', 'fs', 'text', 'requirements', 'reference', 'report', 'load'],
  'proof/pace': ['reference', 'report', 'load'],
  'proof/bench': ['spec', 'target', 'reference', 'run', 'load', '/load'],
};

/** Packages and Node modules that the pure folders may import; ajv is how schemas judge. */
const PURE_IMPORTS: Readonly<Record<string, readonly string[]>> = {
  spec: [],
  requirements: [],
  '/suites': [],
  '/suites/faults': [],
  judge: ['ajv', 'ajv-formats', 'parse5', 'node:module'],
  'report-app': ['preact'],
};

/** How the proof imports what ships, and tools the proof: `imports` of package.json. */
const SOURCE = '#src/';
const PROOF = '#proof/';

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

/** The faults of a section, or of a family. */
const areFaults = (file: string): boolean => /(?:[/-]faults\.ts|\/faults\/[^/]+)$/.test(file);

/** Import specifiers of a source text: static, dynamic, and types. */
export function importsOf(text: string): string[] {
  const pattern = /(?:\bfrom\s+|\bimport\s*\(\s*|^import\s+)'([^']+)'/gm;
  return [...text.matchAll(pattern)].map((match) => match[1] ?? '');
}

function allImports(folder: string): Import[] {
  return sources(folder).flatMap((file) =>
    importsOf(readFileSync(path.join(root, file), 'utf8')).map((target) => ({ file, target })),
  );
}

/**
 * Folder that an import leads to, under its name in `ALLOWED`; one that is neither in `src` nor in `test/proof` has a
 * slash in front. undefined for packages.
 */
function folderOf({ file, target }: Import): string | undefined {
  if (target.startsWith(SOURCE)) return target.slice(SOURCE.length).split('/')[0];
  if (target.startsWith(PROOF)) return `proof/${target.slice(PROOF.length).split('/')[0] ?? ''}`;
  if (!target.startsWith('.')) return undefined;
  const to = path.join(path.dirname(file), target);
  const [top, folder, part] = to.split(path.sep);
  if (top === 'src') return folder;
  if (top === 'tools') return top;
  if (top === 'suites') return areFaults(to) ? '/suites/faults' : '/suites';
  return top === 'test' && folder === 'proof' ? `proof/${part ?? ''}` : `/${top ?? ''}`;
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

/** Files and packages that are loaded with a file, by it or by what it loads. Types load nothing. */
function loadedWith(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const text = readFileSync(path.join(root, file), 'utf8').replace(
    /^(?:im|ex)port type [^;]*;/gm,
    '',
  );
  for (const target of importsOf(text)) {
    const to = path.join(path.dirname(file), target);
    if (!target.startsWith('.')) seen.add(target);
    else if (/\.tsx?$/.test(to)) loadedWith(to, seen);
  }
  return seen;
}

describe('the architecture', () => {
  const foldersOf = (parent: string): string[] =>
    readdirSync(path.join(root, parent), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'dist')
      .map(({ name }) => name);
  const folders = foldersOf('src');
  const proofs = foldersOf('test/proof').map((name) => `proof/${name}`);

  it('has a place for every folder of src and of the proof, and for no other', () => {
    const all = [...folders, ...proofs, 'tools', '/suites', '/suites/faults'];
    expect(all.toSorted()).toEqual(Object.keys(ALLOWED).toSorted());
  });

  it.each(folders)('keeps the arrows of src/%s', (folder) => {
    expect(forbidden(folder, allImports(path.join('src', folder)))).toEqual([]);
  });

  it('keeps the arrows of the sections of the suite, and of their faults', () => {
    const sections = foldersOf('suites').flatMap((name) => allImports(path.join('suites', name)));
    const faults = sections.filter(({ file }) => areFaults(file));
    const others = sections.filter(({ file }) => !areFaults(file));
    expect(faults.length).toBeGreaterThan(5);
    expect(forbidden('/suites', others)).toEqual([]);
    expect(forbidden('/suites/faults', faults)).toEqual([]);
  });

  it.each(proofs)('keeps the arrows of test/%s', (folder) => {
    expect(forbidden(folder, allImports(path.join('test', folder)))).toEqual([]);
  });

  it('keeps the arrows of tools', () => {
    expect(forbidden('tools', allImports('tools'))).toEqual([]);
  });

  it.each(['src', 'suites', 'load'])('keeps the proof, and its way to import, out of %s', (top) => {
    const strays = allImports(top).filter(
      (one) => one.target.startsWith(SOURCE) || /^(?:proof\/|tools$)/.test(folderOf(one) ?? ''),
    );
    expect(strays).toEqual([]);
  });

  it('has each module of src once, however a test imports it', async () => {
    expect(await import('#src/spec/limits.ts')).toBe(await import('../src/spec/limits.ts'));
  });

  it('keeps the components of the report pure: preact, and nothing of what writes the page', () => {
    const page = path.join('src', 'report', 'page');
    const imports = ['view', 'load', 'evidence'].flatMap((one) => allImports(path.join(page, one)));
    const packages = imports.filter(({ target }) => !target.startsWith('.'));
    expect(imports.length).toBeGreaterThan(50);
    expect(packages.filter(({ target }) => !target.startsWith('preact'))).toEqual([]);
    const writers = imports.filter(({ target }) =>
      /\/(?:assets|code|data|render)\.ts$/.test(target),
    );
    expect(writers).toEqual([]);
  });

  it('has the report in layers: the model knows none of them, formats, terminal and page know two', () => {
    const below = ['model', 'analysis'];
    const layers = [...below, 'formats', 'terminal', 'page'];
    const strays = layers.flatMap((layer, at) =>
      allImports(path.join('src', 'report', layer)).filter(({ file, target }) => {
        const [, top, to = ''] = path.join(path.dirname(file), target).split(path.sep);
        return top === 'report' && to !== layer && !below.slice(0, at).includes(to);
      }),
    );
    expect(strays).toEqual([]);
  });

  it('loads no module of Node into the page', () => {
    const loaded = [...loadedWith(path.join('src', 'report-app', 'main.tsx'))];
    expect(loaded).toContain(path.join('src', 'report', 'page', 'view', 'matrix.tsx'));
    const packages = loaded.filter((one) => !one.startsWith('src'));
    expect(packages.toSorted()).toEqual(['preact', 'preact/hooks']);
  });

  it('lets the suite bind what the catalogue says, and know nothing itself', () => {
    const bound = allImports('suites').filter(({ file }) => file.endsWith('.suite.ts'));
    expect(bound.map(({ target }) => target)).toEqual([
      '../src/suite/editor.ts',
      '../src/suite/index.ts',
    ]);
  });

  it('is drawn as it is in docs/architecture.md', () => {
    const imports = new Map(
      [...folders, 'index'].map((folder) => {
        const files = folder === 'index' ? [] : allImports(path.join('src', folder));
        return [folder, new Set(files.flatMap((one) => folderOf(one) ?? []))] as const;
      }),
    );
    const index = importsOf(readFileSync(path.join(root, 'src', 'index.ts'), 'utf8'));
    imports.set('index', new Set(index.flatMap((target) => target.split('/')[1] ?? [])));
    const reached = (from: string): Set<string> => {
      const direct = [...(imports.get(from) ?? [])].filter(
        (one) => one !== from && imports.has(one),
      );
      return new Set(direct.flatMap((one) => [one, ...reached(one)]));
    };
    const arrows = [...imports].flatMap(([from, all]) => {
      const others = [...all].filter((one) => one !== from && imports.has(one));
      return others
        .filter((to) => !others.some((via) => via !== to && reached(via).has(to)))
        .map((to) => `${from} --> ${to}`);
    });
    const drawn = readFileSync(path.join(root, 'docs', 'architecture.md'), 'utf8').matchAll(
      /^ {2}([\w-]+)(?:\[".*?"\])? --> ([\w-]+)/gm,
    );
    expect([...drawn].map(([, from, to]) => `${from} --> ${to}`).toSorted()).toEqual(
      arrows.toSorted(),
    );
  });

  it('sends nothing while the requirements are read: what is asked goes through what the run hands in', () => {
    const loaded = loadedWith(path.join('src', 'requirements', 'catalogue.ts'));
    const strays = [...loaded].filter((one) => /^(?:undici|vitest|node:http)|^src.http/.test(one));
    expect(strays).toEqual([]);
  });

  it('sees an arrow that is turned round', () => {
    const turned = { file: 'src/judge/view.ts', target: '../http/client.ts' };
    expect(forbidden('judge', [turned])).toEqual(['src/judge/view.ts imports ../http/client.ts']);
    expect(forbidden('spec', [{ file: 'src/spec/limits.ts', target: 'node:fs' }])).toHaveLength(1);
    const known = { file: 'test/proof/independent/server.ts', target: '#src/judge/view.ts' };
    expect(forbidden('proof/independent', [known])).toHaveLength(1);
    const fault = {
      file: 'suites/4.3-etf-summary/faults.ts',
      target: '../families/trading-days.ts',
    };
    expect(forbidden('/suites/faults', [fault])).toHaveLength(1);
    const shipped = { file: 'src/run/run.ts', target: '../../test/proof/kill/catalogue.ts' };
    expect(forbidden('run', [shipped])).toHaveLength(1);
  });

  it('allows no cycle between folders', () => {
    const order = Object.keys(ALLOWED);
    for (const [folder, allowed] of Object.entries(ALLOWED)) {
      // A section and the catalogue that lists it, a fault and the list of all: no two of their files import each other.
      if (folder.startsWith('/')) continue;
      for (const other of allowed.filter((one) => !one.startsWith('/')))
        expect(ALLOWED[other], `${folder} -> ${other}`).not.toContain(folder);
      expect(order).toContain(folder);
    }
  });
});
