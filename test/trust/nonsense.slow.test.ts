import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { Results } from '../../src/report/model/results.ts';
import { assay, scratch } from '../cli/assay.ts';
import { sampleOf } from '../sample.ts';
import { serving } from './servers.ts';

/** Servers that are no implementation of anything. Nothing may pass on them. */
const NONSENSE: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'an empty 200': (response) => response.end(),
  'always 200 {}': (response) => {
    response.setHeader('content-type', 'application/json');
    response.end('{}');
  },
  'always 200 []': (response) => {
    response.setHeader('content-type', 'application/json');
    response.end('[]');
  },
  'an HTML page': (response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>It works</title><h1>It works</h1>');
  },
  'always 429': (response) => {
    response.writeHead(429, { 'content-type': 'application/json' });
    response.end('{"code":402901,"message":"Rate limit exceeded","details":{}}');
  },
  'always 401': (response) => {
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end('{"code":400101,"message":"Invalid API key","details":{"header":"X-API-KEY"}}');
  },
  'always 404': (response) => {
    response.writeHead(404, { 'content-type': 'application/json' });
    response.end('{"code":400402,"message":"endpoint not found","details":{}}');
  },
  'always 400': (response) => {
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(
      '{"code":400003,"message":"Invalid parameter: interval","details":{"field":"interval"}}',
    );
  },
  'always 500': (response) => {
    response.writeHead(500, { 'content-type': 'application/json' });
    response.end('{"code":500001,"message":"internal","details":{}}');
  },
  'always 503': (response) => {
    response.writeHead(503, { 'content-type': 'application/json' });
    response.end('{"code":500301,"message":"maintenance","details":{}}');
  },
  'a redirect': (response) => {
    response.writeHead(302, { location: '/elsewhere' });
    response.end();
  },
};

/**
 * Requirements that such a server keeps by accident, each with why that is no loophole: they forbid something that a
 * server does not do by doing next to nothing. Everything else must not pass.
 */
const KEPT_BY_DOING_NOTHING: ReadonlySet<string> = new Set([
  // An answer that is JSON, is no 5xx, or is not wrapped stays so whatever it says.
  '4/json-body',
  '4/no-5xx',
  '4/bare-body',
]);

describe('nothing passes on nonsense', () => {
  it.each(sampleOf(Object.keys(NONSENSE)))('%s', async (name) => {
    const server = await serving((_request, response) => NONSENSE[name]?.(response));
    try {
      const folder = name.replaceAll(/[^a-z0-9]+/gi, ' ');
      const target = path.join(scratch, `${folder}.yaml`);
      writeFileSync(
        target,
        [
          `baseUrl: ${server.origin}/v1`,
          'keys: { valid: [nonsense-key-1, nonsense-key-2], disabled: nonsense-key-3, expired: nonsense-key-4 }',
          'limits: { windowMs: 300 }',
          'fixtures: { currencyIds: ["1"], etfTickers: [IBIT], stockTickers: [COIN], macroEvents: [CPI] }',
        ].join('\n'),
      );
      const { code, text } = await assay(['run', '-t', target, '--output', folder]);
      const file = path.join(scratch, folder, 'results.json');
      const results = JSON.parse(readFileSync(file, 'utf8')) as Results;
      const passed = results.requirements
        .filter(({ level, outcome }) => level === 'must' && outcome === 'passed')
        .map(({ id }) => id);
      expect(passed.filter((id) => !KEPT_BY_DOING_NOTHING.has(id))).toEqual([]);
      expect(code, text).not.toBe(0);
      expect([1, 3]).toContain(code);
      expect(results.summary.must.error, text).toBe(0);
    } finally {
      await server.close();
    }
  });
});
