import type { IncomingMessage, ServerResponse } from 'node:http';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createReference } from '../../src/reference/reference.ts';
import type { Results } from '../../src/report/model/results.ts';
import { PROFILE_BOUNDS } from '../../src/ask/profiles.ts';
import { assay, scratch } from '../cli/assay.ts';
import { serving } from './servers.ts';
import { WORLD } from '../kept/data.ts';

const KEY = 'spending-key-1';

interface Ran {
  readonly code: number | null;
  readonly text: string;
  readonly results: Results;
  /** Requests with the valid key, counted at the server. */
  readonly valid: number;
}

/** Runs against a server and counts at the server what the valid key is spent on. */
async function spend(
  folder: string,
  handler: (request: IncomingMessage, response: ServerResponse) => void,
  target: object,
  flags: readonly string[] = [],
): Promise<Ran> {
  let valid = 0;
  const server = await serving((request, response) => {
    if (request.headers['x-api-key'] === KEY) valid += 1;
    handler(request, response);
  });
  try {
    const file = path.join(scratch, `${folder}.json`);
    const content = { baseUrl: `${server.origin}/v1`, keys: { valid: [KEY] }, ...target };
    writeFileSync(file, JSON.stringify(content));
    const { code, text } = await assay(['run', '-t', file, '--output', folder, ...flags]);
    const results = path.join(scratch, folder, 'results.json');
    return { code, text, results: JSON.parse(readFileSync(results, 'utf8')) as Results, valid };
  } finally {
    await server.close();
  }
}

/** The reference server with the key, behind a handler that may hold answers back. */
function reference(windowMs: number, faults: string[] = [], variants: string[] = []) {
  const created = createReference({ windowMs, world: WORLD, faults, variants });
  const [issued = ''] = created.targetFile('http://localhost').keys.valid;
  return (request: IncomingMessage, response: ServerResponse): void => {
    const key = request.headers['x-api-key'];
    const headers: Record<string, string> =
      key === undefined ? {} : { 'x-api-key': key === KEY ? issued : String(key) };
    const { method = 'GET', url = '/' } = request;
    const reply = created.handle({ method, path: url, headers });
    response.writeHead(reply.status, reply.headers);
    response.end(reply.body);
  };
}

const { repeat, limiter, total } = PROFILE_BOUNDS.standard;

describe('the keys are spent on what the plan says', () => {
  it('a server that fails on everything is given up after a dozen requests', async () => {
    const { code, text, results, valid } = await spend(
      'fails on everything',
      (_request, response) => {
        response.writeHead(500, { 'content-type': 'application/json' });
        response.end('{"code":500001,"message":"internal","details":{}}');
      },
      {},
    );
    expect(code, text).toBe(3);
    expect(results.verdict).toBe('incomplete');
    expect(text).toContain('fails on everything');
    expect(valid).toBeLessThanOrEqual(12);
    expect(results.summary.must.failed).toBe(0);
  });

  it('a target too slow for its windows leaves the limiter untested, after one window', async () => {
    const windowMs = 1000;
    const answer = reference(windowMs);
    // One after the other, so that a window never holds 21 answers, however late the timers of a busy machine are.
    let before: Promise<unknown> = Promise.resolve();
    const { results, valid, text } = await spend(
      'too slow',
      (request, response) => {
        before = before.then(() => sleep(80)).then(() => answer(request, response));
      },
      { limits: { requests: 20, windowMs, monthlyQuota: 100_000 } },
      ['--only', '8'],
    );
    const enforced = results.requirements.find(({ id }) => id === '8/limit-enforced');
    expect(enforced, text).toMatchObject({
      outcome: 'untested',
      cause: { kind: 'setting', setting: 'limits.windowMs' },
    });
    expect(results.summary.must.inconclusive, text).toBe(0);
    expect(valid).toBeLessThanOrEqual(limiter);
  });

  it('a target that neither limits nor announces anything is found out within the bounds', async () => {
    const { results, valid, text } = await spend(
      'no limit',
      reference(60_000, ['limit-off'], ['no-rate-headers']),
      {},
      ['--only', '8/limit-enforced'],
    );
    const enforced = results.requirements.find(({ id }) => id === '8/limit-enforced');
    expect(enforced?.outcome, text).toBe('failed');
    expect(valid).toBeLessThanOrEqual(total + repeat);
  });
});
