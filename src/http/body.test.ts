import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { BadBody, countValues, MAX_DEPTH, MAX_VALUES, unpacked } from './body.ts';

const MAX = 8 * 1024 * 1024;
const plain = Buffer.from('{"a":[1,2,3]}');

describe('unpacked', () => {
  it.each([
    ['gzip', gzipSync(plain)],
    ['X-GZIP', gzipSync(plain)],
    ['deflate', deflateSync(plain)],
    ['deflate', deflateRawSync(plain)],
    ['br', brotliCompressSync(plain)],
    ['identity', plain],
    ['gzip', plain],
    ['utf-8', plain],
    ['gzip, br', Buffer.from(`\ufeff ${plain.toString()}`)],
    [undefined, plain],
  ])('reads %s', (encoding, body) => {
    expect(unpacked(body, encoding, MAX).toString().trim()).toBe(plain.toString());
  });

  it.each([
    ['gzip', gzipSync(Buffer.alloc(MAX + 1)), 'too-large'],
    ['gzip', gzipSync(Buffer.alloc(3 * 1024 * 1024)), 'too-large'],
    ['br', brotliCompressSync(Buffer.alloc(MAX + 1)), 'too-large'],
    ['gzip', Buffer.from('<html>'), 'encoding'],
    ['gzip, gzip', gzipSync(gzipSync(plain)), 'encoding'],
    ['zstd', deflateSync(plain), 'encoding'],
  ])('refuses %s', (encoding, body, kind) => {
    expect(() => unpacked(body, encoding, MAX)).toThrow(BadBody);
    expect(() => unpacked(body, encoding, MAX)).toThrow(expect.objectContaining({ kind }));
  });
});

describe('countValues', () => {
  it('counts values, but not inside strings', () => {
    expect(countValues(Buffer.from('[1,2,{"a":"x,[,{\\"","b":[]}]'))).toBe(7);
    expect(countValues(Buffer.from('"[,,,]"'))).toBe(1);
    expect(countValues(Buffer.from('<html>[,,,,,'))).toBe(1);
  });

  it('bounds depth and number', () => {
    const nested = (depth: number): Buffer => Buffer.from('['.repeat(depth) + ']'.repeat(depth));
    expect(countValues(nested(MAX_DEPTH))).toBeGreaterThan(0);
    expect(() => countValues(nested(MAX_DEPTH + 1))).toThrow(/nested more than 100 levels/);
    expect(() => countValues(Buffer.from(`[${'0,'.repeat(MAX_VALUES)}0]`))).toThrow(/values/);
    // Siblings are not nested.
    expect(countValues(Buffer.from(`[${'[],'.repeat(5000)}[]]`))).toBeGreaterThan(5000);
  });

  it('is not confused by an unfinished string', () => {
    expect(countValues(Buffer.from('["abc\\'))).toBe(2);
  });
});
