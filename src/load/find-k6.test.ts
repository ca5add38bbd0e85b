import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cachePath, findK6, quietEnv } from './find-k6.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'assay-find-k6-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** A program that answers `version --json` as k6 does. */
async function program(name: string, output: string): Promise<string> {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `#!/bin/sh\necho '${output}'\n`);
  await chmod(file, 0o755);
  return file;
}
const k6 = (name: string, version = 'v2.2.0'): Promise<string> =>
  program(name, JSON.stringify({ version, go_version: 'go1.26' }));

describe('findK6', () => {
  it('takes the flag over the environment over the PATH over the cache', async () => {
    const flag = await k6('flag');
    const named = await k6('named');
    const onPath = await k6('bin/k6');
    const env = { XDG_CACHE_HOME: folder, PATH: path.dirname(onPath), ASSAY_K6: named };
    const cached = await k6(path.relative(folder, cachePath(env)));
    const find = (change: { k6?: string; env: Record<string, string> }): Promise<unknown> =>
      findK6({ install: false, ...change });

    await expect(find({ k6: flag, env })).resolves.toMatchObject({ path: flag, source: '--k6' });
    await expect(find({ env })).resolves.toMatchObject({ path: named, source: 'ASSAY_K6' });
    const { ASSAY_K6: _named, ...unnamed } = env;
    await expect(find({ env: unnamed })).resolves.toMatchObject({ path: onPath, source: 'PATH' });
    await expect(find({ env: { ...unnamed, PATH: '' } })).resolves.toMatchObject({
      path: cached,
      source: 'cache',
      version: 'v2.2.0',
    });
  });

  it('lists the ways to get k6 if there is neither k6 nor Go', async () => {
    await expect(
      findK6({ install: true, env: { PATH: folder, HOME: folder } }),
    ).rejects.toMatchObject({
      code: 'ASSAY_K6_MISSING',
      message: expect.stringContaining('not installed'),
      hint: expect.stringContaining('--k6 PATH'),
    });
  });

  it('does not build when that is forbidden', async () => {
    await program('go', 'must not run');
    await expect(
      findK6({ install: false, env: { PATH: folder, HOME: folder } }),
    ).rejects.toMatchObject({ message: expect.stringContaining('--no-install') });
  });

  it('rejects a missing named program without searching further', async () => {
    const env = { PATH: path.dirname(await k6('k6')) };
    await expect(
      findK6({ k6: path.join(folder, 'gone'), install: true, env }),
    ).rejects.toMatchObject({ code: 'ASSAY_K6_MISSING' });
  });

  it.each(['v1.8.1', 'v3.0.0', 'devel'])('refuses version %s', async (version) => {
    const file = await k6('k6', version);
    await expect(findK6({ k6: file, install: false, env: {} })).rejects.toMatchObject({
      code: 'ASSAY_K6_VERSION',
      message: expect.stringContaining(version),
    });
  });

  it('skips another version on the PATH with a message, for a cached one or a later one', async () => {
    const other = await k6('bin/k6', 'v1.4.0');
    const none = await program('sbin/k6', 'hello');
    const PATH = [path.dirname(other), path.dirname(none)].join(path.delimiter);
    const env = { XDG_CACHE_HOME: folder, PATH };
    const said: string[] = [];
    const find = (more: string[] = []): Promise<unknown> =>
      findK6({
        install: false,
        env: { ...env, PATH: [PATH, ...more].join(path.delimiter) },
        say: (line) => said.push(line),
      });
    await expect(find()).rejects.toMatchObject({
      code: 'ASSAY_K6_MISSING',
      message: expect.stringContaining('k6 version 2 was not found'),
    });
    const cached = await k6(path.relative(folder, cachePath(env)));
    said.length = 0;
    await expect(find()).resolves.toMatchObject({ path: cached, source: 'cache' });
    expect(said).toEqual([
      `Skipped: ${other} (from PATH) is k6 v1.4.0; the scenarios need version 2.`,
      `Skipped: ${none} does not support \`version --json\`, so it is not k6 version 2.`,
    ]);
    const later = await k6('later/k6');
    await expect(find([path.dirname(later)])).resolves.toMatchObject({ path: later });
  });

  it('builds one where the PATH has another version only', async () => {
    const other = await k6('bin/k6', 'v1.4.0');
    await program('bin/go', 'built nothing');
    const env = { XDG_CACHE_HOME: folder, PATH: path.dirname(other) };
    const said: string[] = [];
    await expect(
      findK6({ install: true, env, say: (line) => said.push(line) }),
    ).rejects.toMatchObject({ message: expect.stringContaining('building it with') });
    expect(said[0]).toContain('Skipped');
    expect(said[1]).toContain('building');
  });

  it('rejects a program that is not k6', async () => {
    const file = await program('k6', 'hello');
    await expect(findK6({ k6: file, install: false, env: {} })).rejects.toMatchObject({
      code: 'ASSAY_K6_VERSION',
    });
  });
});

describe('quietEnv', () => {
  it("leaves the caller's k6 settings out", () => {
    process.env['K6_VUS'] = '7';
    try {
      const env = quietEnv();
      expect(env).not.toHaveProperty('K6_VUS');
      expect(env).toMatchObject({
        K6_NO_USAGE_REPORT: 'true',
        K6_AUTO_EXTENSION_RESOLUTION: 'false',
      });
    } finally {
      delete process.env['K6_VUS'];
    }
  });
});
