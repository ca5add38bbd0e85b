import type { IncomingMessage, ServerResponse } from 'node:http';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Results } from '../../src/report/model/results.ts';
import { createReference } from '../../src/reference/reference.ts';
import { assay, scratch } from '../cli/assay.ts';
import { serving } from './servers.ts';
import { WORLD } from '../kept/data.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const json = (response: ServerResponse, status: number, value: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
};

/** Answers that have nothing to do with the service. */
const OTHERS: Readonly<Record<string, { handler: Handler; says: RegExp }>> = {
  'another API': {
    handler: (request, response) => {
      const { pathname } = new URL(request.url ?? '', 'http://localhost');
      if (/^\/v1\/(news|currencies)$/.test(pathname)) {
        json(response, 200, { status: 'ok', articles: [{ headline: 'x', url: 'https://a.test' }] });
      } else json(response, 404, { error: 'no such route' });
    },
    says: /is not the service under test/,
  },
  'another API that answers everything': {
    handler: (_request, response) => json(response, 200, { ok: true, items: [1, 2, 3] }),
    says: /is not the service under test: .*JSON with the fields ok, items, with status 200/,
  },
  'a login page': {
    handler: (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.end('<!doctype html><html><title>Sign in</title><form></form></html>');
    },
    says: /an HTML page titled "Sign in" with status 200/,
  },
  '404 everywhere': {
    handler: (_request, response) => json(response, 404, { message: 'Not Found' }),
    says: /with status 404/,
  },
  'a page of a web server': {
    handler: (_request, response) => {
      response.writeHead(404, { 'content-type': 'text/html' });
      response.end('<html><head><title>404 Not Found</title></head><body>nginx</body></html>');
    },
    says: /"404 Not Found" with status 404/,
  },
};

async function run(
  folder: string,
  handler: Handler,
  base = '/v1',
): Promise<{ code: number | null; text: string; results: Results; requests: number }> {
  let requests = 0;
  const server = await serving((request, response) => {
    requests += 1;
    handler(request, response);
  });
  try {
    const output = folder.replaceAll(/[^a-z0-9]+/gi, '-');
    const words = ['run', '-u', `${server.origin}${base}`, '-k', 'some-key', '--profile', 'smoke'];
    const { code, text } = await assay([...words, '--output', output]);
    const file = path.join(scratch, output, 'results.json');
    const results = JSON.parse(readFileSync(file, 'utf8')) as Results;
    return { code, text, results, requests };
  } finally {
    await server.close();
  }
}

describe('not this service (ruling 23)', () => {
  it.each(Object.keys(OTHERS))('%s', async (name) => {
    const { handler, says } = OTHERS[name] ?? { handler: () => undefined, says: /./ };
    const { code, text, results, requests } = await run(`not-${name}`, handler);
    expect(code, text).toBe(3);
    expect(results.verdict).toBe('incomplete');
    expect(results.summary.must.failed + results.summary.should.warned).toBe(0);
    expect(results.sentence).toMatch(says);
    expect(requests).toBeLessThanOrEqual(12);
  });

  it('names the base path that works', async () => {
    const reference = createReference({ basePath: '/api/v1', world: WORLD });
    const key = reference.keys.valid[0] ?? '';
    const handler: Handler = ({ url = '', method = 'GET', headers }, response) => {
      const sent = headers['x-api-key'] === undefined ? {} : { 'x-api-key': key };
      const answer = reference.handle({ method, path: url, headers: sent });
      response.writeHead(answer.status, answer.headers);
      response.end(answer.body);
    };
    const { code, text, results, requests } = await run('wrong-base', handler, '/v2');
    expect(code).toBe(3);
    expect(text).toMatch(/assay run --base-url \S+\/api\/v1 /);
    expect(results.sentence).toMatch(/The service was found at http:\S+\/api\/v1: use this URL/);
    expect(requests).toBeLessThanOrEqual(12);
    const [, more] = /with (\d+) more requests, \d+ of them/.exec(results.notes.join('\n')) ?? [];
    expect(results.requests.total + Number(more)).toBe(requests);
  });
});
