import { truncateSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { RecordingError } from '../../src/har/errors.ts';
import { checked, entry, har, scratchFile } from './harness.ts';

const whole = har([entry(), entry()]);
const lists = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

/** Files that are not recordings, and their error messages. */
const NOTHING: Readonly<Record<string, readonly [content: string | Uint8Array, said: RegExp]>> = {
  'an empty file': ['', /is empty/],
  'white space': [' \n\n ', /is empty/],
  'a page of HTML': ['<!doctype html>\n<p>x</p>', /not JSON: unexpected "<", at line 1, column 1/],
  'a list with a trailing comma': [
    '{"log":{"entries":[{},]}}',
    /unexpected "\]", at line 1, column 23/,
  ],
  'a missing colon': ['{"log"\n {"entries":[]}}', /is not JSON, at line 2, column 2/],
  'a missing comma': ['{"log":{"entries":[{} {}]}}', /is not JSON, at line 1, column 23/],
  'a bare word': ['{"log":{"entries":[nothing]}}', /not JSON: unexpected "o"/],
  'a line break in a text': ['{"log":{"entries":[{"a":"\n"}]}}', /not JSON/],
  'a HAR that was cut off in an entry': [whole.slice(0, -200), /ends unexpectedly\./],
  'a HAR that was cut off between entries': [
    whole.slice(0, whole.indexOf('"log"') + 8),
    /ends unexpectedly/,
  ],
  'closing brackets that do not match': ['{"log":{"entries":[}}]', /unexpected "}"/],
  'no log': ['{"entries":[]}', /no recorded traffic/],
  'a log without entries': ['{"log":{"version":"1.2"}}', /log\.entries is not a list/],
  'a log that is a number': ['{"log":5}', /log\.entries is not a list/],
  'entries that are an object': ['{"log":{"entries":{}}}', /log\.entries is not a list/],
  'entries that are null': ['{"log":{"entries":null}}', /log\.entries is not a list/],
  'exchanges that are a text': ['{"exchanges":"x"}', /exchanges is not a list/],
  'no entries': ['{"log":{"entries":[]}}', /contains no entries/],
  null: ['null', /no request( with a response| to the service)? in 1 entry/],
  numbers: ['1\n2\n3', /no request( with a response| to the service)? in 3 entries/],
  'entries of wrong types': [
    '{"log":{"entries":[1,"x",null,[],{"request":5}]}}',
    /no request( with a response| to the service)? in 5 entries/,
  ],
  'deep nesting in an entry': [
    `{"log":{"entries":[{"x":${lists(100_000)}}]}}`,
    /no request( with a response| to the service)? in 1 entry/,
  ],
  'deep nesting beside the log': [
    `{"x":${lists(100_000)}}`,
    /no request( with a response| to the service)? in 1 entry/,
  ],
  'bytes that are no UTF-8': [
    Buffer.concat([
      Buffer.from('{"log":{"a":"'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('","b":1}}'),
    ]),
    /not UTF-8 text/,
  ],
  'binary data': [Buffer.from([1, 0, 2, 0, 3, 0]), /not JSON/],
  'a gzip file': [gzipSync(Buffer.alloc(4000, 'abcdef')), /compressed file/],
  'a broken line': [
    `${JSON.stringify(entry())}\n\n{"a": nothing}\n`,
    /not JSON: unexpected "o", at line 3/,
  ],
  'a line that was cut off': [
    `${JSON.stringify(entry())}\n{"a": "b`,
    /ends unexpectedly, at line 2, column 9/,
  ],
  'the metrics of k6': [
    '{"type":"Metric","data":{}}\n{"type":"Point","data":{}}\n',
    /no request( with a response| to the service)? in 2 entries/,
  ],
};

describe('a file that is not a recording', () => {
  it.each(Object.entries(NOTHING))('%s', async (name, [content, said]) => {
    const file = scratchFile(`${name}.har`, content);
    const error: unknown = await checked([file]).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(RecordingError);
    const { message, hint, code } = error as RecordingError;
    expect(message).toMatch(said);
    expect(message).toContain(file);
    expect(code).toBe('ASSAY_RECORDING');
    expect(hint).not.toBe('');
    // A readable sentence without a stack or internals.
    expect(message + hint).not.toMatch(/at .*\.ts:|undefined|\[object|TypeError/);
  });

  it('a missing file, and a folder', async () => {
    await expect(checked(['/nowhere/x.har'])).rejects.toThrow(/file not found/);
    await expect(checked([process.cwd()])).rejects.toThrow(/it is a folder/);
  });

  it.each([
    ['in lines', '{\n'],
    ['on one line', '{ '],
  ])('a JSON file beyond what is parsed at once, %s', async (_name, start) => {
    const file = scratchFile('large.har', start);
    truncateSync(file, 256 * 1024 * 1024 + 1);
    await expect(checked([file])).rejects.toMatchObject({
      message: `${file} is a JSON file larger than 256 MiB.`,
      hint: expect.stringContaining('NDJSON') as string,
    });
  });
});

const good = entry({ body: [{ chart_name: 'a' }] });
const bend = (change: (one: Record<string, unknown>) => unknown): unknown => {
  const copy = structuredClone(good);
  const changed = change(copy);
  return changed ?? copy;
};
const inRequest = (part: object): unknown =>
  bend((one) => ({ ...one, request: { ...(one['request'] as object), ...part } }));
const inResponse = (part: object): unknown =>
  bend((one) => ({ ...one, response: { ...(one['response'] as object), ...part } }));

/** Unusable entries next to a good one. */
const ENTRIES: Readonly<Record<string, readonly [entry: unknown, reason: RegExp]>> = {
  'no response': [bend(({ request }) => ({ request })), /no response/],
  'a response that is a list': [bend((one) => ({ ...one, response: [] })), /no response/],
  'a status that is a text': [inResponse({ status: '200' }), /no response/],
  'a part of a body': [inResponse({ status: 206 }), /partial response/],
  'an answer of a proxy': [inResponse({ status: 407 }), /proxy or network/],
  'a page of a firewall': [
    inResponse({
      status: 403,
      headers: [{ name: 'content-type', value: 'text/html' }],
      content: { text: '<h1>Forbidden</h1>' },
    }),
    /in front of the service/,
  ],
  'UTF-8 that was read as Latin-1': [
    inResponse({
      content: { text: Buffer.from('[{"title":"比特币 é"}]').toString('latin1') },
    }),
    /wrong character set/,
  ],
  'a status of 700': [inResponse({ status: 700 }), /not a valid HTTP status/],
  'a URL that is none': [inRequest({ url: 'http://[::1' }), /cannot be read/],
  'a data URL': [inRequest({ url: 'data:application/json,[]' }), /not below/],
  'no method': [inRequest({ method: null }), /cannot be read/],
  'headers that are no list': [
    inResponse({ headers: 7, content: { text: '[]' } }),
    /response headers/,
  ],
  'no content': [inResponse({ content: null }), /body was not recorded/],
  'base64 that is no gzip at heart': [
    inResponse({
      content: { text: Buffer.from([0x1f, 0x8b, 1, 2, 3]).toString('base64'), encoding: 'base64' },
    }),
    /compressed \(gzip\) and cannot be decompressed/,
  ],
  'an unknown encoding': [
    inResponse({ content: { text: 'x', encoding: 'rot13' } }),
    /encoding that HAR does not support/,
  ],
  'no time at all': [
    bend((one) => ({
      ...one,
      startedDateTime: 'yesterday',
      response: { ...(one['response'] as object), headers: [{ name: 'etag', value: 'x' }] },
    })),
    /time of the request/,
  ],
  'an entry that is null': [null, /not a request with a response/],
  'a false mark of Assay': [
    bend((one) => ({
      ...one,
      _assay: { id: 'x1', role: 'king', key: 'raw-key' },
      startedDateTime: 5,
      response: { status: 0 },
    })),
    /no response/,
  ],
};

describe('an entry that cannot be judged', () => {
  it.each(Object.entries(ENTRIES))('%s', async (_name, [one, reason]) => {
    const file = scratchFile('one.har', har([good, one]));
    const { tally, results } = await checked([file]);
    expect(tally).toMatchObject({ read: 2, judged: 1 });
    expect(tally.leftOut[0]?.reason).toMatch(reason);
    expect(results.exitCode).toBeLessThan(4);
  });

  it('is read despite special member names, without side effects', async () => {
    const text = har([good, good]).replace(
      '"request":{',
      '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"request":{"__proto__":{"polluted":1},',
    );
    const named = text.replace('"name":"host"', '"name":"__proto__"');
    const { tally } = await checked([scratchFile('proto.har', named)]);
    expect(tally.judged + tally.leftOut.length).toBeGreaterThan(0);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('is read despite a header of a million characters and a thousand headers', async () => {
    const huge = entry({
      headers: {
        'x-huge': 'h'.repeat(1_000_000),
        ...Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`x-${index}`, 'y'])),
      },
    });
    const { tally } = await checked([scratchFile('huge.har', har([huge]))]);
    expect(tally.judged).toBe(1);
  });

  it('is read after a byte order mark, with CRLF and indented', async () => {
    const text = `\ufeff${JSON.stringify(JSON.parse(har([good])), null, 4).replaceAll('\n', '\r\n')}`;
    expect((await checked([scratchFile('bom.har', text)])).tally.judged).toBe(1);
  });

  it('names line and column of a mistake late in the file', async () => {
    const lines = JSON.stringify(
      JSON.parse(har(Array.from({ length: 3000 }, () => good))),
      null,
      1,
    );
    const at = lines.lastIndexOf('"time": 30');
    const broken = `${lines.slice(0, at)}"time": @@${lines.slice(at + 10)}`;
    const line = lines.slice(0, at).split('\n').length;
    const column = at - lines.lastIndexOf('\n', at) + 8;
    await expect(checked([scratchFile('slip.har', broken)])).rejects.toThrow(
      new RegExp(`unexpected "@", at line ${line}, column ${column}\\.`),
    );
  });
});
