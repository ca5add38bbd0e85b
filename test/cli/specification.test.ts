import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeResults } from '../report/fixture.ts';
import { assay, scratch } from './assay.ts';

const file = (name: string, content: string | Uint8Array): string => {
  const full = path.join(scratch, name);
  writeFileSync(full, content);
  return full;
};
const folder = path.join(scratch, 'a folder.md');
mkdirSync(folder);

const WRONG = [
  ['a missing file', path.join(scratch, 'missing.md'), 'cannot be read: ENOENT'],
  ['a folder', folder, 'it is a folder'],
  ['an empty file', file('empty.md', '\n \n'), 'is empty'],
  ['a binary file', file('picture.md', new Uint8Array([137, 80, 78, 71, 0, 255])), 'is no text'],
  [
    'another text',
    file('other.md', '# Recipes\n\n| Field | Type |\n| --- | --- |\n'),
    'is not this specification: of ',
  ],
  ['a text of another size', file('long.md', 'much\n'.repeat(400_000)), 'larger than 1 MiB'],
] as const;

describe('assay --spec', () => {
  it.each(WRONG)('takes no %s, before anything is sent or written', async (_, name, words) => {
    let requests = 0;
    const server = createServer((_request, response) => {
      requests += 1;
      response.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const output = path.join(scratch, 'never');
    const { code, stderr } = await assay([
      'run',
      '-u',
      `http://127.0.0.1:${port}`,
      '-k',
      'abcdefgh12',
      '-o',
      output,
      '--spec',
      name,
    ]);
    server.close();
    expect(stderr).toContain(words);
    expect(stderr).toMatch(/\[ASSAY_SPEC_FILE\]\nName the Markdown file of the specification/);
    expect(stderr.trim().split('\n')).toHaveLength(2);
    expect(code).toBe(2);
    expect(requests).toBe(0);
    expect(existsSync(output)).toBe(false);
  });

  it.each([
    [['run']],
    [['check', 'no-such.har']],
    [['report', 'no-such-results.json']],
    [['load', 'rl-exact', '--plan']],
  ])('is read by %j, from the environment where no flag names one', async (args) => {
    const before = readdirSync(scratch);
    const flag = await assay([...args, '--spec', WRONG[4][1]], { ASSAY_SPEC_FILE: WRONG[0][1] });
    expect(flag.stderr).toContain('other.md is not this specification');
    const environment = await assay(args, { ASSAY_SPEC_FILE: WRONG[0][1] });
    expect(environment.stderr).toContain('missing.md cannot be read');
    expect([flag.code, environment.code]).toEqual([2, 2]);
    expect(readdirSync(scratch)).toEqual(before);
  });

  it('keeps clear of the variable of the tests of Assay', async () => {
    const { stderr } = await assay(['report', 'no-such-results.json'], { ASSAY_SPEC: folder });
    expect(stderr).toContain('Cannot read no-such-results.json');
  });
});

/** Where the tests find the specification; what they start does not know of it. */
const real = process.env['ASSAY_SPEC'];

describe.skipIf(real === undefined)('assay --spec with the specification at ASSAY_SPEC', () => {
  it('is quoted in the report by the command line, and another version is told apart', async () => {
    const results = path.join(scratch, 'results.json');
    writeFileSync(results, JSON.stringify(makeResults()));
    const args = (name: string) => ['report', results, '--format', 'html', '--spec', name];
    const report = () => readFileSync(path.join(scratch, 'report.html'), 'utf8');
    const same = await assay(args(path.resolve(real ?? '')));
    expect({ code: same.code, stderr: same.stderr }).toEqual({ code: 0, stderr: '' });
    expect(report()).toContain('<blockquote class="quoted">');
    expect(readFileSync(results, 'utf8')).not.toContain('quoted');
    const changed = path.join(scratch, 'changed.md');
    writeFileSync(changed, `${readFileSync(real ?? '', 'utf8').replaceAll('400001', '400000')}\n`);
    const other = await assay(args(changed));
    expect(other.code).toBe(0);
    expect(other.stderr).toMatch(/warning: This specification .* is not the version/);
    expect(report()).toContain('is not the version that Assay was written for');
  });
});
