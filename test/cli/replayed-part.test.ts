// Judging part of a recording again gives the results of the full run.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Results } from '../../src/report/model/results.ts';
import { assay, scratch } from './assay.ts';
import { served, type Served } from './served.ts';

let server: Served;
let whole: Results;
beforeAll(async () => {
  server = await served({ faults: ['etf-summary-oldest-first'] });
  const some = ['--only', '4.3,7,8', '--format', 'har'];
  await assay(['run', '-t', server.target, '-q', '-o', 'whole', ...some]);
  whole = resultsIn('whole');
});
afterAll(() => server.stop());

function resultsIn(folder: string): Results {
  return JSON.parse(readFileSync(path.join(scratch, folder, 'results.json'), 'utf8')) as Results;
}

/** Outcomes and findings of each requirement. */
const told = ({ requirements }: Results, ids: ReadonlySet<string>) =>
  requirements
    .filter(({ id }) => ids.has(id))
    .map(({ id, outcome, findings }) => [id, outcome, findings.map(({ message }) => message)]);

describe('assay run --replay FILE', () => {
  it.each([
    ['results.json', '4.3/order'],
    ['exchanges.har', '4.3'],
    ['results.json', '8'],
  ])('of %s finds the same with --only %s', async (file, only) => {
    const output = `part ${only.replace('/', ' ')} of ${file}`;
    await assay(['run', '--replay', path.join('whole', file), '--only', only, '-q', '-o', output]);
    const part = resultsIn(output);
    const ids = new Set(
      part.requirements.flatMap(({ id, cause }) =>
        cause?.kind === 'not-selected' && cause.by === 'only' ? [] : [id],
      ),
    );
    expect(ids.size).toBeGreaterThan(0);
    expect(told(part, ids)).toEqual(told(whole, ids));
    const found = told(part, ids).flatMap(([, , messages]) => messages);
    if (only !== '8') expect(found.length).toBeGreaterThan(1);
  });

  it('reports a missing file as missing, not its folder', async () => {
    const { code, stderr } = await assay(['run', '--replay', 'whole/no-such.json']);
    expect(code).toBe(2);
    expect(stderr).toContain('no such file or folder');
  });
});
