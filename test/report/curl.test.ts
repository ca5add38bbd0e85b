import { execFileSync } from 'node:child_process';
import * as fc from '../fast-check.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Exchange } from '../../src/spec/exchange.ts';
import { curlLine, shellQuote } from '../../src/text/curl.ts';
import { rerunCommand } from '../../src/report/analysis/rerun.ts';
import type { Results } from '../../src/report/model/results.ts';
import { withKeyNames } from '../../src/report/model/key-names.ts';
import { sendAgain } from '../../src/report/analysis/send-again.ts';
import { visible } from '../../src/text/text.ts';
import { makeExchange, makeRequirement, makeResults } from './fixture.ts';
import { HOSTILE } from './hostile.ts';
import { anyText } from '../../src/suite/property/values.ts';

/** The words that a POSIX shell hands to a command, of each line: each in a shell of its own, forked by one. */
function wordsOfAll(lines: readonly string[]): readonly (readonly string[])[] {
  const words = `for line; do (eval "set -- $line"; for word; do printf '%s\\0' "$word"; done); printf '\\1\\0'; done`;
  const told = execFileSync('sh', ['-c', words, 'sh', ...lines], {
    encoding: 'utf8',
    env: { ASSAY_API_KEY: 'k1,k2' },
  });
  return told
    .split('\u0001\0')
    .slice(0, -1)
    .map((one) => one.split('\0').slice(0, -1));
}

/** The words that a POSIX shell hands to a command. */
const shellWords = (line: string): readonly string[] => wordsOfAll([line])[0] ?? [];

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
    expect(line).toContain('-H "X-API-KEY: ${ASSAY_API_KEY%%,*}"');
    expect(line).not.toContain('redacted');
    const words = shellWords(line);
    expect(words[0]).toBe('curl');
    expect(words).toContain('X-API-KEY: k1');
    expect(words).toContain('accept: application/json');
    expect(words.at(-1)).toBe(plain.request.url);
  });

  it('takes it from the variable that held it, where one is known and is a name', () => {
    const print = plain.key ?? '';
    expect(print).not.toBe('');
    expect(curlLine(plain, { [print]: 'K1' })).toContain('-H "X-API-KEY: ${K1}"');
    for (const other of [{ [print]: 'K1;rm -rf ~' }, { [print]: '' }, { 'k:other': 'K1' }]) {
      expect(curlLine(plain, other)).toBe(curlLine(plain));
    }
    const made = makeResults();
    const results = { ...made, target: { ...made.target, keyVariables: { [print]: 'K1' } } };
    expect(sendAgain(results, '4.2/news', plain)).toContain('"X-API-KEY: ${K1}"');
  });

  it('knows the role of the key', () => {
    expect(as('none')).not.toMatch(/api-key/i);
    expect(as('expired')).toContain('"X-API-KEY: ${ASSAY_EXPIRED_KEY}"');
    expect(as('unknown')).toContain('"X-API-KEY: no-such-key"');
  });

  it.each([
    ['longer', 'k1x'],
    ['shorter', 'k'],
    ['other-case', 'K1'],
    ['prefixed', 'xk1'],
    ['null', 'null'],
    ['undefined', 'undefined'],
  ] as const)('makes the unknown key that was sent from a valid one: %s', (variation, sent) => {
    const varied: Exchange = { ...plain, role: 'unknown', variation };
    expect(shellWords(curlLine(varied))).toContain(`X-API-KEY: ${sent}`);
    const named = curlLine(varied, { [plain.key ?? '']: 'ASSAY_API_KEY' });
    const inFull = sent.replace('k1', 'k1,k2').replace('K1', 'K1,K2').replace(/^k$/, 'k1,k');
    expect(shellWords(named)).toContain(`X-API-KEY: ${inFull}`);
  });

  it('tells a key in another header from other secrets', () => {
    const headers = { 'x-token': '[redacted:key-a1b2]', authorization: '[redacted]' };
    const line = curlLine({ ...plain, request: { ...plain.request, headers } });
    expect(line).toContain('-H "x-token: ${ASSAY_API_KEY%%,*}"');
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
      `curl -sS -i -g --path-as-is --head -H 'x-empty;' -H "X-API-KEY: \${ASSAY_API_KEY%%,*}" --url https://a.example/v1/x/../y`,
    );
  });

  const withText = (text: string): Exchange => ({
    ...plain,
    request: { ...plain.request, url: `https://a.example/${text}`, headers: { 'x-text': text } },
  });
  let wordsOf: ReadonlyMap<string, readonly string[]> = new Map();
  beforeAll(() => {
    const words = wordsOfAll(HOSTILE.map((text) => curlLine(withText(text))));
    wordsOf = new Map(HOSTILE.map((text, index) => [text, words[index] ?? []]));
  });

  it.each(HOSTILE)('stays one command with %j', (text) => {
    const words = wordsOf.get(text) ?? [];
    expect(words.at(-1)).toBe(visible(`https://a.example/${text}`));
    // A path that climbs is sent as it is, and that takes one more word.
    expect(words).toHaveLength(words.includes('--path-as-is') ? 11 : 10);
  });
});

describe('shellQuote', () => {
  it('gives the shell exactly the visible word', () => {
    fc.assert(
      fc.property(fc.array(anyText({ maxLength: 20 }), { maxLength: 20 }), (texts) => {
        const words = texts.map((text) => `x${text}`);
        expect(shellWords(words.map(shellQuote).join(' '))).toEqual(words.map(visible));
      }),
      { numRuns: 25 },
    );
  });
});

const WAITING =
  'waiting 61 s for a fresh window; count only responses with the same X-RateLimit-Reset';

