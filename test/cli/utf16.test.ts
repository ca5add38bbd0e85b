import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { withEnvironment } from '../../src/cli/config.ts';
import { readResults } from '../../src/cli/read-results.ts';
import { readWaivers } from '../../src/run/waivers.ts';
import { writeWaivers } from '../../src/run/waivers.ts';
import { keysOfFile } from '../../src/target/key-sources.ts';
import { readTargetFile } from '../../src/target/file/target-file.ts';
import { makeResults } from '../report/fixture.ts';
import { scratch } from './assay.ts';

/** Writes a text like `>` and `Out-File` in Windows PowerShell. */
function file(name: string, text: string): string {
  const written = path.join(scratch, 'utf-16', name);
  mkdirSync(path.dirname(written), { recursive: true });
  writeFileSync(written, Buffer.from(`\ufeff${text.replaceAll('\n', '\r\n')}`, 'utf16le'), {
    mode: 0o600,
  });
  return written;
}

const WAIVER = {
  id: '4.3/order',
  owner: 'Ω',
  reason: 'known',
  expires: '2027-01-01',
  evidence: `e-${'0'.repeat(16)}`,
} as const;

describe('a file in UTF-16', () => {
  it('is read as a target file', () => {
    const settings = readTargetFile(file('target.yaml', 'baseUrl: https://api.example\n'), {});
    expect(settings).toEqual({ baseUrl: 'https://api.example' });
    expect(() => readTargetFile(file('typo.yaml', 'baseUrl: x\nnope: 1\n'), {})).toThrow(
      /typo\.yaml:2:1: nope: unknown setting/,
    );
  });

  it('is read as a configuration', async () => {
    const config = file('assay.config.yaml', 'staging:\n  profile: full\n');
    const given = { environment: 'staging', config, profile: undefined };
    expect(withEnvironment(given, ['profile'])).toMatchObject({ profile: 'full' });
  });

  it('is read as waivers and can be added to', async () => {
    const waivers = file('waivers.json', JSON.stringify({ version: 1, waivers: [WAIVER] }));
    expect(readWaivers(waivers)).toEqual([WAIVER]);
    await writeWaivers(waivers, [{ ...WAIVER, id: '4.3/recent' }]);
    expect(readWaivers(waivers).map(({ id }) => id)).toEqual(['4.3/order', '4.3/recent']);
    expect(readFileSync(waivers, 'utf8')).toContain('"Ω"');
  });

  it('is read as results, also through reports/latest', async () => {
    const results = makeResults();
    file('run/results.json', JSON.stringify(results));
    const read = await readResults(file('latest', 'run'));
    expect(read).toEqual(JSON.parse(JSON.stringify(results)));
  });

  it('is read as keys', () => {
    expect(keysOfFile(file('keys.txt', 'key-of-a-file-0001\n'), '--api-key-file')).toEqual([
      'key-of-a-file-0001',
    ]);
  });
});
