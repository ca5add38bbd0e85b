import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = path.join(root, '.github', 'workflows');
const read = (name: string): string => readFileSync(path.join(folder, name), 'utf8');
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
  readonly publishConfig: object;
};

interface Job {
  readonly needs?: string;
  readonly permissions: Readonly<Record<string, string>>;
  readonly steps: readonly {
    readonly uses?: string;
    readonly run?: string;
    readonly with?: Readonly<Record<string, string | number | boolean>>;
  }[];
}
interface Workflow {
  readonly permissions: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

describe.each(readdirSync(folder))('the workflow %s', (name) => {
  const { permissions, jobs } = parse(read(name)) as Workflow;
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  it('runs actions of one commit, and says which version that is', () => {
    const used = read(name).match(/uses: .*/g) ?? [];
    expect(used).toHaveLength(steps.filter((step) => step.uses !== undefined).length);
    for (const line of used) expect(line).toMatch(/^uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('runs scripts that are there', () => {
    const texts = steps.flatMap((step) => [step.run ?? '', ...Object.values(step.with ?? {})]);
    const named = texts.flatMap((text) => [...String(text).matchAll(/npm run ([\w:-]+)/g)]);
    for (const [, script = ''] of named) expect(Object.keys(manifest.scripts)).toContain(script);
  });

  it('gives each job its own permissions, and those that run tests may only read', () => {
    expect(permissions).toEqual({});
    for (const job of Object.values(jobs)) {
      expect(job.permissions).toBeDefined();
      const tests = job.steps.some(({ run = '' }) => /npm (?:run )?test/.test(run));
      if (tests) expect(job.permissions).toEqual({ contents: 'read' });
    }
  });
});

describe('a release', () => {
  it('comes after the tests, from the changesets, with a statement of where it was built', () => {
    const { release, verify } = (parse(read('release.yml')) as Workflow).jobs;
    expect(verify).toBeDefined();
    expect(release?.needs).toBe('verify');
    expect(release?.permissions['id-token']).toBe('write');
    const action = release?.steps.find(({ uses = '' }) => uses.startsWith('changesets/action@'));
    expect(action?.with).toEqual({
      version: 'npm run release:version',
      publish: 'npm run release',
    });
    expect(manifest.publishConfig).toEqual({ access: 'public', provenance: true });
  });

  it('is refused on any other machine', () => {
    const { GITHUB_ACTIONS: _actions, ...env } = process.env;
    const { status, stderr } = spawnSync(process.execPath, ['scripts/publish.mjs'], {
      cwd: root,
      env,
      encoding: 'utf8',
    });
    expect(stderr).toContain('.github/workflows/release.yml');
    expect(status).toBe(2);
  });
});
