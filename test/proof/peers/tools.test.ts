import { ENDPOINT_PATHS } from '#src/contract/endpoints.ts';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assayVerdict } from './assay.ts';
import { collectionTool, firstExample } from './collection.ts';
import { tunedDocument } from './tuned-document.ts';
import { runProgram } from './process.ts';
import { against, runJobs } from './run.ts';
import type { Job, JobResult } from './run.ts';
import { raisedIn, schemathesisVerdict } from './schemathesis.ts';
import { startServer } from './server.ts';
import type { Tool } from './tool.ts';

let folder = '';
let collection: Tool;
const never = new AbortController().signal;
const options = { workers: 2, timeoutMs: 20_000, signal: never };

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'assay-peers-test-'));
  const document = path.join(folder, 'openapi.json');
  await writeFile(document, JSON.stringify(tunedDocument()));
  collection = collectionTool(document, 'openapi.json');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function job(tool: Tool, faults: readonly string[] = [], variants: readonly string[] = []): Job {
  return { name: 'test', tool, seed: 1, faults, variants };
}

describe('schema and status only', () => {
  it('says nothing on the clean server, and sends one request for each operation', async () => {
    const [result] = await runJobs([job(collection)], options);
    const { length } = ENDPOINT_PATHS;
    expect(result).toMatchObject({ failures: [], requests: length, metered: length });
  });

  it('sees a field of another type, a missing endpoint and a wrong content type', async () => {
    const faults = ['null-currency-info-name', 'gone-sectors', 'content-type-html'];
    const results = await runJobs(
      faults.map((fault) => job(collection, [fault])),
      options,
    );
    expect(results[0]?.failures).toEqual(['GET /currencies/{currency_id} /name type']);
    expect(results[1]?.failures).toEqual(['GET /crypto-stocks/sector status 404']);
    expect(results[2]?.failures[0]).toContain('content type');
  });

  it('does not see that an order is wrong', async () => {
    const [result] = await runJobs([job(collection, ['etf-history-oldest-first'])], options);
    expect(result?.failures).toEqual([]);
  });

  it('fills paths and required parameters with examples', () => {
    const examples = (value: unknown): { a: { value: unknown } } => ({ a: { value } });
    expect(
      firstExample('/a/{id}', [
        { name: 'id', in: 'path', required: true, examples: examples('x y') },
        { name: 'page', in: 'query', required: true, examples: examples(2) },
        { name: 'category', in: 'query', required: true, examples: examples([1, 2]) },
        { name: 'limit', in: 'query', examples: examples(5) },
      ]),
    ).toBe('/a/x%20y?page=2&category=1%2C2');
  });
});

describe('a run of jobs', () => {
  it('gives results in the order of the jobs', async () => {
    const slow: Tool = {
      ...collection,
      id: 'slow',
      run: async (_, { seed }) => {
        await new Promise((resolve) => setTimeout(resolve, seed === 1 ? 60 : 1));
        return { failures: [String(seed)] };
      },
    };
    const seeds = [1, 2, 3];
    const results = await runJobs(
      seeds.map((seed) => ({ ...job(slow), seed })),
      options,
    );
    expect(results.map(({ failures }) => failures)).toEqual([['1'], ['2'], ['3']]);
  });

  it('ends with the first failure and starts nothing after it', async () => {
    let started = 0;
    const broken: Tool = {
      ...collection,
      run: () => {
        started += 1;
        return Promise.reject(new Error('no such program'));
      },
    };
    const jobs = Array.from({ length: 10 }, () => job(broken));
    await expect(runJobs(jobs, options)).rejects.toThrow('no such program');
    expect(started).toBeLessThanOrEqual(2);
  });

  it('lifts the rate limit for open tools only', async () => {
    const burst = (open: boolean): Tool => ({
      ...collection,
      open,
      run: async ({ baseUrl, key }) => {
        const statuses: string[] = [];
        for (let index = 0; index < 25; index += 1) {
          const { status } = await fetch(`${baseUrl}/currencies`, {
            headers: { 'X-API-KEY': key },
          });
          statuses.push(String(status));
        }
        return { failures: statuses };
      },
    });
    const results = await runJobs([job(burst(true)), job(burst(false))], options);
    expect(results[0]?.failures).not.toContain('429');
    expect(results[1]?.failures.filter((status) => status === '429')).toHaveLength(5);
    expect(results.map(({ requests }) => requests)).toEqual([25, 25]);
  });
});

