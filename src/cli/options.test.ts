import { afterEach, describe, expect, it, vi } from 'vitest';
import { namedFile, type TargetArguments } from './options.ts';

const given = (argv: Partial<TargetArguments>): TargetArguments => argv as TargetArguments;

describe('the target file that the user named', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('is reported as written, without local paths', () => {
    expect(namedFile(given({ target: './targets/../a.yaml' }))).toEqual({
      file: './targets/../a.yaml',
    });
    expect(namedFile(given({}))).toEqual({});
  });

  it('may come from the environment, and the command line wins', () => {
    vi.stubEnv('ASSAY_TARGET', 'b.yaml');
    expect(namedFile(given({}))).toEqual({ file: 'b.yaml' });
    expect(namedFile(given({ target: 'a.yaml' }))).toEqual({ file: 'a.yaml' });
  });

  it('is reported together with an overriding base URL', () => {
    const both = { file: 'a.yaml', baseUrlGiven: true };
    const argv = given({ target: 'a.yaml' });
    expect(namedFile({ ...argv, 'base-url': 'https://x.example' })).toEqual(both);
    vi.stubEnv('ASSAY_BASE_URL', 'https://x.example');
    expect(namedFile(argv)).toEqual(both);
  });
});
