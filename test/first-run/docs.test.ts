import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { REQUIREMENTS } from '../../src/requirements/catalogue.ts';
import { parseTargetFile } from '../../src/target/file/target-file.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = (name: string): string => readFileSync(path.join(root, 'docs', name), 'utf8');

interface Schema {
  readonly type?: unknown;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** Settings with a value, by path. */
function settings(schema: Schema, prefix = ''): [string, Schema][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) =>
    inner.properties === undefined
      ? [[`${prefix}${name}`, inner] as [string, Schema]]
      : settings(inner, `${prefix}${name}.`),
  );
}

describe('docs/target-file.md', () => {
  const schema = JSON.parse(
    readFileSync(path.join(root, 'schemas', 'tool', 'target.json'), 'utf8'),
  ) as Schema;
  const rows = new Map(
    page('target-file.md')
      .split('\n')
      .flatMap((line) => {
        const cells = line.split('|').map((cell) => cell.trim());
        const name = /^`([\w.]+)`$/.exec(cells[1] ?? '')?.[1];
        return name === undefined ? [] : [[name, cells[2] ?? ''] as const];
      }),
  );

  it('has a row for exactly the settings of the schema', () => {
    const names = settings(schema)
      .map(([name]) => name)
      .filter((name) => name !== '$schema');
    expect([...rows.keys()].toSorted()).toEqual(names.toSorted());
  });

  it('gives the defaults of the schema', () => {
    for (const [name, { default: value }] of settings(schema)) {
      if (value === undefined) continue;
      const shown = typeof value === 'string' ? value : JSON.stringify(value);
      expect(rows.get(name), name).toBe(`\`${shown}\``);
    }
  });

  it('shows an example that is accepted', () => {
    const example = /```yaml\n([\s\S]*?)```/.exec(page('target-file.md'))?.[1] ?? '';
    const names = [...example.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name ?? '');
    const env = Object.fromEntries(names.map((name, index) => [name, `example-key-${index}`]));
    expect(parseTargetFile(example, 'example', env).keys?.valid).toHaveLength(2);
  });
});

describe('the pages', () => {
  const pages = readdirSync(path.join(root, 'docs')).filter((name) => name.endsWith('.md'));

  it.each(pages)('%s links to files that are there', (name) => {
    const links = [...page(name).matchAll(/\]\(([^)#:]+)\)/g)].map(([, link]) => link ?? '');
    const missing = links.filter((link) => !existsSync(path.join(root, 'docs', link)));
    expect(missing).toEqual([]);
  });

  it('on red results names requirements that exist', () => {
    const named = [...page('red-results.md').matchAll(/`(\d(?:\.\d)?\/[a-z0-9-]+)`/g)];
    expect(named.length).toBeGreaterThan(5);
    for (const [, id] of named) expect(REQUIREMENTS.map((one) => one.id)).toContain(id);
  });

  it.each(['getting-started.md', 'networks.md'])('%s names options that exist', async (name) => {
    const { runCommandLine } = await import('../../src/cli/cli.ts');
    const { vi } = await import('vitest');
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    for (const command of ['run', 'init', 'doctor', 'serve'])
      await runCommandLine([command, '--help']);
    const help = log.mock.calls.join('\n');
    log.mockRestore();
    const options = [...page(name).matchAll(/(?<![\w-])--([a-z][a-z0-9-]+)/g)].map(
      ([, option]) => option ?? '',
    );
    const unknown = options.filter(
      (option) => option !== 'help' && !help.includes(`--${option.replace(/^no-/, '')}`),
    );
    expect([...new Set(unknown)]).toEqual([]);
  });
});
