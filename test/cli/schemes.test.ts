// The scheme of the base URL does not match the protocol of the port: the message says so without OpenSSL internals.
import { createServer as createHttp } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCertificate } from '../network/certificate.ts';
import { assay } from './assay.ts';

const plain = createHttp((_, response) => response.end('{}'));
const secure = createHttps({ ...makeCertificate() }, (_, response) => response.end('{}'));

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

beforeAll(async () => {
  const listening = [plain, secure].map(
    (server) =>
      new Promise<void>((resolve) => {
        server.listen(0, '127.0.0.1', resolve);
      }),
  );
  await Promise.all(listening);
});
afterAll(() => {
  plain.close();
  secure.close();
});

const OPENSSL = /:error:|SSL routines|openssl\/ssl/i;

describe('an https address of a port that speaks plain HTTP', () => {
  it.each([
    ['run', ['--only', '4.6/analyses']],
    ['doctor', []],
  ])('is told in words by assay %s', async (command, only) => {
    const url = `https://127.0.0.1:${portOf(plain)}/v1`;
    const words = [command, '-u', url, '-k', 'abcdefgh12', '-o', 'plain'];
    const { code, text } = await assay([...words, ...only]);
    const said = text.replaceAll(/\s+/g, ' ');
    expect(said).toContain('does not use TLS; for plain HTTP use');
    expect(text).not.toMatch(OPENSSL);
    expect(code).toBe(3);
  });
});

describe('an http address of a port that speaks TLS', () => {
  it('is explained by assay run', async () => {
    const url = `http://127.0.0.1:${portOf(secure)}/v1`;
    const words = ['run', '-u', url, '-k', 'abcdefgh12', '-o', 'secure', '--only', '4.6/analyses'];
    const { code, text } = await assay(words);
    expect(text.replaceAll(/\s+/g, ' ')).toContain('expects TLS on this port, use https://');
    expect(text).not.toMatch(OPENSSL);
    expect(code).toBe(3);
  });
});
