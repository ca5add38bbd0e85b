import { describe, expect, it } from 'vitest';
import { refusalWords, roleMatrix } from '../../src/report/analysis/role-matrix.ts';
import type { Results } from '../../src/report/model/results.ts';
import type { EndpointPath } from '../../src/spec/endpoints.ts';
import type { KeyRole } from '../../src/spec/exchange.ts';
import { resolveTarget } from '../../src/target/file/resolve-target.ts';
import {
  BASE,
  CHARTS,
  checked,
  entry,
  har,
  scratchFile,
  START,
  type EntryOptions,
} from './harness.ts';

const RESTRICTED = 'restricted-key-5d0e7a91';
const error = (status: number, code: number, details = {}): EntryOptions => ({
  status,
  body: { code, message: 'x', details },
});
const INVALID = error(401, 400101, { header: 'X-API-KEY', solution: 'x' });

/** Results of these requests for the charts, a second apart. */
async function recorded(name: string, answers: readonly EntryOptions[]): Promise<Results> {
  const calls = answers.map((one, index) =>
    entry({ body: CHARTS, at: START + index * 1000, ...one }),
  );
  const file = {
    baseUrl: BASE,
    keys: { restricted: { key: RESTRICTED, forbidden: ['/analyses'] } },
  };
  const target = resolveTarget({ env: {}, file, requireKey: false });
  return (await checked([scratchFile(`${name}.har`, har(calls))], { target })).results;
}

const cellOf = (results: Results, role: KeyRole, endpoint: EndpointPath = '/analyses') =>
  roleMatrix(results)
    .rows.find((row) => row.endpoint === endpoint)
    ?.cells.find((cell) => cell.role === role);

describe('the access matrix of recorded traffic', () => {
  it('knows where the target file closes the restricted key out', async () => {
    const results = await recorded('let in', [{}, { key: RESTRICTED }]);
    expect(cellOf(results, 'restricted')).toMatchObject({
      outcome: 'failed',
      finding: { requirement: '5/forbidden', exchange: 'x2' },
    });
    const refused = await recorded('kept out', [{}, { key: RESTRICTED, ...error(403, 400301) }]);
    expect(cellOf(refused, 'restricted')?.outcome).toBe('passed');
    expect(refusalWords(roleMatrix(refused))).toContain('the restricted key was refused in 1 of 1');
  });

  it('has keys that were only refused in the column of unknown ones, unjudged', async () => {
    const results = await recorded('unknown', [
      {},
      { key: 'never-issued-0c41d2', ...INVALID },
      { key: 'bogus', ...INVALID },
    ]);
    expect(results.requests.byRole).toEqual({ valid: 1, unknown: 2 });
    expect(cellOf(results, 'valid')).toMatchObject({ outcome: 'passed', seen: [{ status: 200 }] });
    expect(cellOf(results, 'unknown')).toMatchObject({
      outcome: 'untested',
      seen: [{ status: 401, count: 2 }],
      why: expect.stringMatching(/needs a request with a key known to be invalid$/) as string,
    });
  });

  it('does not tick what a key got that was refused later', async () => {
    const results = await recorded('revoked', [{}, INVALID]);
    expect(results.requests.byRole).toEqual({ valid: 2 });
    expect(cellOf(results, 'valid')).toMatchObject({
      outcome: 'inconclusive',
      why: '200 ×1, 401 400101 ×1: unclear whether the key was accepted',
    });
  });

  it('says of other keys only that the traffic has no such request', async () => {
    const results = await recorded('no other', [{}]);
    for (const profile of ['recorded', 'watched'] as const)
      expect(cellOf({ ...results, profile }, 'nearQuota')?.why).toBe(
        `no such request in the ${profile} traffic`,
      );
  });
});