describe('sendAgain', () => {
  const results = makeResults();
  /** What a shell does with a command, with a curl that answers like a limiter of its own. */
  function said(command: string): readonly string[] {
    const curl = `curl() { printf 'HTTP/1.1 200 OK\\r\\nx-other: 1\\r\\nX-RateLimit-Remaining: 7\\r\\n\\r\\n[1]\\n'; }; sleep() { echo "waited $1"; }`;
    return execFileSync('sh', ['-c', `${curl}; ${command}`], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], ASSAY_API_KEY: 'k1' },
    })
      .split('\n')
      .map((line) => line.trim());
  }

  it('is one request where one shows it', () => {
    expect(sendAgain(results, '4.3/symbol-enum', plain)).toBe(curlLine(plain));
    expect(sendAgain(results, '8/header-limit', plain)).toBe(curlLine(plain));
    expect(sendAgain(results, 'no/such', plain)).toBe(curlLine(plain));
  });

  it('is one more than the limit where a window has to be full, whatever the limit of the target is', () => {
    const lines = said(sendAgain(results, '8/limit-enforced', plain));
    expect(lines.filter((line) => line.startsWith('request '))).toHaveLength(21);
    expect(lines.filter((line) => line === 'X-RateLimit-Remaining: 7')).toHaveLength(21);
    expect(lines).not.toContain('x-other: 1');
    const limits = { requests: 300, windowMs: 60_000, monthlyQuota: 1 };
    const scaled = { ...results, settings: { limits } } as unknown as Results;
    const counted = said(sendAgain(scaled, '8/limit-enforced', plain));
    expect(counted.filter((line) => line.startsWith('request ')).at(-1)).toBe('request 301');
  });

  it('fills the window for a refusal of the limiter, and waits for the reset where that is meant', () => {
    const refused = makeExchange(1, { endpoint: '/etfs', path: '/etfs', status: 429 });
    expect(sendAgain(results, '7/error-shape', refused)).toMatch(
      /^echo '.*'; sleep 61; for n in 1 .* 21; do /,
    );
    const lines = said(sendAgain(results, '8/reset', plain));
    // Before the loop, too: in a window that is under way the count would be another one.
    expect(lines.slice(0, 2)).toEqual([WAITING, 'waited 61']);
    expect(lines.slice(lines.lastIndexOf('waited 61'))).toContain('HTTP/1.1 200 OK');
  });

  it('sends at the same moment where a limiter may check before it counts', () => {
    const finding = { message: 'm', expected: 'e', actual: 'a', pointer: null, exchange: plain.id };
    const racy = makeRequirement('8/limit-enforced', 'failed', {
      findings: [{ ...finding, kind: 'admitted-beyond-limit' }],
    });
    const command = sendAgain({ ...results, requirements: [racy] }, '8/limit-enforced', plain);
    expect(command).toContain('} & done; wait');
    const lines = said(command);
    expect(lines.filter((line) => line.startsWith('request '))).toHaveLength(21);
    expect(lines.filter((line) => line === 'X-RateLimit-Remaining: 7')).toHaveLength(21);
  });

  it('uses the key of the finding, by its place in the variable', () => {
    const keys = { ...results.target.keys, valid: ['k:first', plain.key ?? ''] };
    const run = { ...results, exchanges: [plain], target: { ...results.target, keys } };
    const second = 'X-API-KEY: $(printf %s "$ASSAY_API_KEY" | cut -d, -f2)';
    for (const shown of [run, withKeyNames(run)]) {
      const [one = plain] = shown.exchanges;
      const command = sendAgain(shown, '8/limit-enforced', one);
      expect(command).toContain(second);
      expect(command).not.toContain('%%,*');
    }
    expect(shellWords(curlLine(plain, {}, keys.valid))).toContain('X-API-KEY: k2');
  });

  it('uses both keys where keys share one count', () => {
    const other = makeExchange(2, { endpoint: '/etfs', path: '/etfs', role: 'restricted' });
    const finding = { message: 'm', expected: 'e', actual: 'a', pointer: null, exchange: plain.id };
    const shared = makeRequirement('8/per-key', 'failed', {
      findings: [{ ...finding, kind: 'keys-share-a-count' }],
    });
    const run = { ...results, exchanges: [plain, other], requirements: [shared] };
    const command = sendAgain(run, '8/per-key', plain);
    expect(command).toContain('${ASSAY_API_KEY%%,*}');
    expect(command).toContain('${ASSAY_RESTRICTED_KEY}');
  });

  it('uses the quota up where that is meant, unless the limiter would be first', () => {
    const near = { limits: { requests: 20, windowMs: 60_000, monthlyQuota: 1 } };
    const withLeft = (quotaLeft: number) =>
      ({ ...results, settings: { ...near, quotaLeft } }) as unknown as Results;
    expect(sendAgain(withLeft(3), '8/quota', plain)).toMatch(
      /^echo '.*'; sleep 61; for n in 1 2 3 4; do /,
    );
    expect(sendAgain(withLeft(20), '8/quota', plain)).toBe(curlLine(plain));
  });

  it.each(HOSTILE.filter((_text, index) => index % 8 === 0))(
    'stays one sequence with %j',
    (text) => {
      const exchange: Exchange = {
        ...plain,
        request: {
          ...plain.request,
          url: `https://a.example/${text}`,
          headers: { 'x-text': text },
        },
      };
      const lines = said(sendAgain(results, '8/remaining-decrements', exchange));
      expect(lines.filter((line) => line.startsWith('request '))).toHaveLength(21);
      const others = lines.filter((line) => line !== '' && !/^(request|HTTP|X-Rate)/.test(line));
      expect(others).toEqual([WAITING, 'waited 61']);
    },
  );
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
