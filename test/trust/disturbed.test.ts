import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Results } from '../../src/report/model/results.ts';
import { createReference } from '../../src/reference/reference.ts';
import { assay, scratch } from '../cli/assay.ts';
import { disturbed, type Disturbance } from './servers.ts';

/** Keys that the limiter counts. */
const KEYS: ReadonlySet<string> = new Set(createReference().keys.valid);

/** A conforming service on a bad day. */
const BAD_DAYS: Readonly<Record<string, Disturbance>> = {
  'is slow (300 ms)': (request, _response, answer) => {
    // Refusals of bad keys are many, and their time proves nothing.
    if (KEYS.has(String(request.headers['x-api-key']))) setTimeout(answer, 300);
    else answer();
  },
  'drops every 17th connection': (request, _response, answer, number) => {
    if (number % 17 === 0) request.socket.destroy();
    else answer();
  },
  'answers 503 once': (_request, response, answer, number) => {
    if (number !== 30) {
      answer();
      return;
    }
    response.writeHead(503, { 'content-type': 'application/json' });
    response.end('{"code":500301,"message":"maintenance","details":{}}');
  },
  'answers a gateway page with 503 now and then': (_request, response, answer, number) => {
    if (number % 40 !== 0) {
      answer();
      return;
    }
    response.writeHead(503, { 'content-type': 'text/html' });
    response.end('<h1>503 Service Unavailable</h1>');
  },
};

function resultsIn(folder: string): Results {
  return JSON.parse(readFileSync(path.join(scratch, folder, 'results.json'), 'utf8')) as Results;
}

describe('a conforming target that', () => {
  it.each(Object.keys(BAD_DAYS))('%s is never called a violator', async (name) => {
    const disturbance = BAD_DAYS[name];
    if (disturbance === undefined) throw new Error(name);
    const server = await disturbed(disturbance);
    try {
      const folder = name.replaceAll(/[^a-z0-9]+/gi, ' ');
      const { code, text } = await assay(['run', '-t', server.target, '--output', folder]);
      const { requirements } = resultsIn(folder);
      const red = requirements.filter(
        ({ outcome }) => outcome === 'failed' || outcome === 'warned',
      );
      expect(red.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
      expect([0, 3], text).toContain(code);
      for (const { id, outcome, reason } of requirements) {
        if (outcome === 'inconclusive') expect(reason, id).toBeTruthy();
      }
    } finally {
      await server.close();
    }
  });
});

const calm: Disturbance = (_request, _response, answer) => answer();

describe('a wrapped body', () => {
  it('is a violation, and nothing inside it is called one', async () => {
    const server = await disturbed(calm, { variants: ['wrapped-body'] });
    try {
      const file = JSON.parse(readFileSync(server.target, 'utf8')) as { envelope: string | null };
      expect(file.envelope).toBe('data');
      const { code, stdout } = await assay(['run', '-t', server.target, '--output', 'unwrapped']);
      expect(stdout).toContain('CONFORMS');
      expect(code).toBe(0);
      expect(resultsIn('unwrapped').notes.join(' ')).toContain('envelope');
      const bare = await assay(
        [
          'run',
          '-u',
          `${server.origin}/v1`,
          '--only',
          '2,4',
          '--output',
          'wrapped',
          '--max-requests',
          '20',
        ],
        { ASSAY_API_KEY: server.keys.join(',') },
      );
      expect(bare.code).toBe(1);
      const failed = resultsIn('wrapped').requirements.filter(
        ({ outcome }) => outcome === 'failed',
      );
      expect(failed.map(({ id }) => id)).toEqual(['4/bare-body']);
    } finally {
      await server.close();
    }
  });
});

describe('requests are spread', () => {
  it('over two keys, and no key is refused but for the one deliberate time', async () => {
    const server = await disturbed(calm, { validKeys: 2 });
    try {
      const { code, text } = await assay(['run', '-t', server.target, '--output', 'two keys']);
      expect(code, text).toBe(0);
      const { exchanges } = resultsIn('two keys');
      const valid = exchanges.filter(({ role }) => role === 'valid');
      const byKey = new Map<string, number>();
      for (const { key } of valid) byKey.set(key ?? '', (byKey.get(key ?? '') ?? 0) + 1);
      expect(byKey.size).toBe(2);
      const [few = 0, many = 0] = [...byKey.values()].toSorted((a, b) => a - b);
      expect(few / many).toBeGreaterThan(0.5);
      expect(valid.filter(({ response }) => response?.status === 429).length).toBeLessThanOrEqual(
        1,
      );
    } finally {
      await server.close();
    }
  });

  it('and a run with one key stays within its window budget', async () => {
    const server = await disturbed(calm, { validKeys: 1 });
    try {
      const { code, text } = await assay(['run', '-t', server.target, '--output', 'one key']);
      expect(code, text).toBe(0);
      const { requests } = resultsIn('one key');
      // The plan, and what it names on top: the deliberate requests beyond the limit.
      expect(requests.byRole.valid).toBeLessThanOrEqual(104);
      const windows = Math.ceil((requests.byRole.valid ?? 0) / 20);
      expect(requests.waitedMs).toBeLessThanOrEqual(1.05 * windows * 60_000);
    } finally {
      await server.close();
    }
  });
});
