import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { news, served, third, type Behaviour } from './behaviour.ts';
import type { Hostile } from './server.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const MB = 1024 * 1024;

/** A gzip stream may have any number of members (RFC 1952): compressing one takes milliseconds, all of them a second. */
const gzipOf = (megabytes: number): Buffer =>
  Buffer.concat(Array.from({ length: megabytes }, () => GZIPPED_MB));
const GZIPPED_MB = gzipSync(Buffer.alloc(MB, 0x20));
const GZIP_BOMB = gzipOf(200);
/** The best compression level takes ten times as long and is not smaller. */
const BR_BOMB = brotliCompressSync(Buffer.alloc(64 * MB, 0x20), {
  params: { [constants.BROTLI_PARAM_QUALITY]: 5 },
});
const NESTED = gzipSync(gzipOf(50));

const sends = (body: string | Buffer) => (hostile: Hostile) => hostile.reply({ body });
/** Puts text into the first object of the body. */
const planted = (text: string) => (hostile: Hostile) => {
  const at = hostile.body.indexOf('{') + 1;
  hostile.reply({
    body: at === 0 ? hostile.body : `${hostile.body.slice(0, at)}${text},${hostile.body.slice(at)}`,
  });
};
/** Puts bytes before the last quote, inside of a string. */
const insideText = (bytes: Buffer) => (hostile: Hostile) => {
  const body = Buffer.from(hostile.body);
  const at = body.lastIndexOf('"');
  hostile.reply({ body: Buffer.concat([body.subarray(0, at), bytes, body.subarray(at)]) });
};
const streamed = (piece: Buffer, headers: string) => (hostile: Hostile) => {
  hostile.raw(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${headers}\r\n`);
  hostile.raw('[');
  hostile.every(0, () => hostile.raw(piece));
};

const NOT_JSON = /with a body that is not JSON/;
/** Such bodies alone do not identify the service (ruling 23). */
const FOREIGN = /is not the service under test/;
const EXTRA = /"verdict": "(no-violation|incomplete)"/;

/** Bodies too large, is nested too deeply, badly encoded, or not what they claim to be. */
export const BODIES: readonly Behaviour[] = [
  {
    id: 'endless-body',
    does: 'never ends its bodies',
    act: streamed(Buffer.alloc(65_536, '0,'), ''),
    codes: [3],
    says: /the body is larger than 8388608 bytes/,
  },
  {
    id: 'array-of-50-mb',
    does: 'sends arrays of 50 MB',
    act: (hostile) => {
      const body = Buffer.alloc(50 * MB, '{},');
      body.write('[', 0);
      body.write('0]', body.length - 2);
      hostile.reply({ body, headers: JSON_TYPE });
    },
    codes: [3],
    says: /the body is larger than 8388608 bytes/,
  },
  {
    id: 'seven-mb-each',
    does: 'sends 7 MB of text in every answer',
    act: planted(`"x":"${'a'.repeat(7 * MB)}"`),
    on: served,
    codes: [0, 1, 3],
    says: /bodies-cut: \d+ large bod/,
  },
  {
    id: 'quarter-mb-each',
    does: 'sends 250 KB of wide characters in every answer',
    act: planted(`"x":"${'\u4e00'.repeat(250_000)}"`),
    on: served,
    args: [],
    codes: [0, 1, 3],
    says: /"verdict"/,
  },
  {
    id: 'many-values',
    does: 'sends 2 million empty objects',
    act: sends(`[${'{},'.repeat(2_000_000)}{}]`),
    codes: [3],
    says: /the body contains more than 500000 values/,
  },
  {
    id: 'many-values-allowed',
    does: 'sends 200 000 empty objects in every answer',
    act: sends(`[${'{},'.repeat(200_000)}{}]`),
    codes: [1, 3],
    says: /bodies-cut/,
  },
  {
    id: 'gzip-bomb',
    does: 'sends 200 MB in 200 KB of gzip',
    act: (hostile) => hostile.reply({ body: GZIP_BOMB, headers: { 'content-encoding': 'gzip' } }),
    codes: [3],
    says: /the body decompresses to more than 8388608 bytes/,
    always: true,
  },
  {
    id: 'br-bomb',
    does: 'sends 64 MB in 100 bytes of brotli',
    act: (hostile) => hostile.reply({ body: BR_BOMB, headers: { 'content-encoding': 'br' } }),
    codes: [3],
    says: /the body decompresses to more than \d+ bytes/,
  },
  {
    id: 'gzip-in-gzip',
    does: 'packs twice',
    act: (hostile) =>
      hostile.reply({ body: NESTED, headers: { 'content-encoding': 'gzip, gzip' } }),
    codes: [3],
    says: /compressed 2 times/,
  },
  {
    id: 'gzip-said-twice',
    does: 'says gzip in two headers',
    act: (hostile) =>
      hostile.reply({ body: NESTED, headers: { 'content-encoding': ['gzip', 'gzip'] } }),
    codes: [3],
    says: /compressed 2 times/,
  },
  {
    id: 'gzip-unasked',
    does: 'compresses although nobody asked',
    act: (hostile) =>
      hostile.reply({ body: gzipSync(hostile.body), headers: { 'content-encoding': 'gzip' } }),
    codes: [0],
    says: /compressed: \d+ answers came compressed/,
  },
  {
    id: 'gzip-lie',
    does: 'says gzip and sends plain text',
    act: (hostile) => hostile.reply({ headers: { 'content-encoding': 'gzip' } }),
    codes: [1],
    says: /answered 200 with plain JSON, although Content-Encoding says it is compressed/,
  },
  {
    id: 'gzip-cut',
    does: 'sends half of a gzip body',
    act: (hostile) =>
      hostile.reply({
        body: gzipSync(hostile.body).subarray(0, 40),
        headers: { 'content-encoding': 'gzip' },
      }),
    codes: [3],
    says: /content-encoding is gzip, but the body is not/,
  },
  {
    id: 'unknown-encoding',
    does: 'sends an encoding that nobody knows',
    act: (hostile) => hostile.reply({ headers: { 'content-encoding': 'x-rot13' } }),
    codes: [0],
    says: /mislabelled: /,
  },
  {
    id: 'invalid-utf8',
    does: 'puts bytes into texts that are not UTF-8',
    act: insideText(Buffer.from([0xff, 0xfe, 0xc0, 0x80])),
    on: served,
    codes: [0, 1, 3],
    says: /invalid-utf8: \d+ answers contained bytes that are not UTF-8/,
  },
  {
    id: 'utf-16',
    does: 'sends UTF-16',
    act: (hostile) => hostile.reply({ body: Buffer.from(hostile.body, 'utf16le') }),
    codes: [3],
    says: FOREIGN,
  },
  {
    id: 'byte-order-mark',
    does: 'begins bodies with a byte order mark',
    act: (hostile) => hostile.reply({ body: `\ufeff${hostile.body}` }),
    codes: [1],
    says: /answered 200 with a byte order mark before the JSON/,
  },
  { id: 'nan', does: 'sends NaN', act: planted('"x":NaN'), on: served, codes: [3], says: FOREIGN },
  {
    id: 'infinity',
    does: 'sends -Infinity',
    act: planted('"x":-Infinity'),
    on: served,
    codes: [3],
    says: FOREIGN,
  },
  {
    id: 'duplicate-keys',
    does: 'sends every field twice',
    act: (hostile) =>
      hostile.reply({ body: hostile.body.replaceAll(/("code":)(\d+)/g, '$1$2,$1$2') }),
    codes: [0, 1, 3],
    says: /"verdict"/,
  },
  {
    id: 'proto-keys',
    does: 'sends __proto__, constructor and toString',
    act: planted(
      '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":1,"hasOwnProperty":1,"length":-1',
    ),
    codes: [0, 1, 3],
    says: /"verdict"/,
  },
  {
    id: 'deep-arrays',
    does: 'nests 100 000 arrays',
    act: sends('['.repeat(100_000) + ']'.repeat(100_000)),
    codes: [3],
    says: /nested more than 100 levels deep/,
  },
  {
    id: 'deep-objects',
    does: 'nests 100 000 objects in a field',
    act: planted(`"x":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
    on: news,
    codes: [0, 3],
    says: /nested more than 100 levels deep/,
  },
  {
    id: 'deep-allowed',
    does: 'nests 90 levels',
    act: planted(`"x":${'['.repeat(90)}1${']'.repeat(90)}`),
    codes: [0, 1, 3],
    says: EXTRA,
  },
  {
    id: 'deep-unclosed',
    does: 'opens 5 million arrays and closes none',
    act: sends('['.repeat(5_000_000)),
    codes: [3],
    says: /nested more than 100 levels deep/,
  },
  {
    id: 'lone-surrogates',
    does: 'sends lone surrogates',
    act: planted(String.raw`"\ud800":"\udc00\ud800"`),
    codes: [0, 1, 3],
    says: EXTRA,
  },
  {
    id: 'huge-number',
    does: 'sends 1e400 for every number',
    act: (hostile) =>
      hostile.reply({ body: hostile.body.replaceAll(/:-?\d+(\.\d+)?(?=[,}])/g, ':1e400') }),
    on: served,
    codes: [1],
    says: /"verdict": "violates"/,
  },
  {
    id: 'long-number',
    does: 'sends numbers of 100 000 digits',
    act: (hostile) =>
      hostile.reply({
        body: hostile.body
          .replaceAll(/:\d+\.\d+(?=[,}])/g, `:${'9'.repeat(100_000)}`)
          .slice(0, 6 * MB),
      }),
    on: third,
    codes: [0, 1, 3],
    says: /"verdict"/,
  },
  {
    id: 'negative-zero',
    does: 'sends -0 for every number',
    act: (hostile) =>
      hostile.reply({ body: hostile.body.replaceAll(/:\d+(\.\d+)?(?=[,}])/g, ':-0') }),
    on: served,
    codes: [1],
    says: /"verdict": "violates"/,
  },
  {
    id: 'huge-string',
    does: 'sends a string of 5 MB',
    act: planted(`"x":"${'\\u0000'.repeat(800_000)}"`),
    on: news,
    codes: [0, 1, 3],
    says: /"verdict"/,
  },
  {
    id: 'long-field-name',
    does: 'sends a field name of 1 MB',
    act: planted(`"${'k'.repeat(MB)}":1`),
    on: news,
    codes: [0, 1, 3],
    says: /"verdict"/,
  },
  {
    id: 'many-fields',
    does: 'sends 20 000 fields that nobody knows',
    act: planted(Array.from({ length: 20_000 }, (_, index) => `"f${index}":${index}`).join(',')),
    on: third,
    codes: [0, 1, 3],
    says: /"verdict"/,
  },
  { id: 'empty-body', does: 'sends empty bodies', act: sends(''), codes: [3], says: FOREIGN },
  { id: 'blank-body', does: 'sends white space', act: sends(' \n\t '), codes: [3], says: FOREIGN },
  {
    id: 'trailing-garbage',
    does: 'writes on behind its JSON',
    act: (hostile) => hostile.reply({ body: `${hostile.body}<!-- cached -->` }),
    codes: [3],
    says: FOREIGN,
  },
  {
    id: 'two-documents',
    does: 'sends two documents',
    act: (hostile) => hostile.reply({ body: `${hostile.body}\n${hostile.body}` }),
    codes: [3],
    says: FOREIGN,
  },
  {
    id: 'cut-document',
    does: 'sends the first half of its JSON',
    act: (hostile) => hostile.reply({ body: hostile.body.slice(0, hostile.body.length / 2) }),
    on: third,
    codes: [1, 3],
    says: NOT_JSON,
  },
  {
    id: 'scalar',
    does: 'answers everything with a number',
    act: sends('0'),
    codes: [1, 3],
    says: /"verdict"/,
  },
  {
    id: 'binary',
    does: 'sends random bytes',
    act: (hostile) =>
      hostile.reply({
        body: Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 7919) % 256)),
      }),
    codes: [3],
    says: FOREIGN,
  },
];
