import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { filled } from '../../src/load/k8s.ts';
import { segmentArguments } from '../../src/load/load.ts';

// The API server drops fields that it does not know without a word, so a typo has to be found here.
describe('the manifest of a TestRun', () => {
  const schema = JSON.parse(
    readFileSync(new URL('testrun.schema.json', import.meta.url), 'utf8'),
  ) as object;
  const isTestRun = new Ajv2020({ allErrors: true }).compile(schema);
  const text = (): Promise<string> =>
    filled('testrun.yaml', { NAME: 'assay-rl-exact', PARALLELISM: '4' });
  const manifest = async (): Promise<{
    spec: { parallelism: unknown; runner: { image: string } };
  }> => parse(await text()) as never;

  it('keeps its schema, with everything filled in', async () => {
    const made = await manifest();
    expect(isTestRun(made), JSON.stringify(isTestRun.errors)).toBe(true);
    expect(made.spec.parallelism).toBe(4);
    expect(made.spec.runner.image).toMatch(/^grafana\/k6:\d+\.\d+\.\d+$/);
    expect(await text()).not.toMatch(/^[^#]*\$\{/m);
  });

  it('would be rejected with an unknown field', async () => {
    const made = await manifest();
    expect(isTestRun({ ...made, spec: { ...made.spec, paralelism: 4 } })).toBe(false);
  });
});

describe('segments', () => {
  it('match those of the operator', () => {
    expect(segmentArguments(0, 1)).toEqual([]);
    expect(segmentArguments(1, 4)).toEqual([
      '--execution-segment=1/4:2/4',
      '--execution-segment-sequence=0,1/4,2/4,3/4,1',
    ]);
    expect(segmentArguments(3, 4)[0]).toBe('--execution-segment=3/4:1');
  });
});
