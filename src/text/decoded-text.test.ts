import { describe, expect, it } from 'vitest';
import { decodedText } from './decoded-text.ts';

const TEXT = 'baseUrl: https://api.example/v1 # 比特币\r\n';
const little = Buffer.from(TEXT, 'utf16le');
const big = Buffer.from(little).swap16();

describe('the text of a file', () => {
  it.each([
    ['UTF-8', Buffer.from(TEXT)],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${TEXT}`)],
    ['UTF-16, as PowerShell writes it', Buffer.from(`\ufeff${TEXT}`, 'utf16le')],
    ['UTF-16 without a byte order mark', little],
    ['UTF-16, big-endian', Buffer.from(`\ufeff${TEXT}`, 'utf16le').swap16()],
    ['UTF-16, big-endian, without a byte order mark', big],
  ])('is read from %s', (_encoding, bytes) => {
    expect(decodedText(bytes)).toBe(TEXT);
  });

  it('may be empty', () => {
    expect(decodedText(Buffer.alloc(0))).toBe('');
    expect(decodedText(Buffer.from('{}'))).toBe('{}');
  });
});