describe('a server of a case', () => {
  it('knows how many requests with a valid key had come in with a test case', async () => {
    const server = await startServer({ faults: [], variants: [] }, true);
    const ask = async (key: string, testCase?: string): Promise<unknown> => {
      const named = testCase === undefined ? {} : { 'X-Schemathesis-TestCaseId': testCase };
      const answer = await fetch(`${server.baseUrl}/etfs`, {
        headers: { 'X-API-KEY': key, ...named },
      });
      return answer.arrayBuffer();
    };
    try {
      await ask(server.key);
      await ask('no-such-key', 'stranger');
      await ask(server.key, 'one');
      await ask(server.key, 'one');
      const seen = ['stranger', 'one', 'none'].map((name) => server.meteredUpTo(name));
      expect(seen).toEqual([1, 2, undefined]);
      expect(server.metered()).toBe(3);
    } finally {
      await server.close();
    }
  });
});

describe('what counts as found', () => {
  const result = (tool: Tool, failures: readonly string[]): JobResult => ({
    job: job(tool),
    failures,
    requests: 9,
    metered: 8,
  });

  it('is what the same tool never said about the clean server, with any seed', () => {
    const other = { ...collection, id: 'other' };
    const clean = [result(collection, ['a']), result(collection, ['b']), result(other, ['c'])];
    expect(against(clean, result(collection, ['a', 'b', 'c']))).toEqual({
      requests: 9,
      metered: 8,
      fresh: ['c'],
      freshCount: 1,
    });
  });

  it('keeps a few of many, and the trouble', () => {
    const many = Array.from({ length: 9 }, (_, index) => `failure ${index}`);
    const judged = against([], { ...result(collection, many), trouble: 'late' });
    expect(judged.fresh).toHaveLength(5);
    expect(judged).toMatchObject({ freshCount: 9, trouble: 'late' });
  });
});

describe('the output of the tools', () => {
  it('names failures of Schemathesis by operation, kind and signature, each once', () => {
    const entry = { operation: 'GET /news', failure: 'ServerError', signature: '500' };
    expect(schemathesisVerdict({ entries: [entry, { ...entry, check: 'x' }] })).toEqual({
      failures: ['GET /news ServerError 500'],
    });
    expect(schemathesisVerdict({}).trouble).toBe('its list of failures has no entries');
  });

  it('places failures of Schemathesis among the requests that the server saw', async () => {
    const failure = (operation: string) => ({
      name: 'x',
      failure_info: { failure: { operation, type: 'ServerError' } },
    });
    const event = (checks?: object): string =>
      JSON.stringify({ ScenarioFinished: { id: '1', recorder: { label: 'GET /news', checks } } });
    const lines = [
      JSON.stringify({ EngineStarted: {} }),
      event(),
      event({ later: [{ name: 'x', failure_info: null }, failure('GET /etfs')] }),
      event({ sooner: [failure('GET /news')], unseen: [failure('GET /indices')] }),
    ];
    const places: Readonly<Record<string, number>> = { later: 7, sooner: 3 };
    expect(await raisedIn(lines, (testCase) => places[testCase])).toEqual([
      { failure: 'GET /news ServerError', after: 3 },
      { failure: 'GET /etfs ServerError', after: 7 },
    ]);
  });

  it('takes failed musts and warned shoulds of Assay, and says when there is no verdict', () => {
    const requirement = { level: 'must', section: '4.1', title: '', reason: null, reading: null };
    const requirements = (['failed', 'passed', 'warned', 'inconclusive'] as const).map(
      (outcome) => ({ ...requirement, id: `4.1/${outcome}`, outcome, findings: [] }),
    ) as unknown as Parameters<typeof assayVerdict>[0]['requirements'];
    expect(assayVerdict({ verdict: 'violates', requirements })).toEqual({
      failures: ['4.1/failed', '4.1/warned'],
    });
    expect(assayVerdict({ verdict: 'incomplete', requirements }).trouble).toBe(
      'verdict incomplete',
    );
  });
});

describe('a program', () => {
  const started = (code: string, timeoutMs: number, signal = never) =>
    runProgram(process.execPath, ['-e', code], { cwd: folder, timeoutMs, signal });

  it('tells how it ended and what it printed', async () => {
    const ended = await started('console.log("out"); process.exitCode = 3', 20_000);
    expect(ended).toEqual({ code: 3, late: false, text: 'out\n' });
  });

  it('is stopped when its time is over', async () => {
    const ended = await started('setInterval(() => {}, 1000)', 300);
    expect(ended).toMatchObject({ code: null, late: true });
  });

  it('is stopped on Ctrl-C', async () => {
    const stop = new AbortController();
    const ended = started('setInterval(() => {}, 1000)', 20_000, stop.signal);
    stop.abort();
    await expect(ended).rejects.toThrow('interrupted');
  });

  it('says when it cannot be started', async () => {
    const missing = path.join(folder, 'missing');
    await expect(
      runProgram(missing, [], { cwd: folder, timeoutMs: 1000, signal: never }),
    ).rejects.toThrow('cannot be started');
  });
});
