import { execFileSync } from 'node:child_process';
import * as fc from '../fast-check.ts';
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../src/contract/exchange.ts';
import { curlLine, shellQuote } from '../../src/text/curl.ts';
import { rerunCommand } from '../../src/report/rerun.ts';
import { visible } from '../../src/text/text.ts';
import { makeExchange, makeResults } from './fixture.ts';
import { HOSTILE } from './hostile.ts';

/** The words that a POSIX shell hands to a command. */
function shellWords(line: string): readonly string[] {
  const script = `set -- ${line}; for word; do printf '%s\\0' "$word"; done`;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8', env: { ASSAY_API_KEY: 'k1' } })
    .split('\0')
    .slice(0, -1);
}

const plain = makeExchange(1, {
  endpoint: '/etfs',
  path: '/etfs',
  query: [['q', "it's [1] {2} $x"]],
});

function as(role: Exchange['role']): string {
  return curlLine(makeExchange(1, { endpoint: '/etfs', path: '/etfs', role }));
}

describe('curlLine', () => {
  it('takes the key from the environment', () => {
    const line = curlLine(plain);
    expect(line).toContain('-H "X-API-KEY: $ASSAY_API_KEY"');
    expect(line).not.toContain('redacted');
    const words = shellWords(line);
    expect(words[0]).toBe('curl');
    expect(words).toContain('X-API-KEY: k1');
    expect(words).toContain('accept: application/json');
    expect(words.at(-1)).toBe(plain.request.url);
  });

  it('knows the role of the key', () => {
    expect(as('none')).not.toMatch(/api-key/i);
    expect(as('expired')).toContain('"X-API-KEY: $ASSAY_EXPIRED_KEY"');
    expect(as('unknown')).toContain('"X-API-KEY: no-such-key"');
  });

  it('tells a key in another header from other secrets', () => {
    const headers = { 'x-token': '[redacted:key-a1b2]', authorization: '[redacted]' };
    const line = curlLine({ ...plain, request: { ...plain.request, headers } });
    expect(line).toContain('-H "x-token: $ASSAY_API_KEY"');
    expect(line).toContain("-H 'authorization: [redacted]'");
    expect(line).not.toContain('X-API-KEY');
  });

  it('passes over headers that are options, files or belong to the connection', () => {
    const exchange: Exchange = {
      ...plain,
      request: {
        ...plain.request,
        method: 'HEAD',
        url: 'https://a.example/v1/x/../y',
        headers: {
          '@/etc/passwd': 'x',
          '-o': 'file',
          host: 'a',
          connection: 'close',
          'x-empty': '',
        },
      },
    };
    expect(curlLine(exchange)).toBe(
      `curl -sS -i -g --path-as-is --head -H 'x-empty;' -H "X-API-KEY: $ASSAY_API_KEY" --url https://a.example/v1/x/../y`,
    );
  });

  it.each(HOSTILE)('stays one command with %j', (text) => {
    const exchange: Exchange = {
      ...plain,
      request: { ...plain.request, url: `https://a.example/${text}`, headers: { 'x-text': text } },
    };
    const words = shellWords(curlLine(exchange));
    expect(words.at(-1)).toBe(visible(`https://a.example/${text}`));
    // A path that climbs is sent as it is, and that takes one more word.
    expect(words).toHaveLength(words.includes('--path-as-is') ? 11 : 10);
  });
});

describe('shellQuote', () => {
  it('gives the shell exactly the visible word', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary', maxLength: 20 }), { maxLength: 20 }),
        (texts) => {
          const words = texts.map((text) => `x${text}`);
          expect(shellWords(words.map(shellQuote).join(' '))).toEqual(words.map(visible));
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe('rerunCommand', () => {
  it('names target, seed and requirement', () => {
    const results = makeResults();
    expect(rerunCommand(results, { id: '4.3/unlisted' })).toBe(
      'assay run --base-url https://staging.example/v1 --seed 7 --only 4.3/unlisted',
    );
    const reference = { ...results, target: { ...results.target, reference: true } };
    expect(rerunCommand(reference, { id: '4.3/unlisted' })).toBe(
      'assay run --seed 7 --only 4.3/unlisted',
    );
  });
});
