import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { findK6 } from '../../src/load/find-k6.ts';

const CI = process.env['CI'] !== undefined;
const k6 = await findK6({ install: CI }).catch(() => undefined);

// The package test runs the other examples. It shares the processors, and this one sends at given times.
it.skipIf(k6 === undefined && !CI)('runs the example "Load" of docs/api.md', () => {
  const page = readFileSync('docs/api.md', 'utf8');
  const code = /^## Load$[^]*?```ts\n([^]*?)```/m.exec(page)?.[1] ?? '';
  const project = mkdtempSync(path.join(tmpdir(), 'assay load example '));
  try {
    mkdirSync(path.join(project, 'node_modules'));
    symlinkSync(process.cwd(), path.join(project, 'node_modules/assay'), 'dir');
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', code],
      { cwd: project, encoding: 'utf8' },
    );
    expect(stdout, stderr).toMatch(/^rl-headers passed /);
    expect(status).toBe(0);
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
});
