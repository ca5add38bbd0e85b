import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeFolder } from './make-folder.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'folders '));
afterAll(() => {
  rmSync(scratch, { recursive: true });
});

describe('makeFolder', () => {
  it('creates missing folders with the given mode and leaves existing ones', () => {
    const folder = path.join(scratch, 'a', 'b');
    makeFolder(folder, 0o700);
    makeFolder(folder);
    expect(statSync(folder).isDirectory()).toBe(true);
    if (process.platform !== 'win32') expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('names what is in the way', () => {
    const file = path.join(scratch, 'file');
    writeFileSync(file, '');
    expect(() => makeFolder(file)).toThrow('EEXIST');
    expect(() => makeFolder(path.join(file, 'a'))).toThrow('EEXIST');
  });

  it.skipIf(process.platform !== 'linux')('ends where no folder can be made', () => {
    expect(() => makeFolder('/proc/x/y')).toThrow('ENOENT');
  });
});
