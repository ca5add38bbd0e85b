import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeCertificate } from '../../test/network/certificate.ts';
import { mergeHeaders, parseHeaders } from './network.ts';
import {
  authoritiesOf,
  resolveNetwork,
  type NetworkFlags,
  type NetworkSources,
} from './network.ts';
import { chooseProxy, withoutCredentials } from './proxy.ts';
import type { TargetHttp } from './target.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'assay-ca-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const none = { flag: undefined, file: undefined };
const proxyOf = (baseUrl: string, env: Record<string, string>): string | null =>
  chooseProxy(baseUrl, { ...none, env }).url;

describe('the proxy', () => {
  it('comes from the flag over ASSAY_PROXY over the file over the machine', () => {
    const env = { ASSAY_PROXY: 'http://assay:1', HTTP_PROXY: 'http://machine:1' };
    const at = 'http://a.example';
    expect(chooseProxy(at, { flag: 'http://flag:1', env, file: 'http://file:1' })).toMatchObject({
      url: 'http://flag:1/',
      origin: '--proxy',
    });
    expect(chooseProxy(at, { flag: undefined, env, file: 'http://file:1' }).origin).toBe(
      'ASSAY_PROXY',
    );
    const machine = { HTTP_PROXY: 'http://machine:1' };
    expect(chooseProxy(at, { flag: undefined, env: machine, file: 'http://file:1' }).url).toBe(
      'http://file:1/',
    );
    expect(chooseProxy(at, { ...none, env: machine })).toMatchObject({
      url: 'http://machine:1/',
      origin: 'HTTP_PROXY',
    });
  });

  it('is disabled by the flag or the file, whatever the machine says', () => {
    const env = { HTTPS_PROXY: 'http://machine:1' };
    expect(chooseProxy('https://a', { flag: 'none', env, file: undefined }).url).toBeNull();
    expect(chooseProxy('https://a', { flag: undefined, env, file: null }).url).toBeNull();
  });

  it('depends on the scheme of the target, lower case first', () => {
    const env = { HTTPS_PROXY: 'http://s:1', http_proxy: 'p:2', HTTP_PROXY: 'http://upper:3' };
    expect(proxyOf('https://a.example', env)).toBe('http://s:1/');
    expect(proxyOf('http://a.example', env)).toBe('http://p:2/');
    expect(proxyOf('http://a.example', { HTTPS_PROXY: 'http://s:1' })).toBeNull();
  });

  it.each([
    ['https://localhost:8443', '', null],
    ['https://127.0.0.9', '', null],
    ['https://[::1]:4010', '', null],
    ['https://127.example', '', 'http://p:1/'],
    ['https://a.example', '*', null],
    ['https://a.example', 'other, A.example', null],
    ['https://x.a.example', 'a.example', null],
    ['https://xa.example', 'a.example', 'http://p:1/'],
    ['https://a.example', '.a.example', 'http://p:1/'],
    ['https://x.a.example', '*.a.example', null],
    ['https://a.example:8443', 'a.example:8443', null],
    ['https://a.example', 'a.example:8443', 'http://p:1/'],
    ['https://a.example', 'a.example:443', null],
    ['https://10.1.2.3', '10.0.0.0/8', null],
    ['https://11.1.2.3', '10.0.0.0/8', 'http://p:1/'],
    ['https://10.1.2.3', '10.0.0.0/99', 'http://p:1/'],
    ['https://10.1.2.3', '2.3', 'http://p:1/'],
    ['https://[fd00::5]', 'fd00::/8', null],
    ['https://[fd00::5]', '[fd00::5]', null],
  ])('to %s with NO_PROXY=%s is %s', (baseUrl, list, expected) => {
    expect(proxyOf(baseUrl, { HTTPS_PROXY: 'http://p:1', NO_PROXY: list })).toBe(expected);
  });

  it.each(['socks5://p:1', 'not a url', 'http://', 'ftp://u:geheim1@p'])(
    'is refused as %s, without repeating it',
    (address) => {
      const choose = (): unknown =>
        chooseProxy('https://a', { flag: address, env: {}, file: undefined });
      expect(choose).toThrow(/^--proxy /);
      expect(choose).not.toThrow(/geheim1/);
    },
  );

  it('is shown without its credentials', () => {
    expect(withoutCredentials('http://ada:geheim@p.example:3128/')).toBe('http://p.example:3128');
  });
});

describe('extra headers', () => {
  it('come from the file and from flags, the flags winning whatever the case', () => {
    const flags = parseHeaders(['x-team: b', 'X-Url: http://a:1']);
    expect(
      mergeHeaders('X-API-KEY', ['http.headers', { 'X-Team': 'a' }], ['--header', flags]),
    ).toEqual({ 'x-team': 'b', 'X-Url': 'http://a:1' });
  });

  it.each([
    ['Connection', 'close', /Connection is a hop-by-hop header/],
    ['transfer-encoding', 'chunked', /hop-by-hop header/],
    ['x-api-KEY', 'abcdefgh', /is the key header.*ASSAY_API_KEY/],
    ['Content-Length', '5', /Content-Length cannot be set/],
    ['Accept-Encoding', 'gzip', /uncompressed/],
    ['Proxy-Authorization', 'Basic x', /proxy URL: --proxy/],
    ['X Y', 'z', /name contains invalid characters/],
    ['X-Y', 'a\r\nb', /value of X-Y contains invalid characters/],
  ])('refuse %s', (name, value, message) => {
    const merge = (): unknown => mergeHeaders('X-API-KEY', ['--header', { [name]: value }]);
    expect(merge).toThrow(message);
    if (value !== 'z') expect(merge).not.toThrow(new RegExp(`: ${value.slice(0, 8)}$`));
  });

  it('refuse a flag without a colon, without repeating it', () => {
    expect(() => parseHeaders(['Bearer geheim'])).toThrow(/must be "Name: value"/);
    expect(() => parseHeaders(['Bearer geheim'])).not.toThrow(/geheim/);
  });
});

describe('the network settings', () => {
  const resolve = (flags: NetworkFlags, file: NetworkSources['file'] = {}, env = {}): TargetHttp =>
    resolveNetwork({ flags, file, env, baseUrl: 'https://a.example', keyHeader: 'X-API-KEY' });

  it('take flags over the environment over the file', () => {
    const a = path.join(folder, 'a.pem');
    const b = path.join(folder, 'b.pem');
    const both = makeCertificate().cert + makeCertificate().cert;
    for (const file of [a, b]) writeFileSync(file, both);
    expect(authoritiesOf(a)).toHaveLength(2);
    expect(resolve({}, { caFile: a }).caFile).toBe(a);
    expect(resolve({}, { caFile: a }, { ASSAY_CA_FILE: b }).caFile).toBe(b);
    expect(resolve({ 'ca-file': a }, {}, { ASSAY_CA_FILE: b }).caFile).toBe(a);
    expect(resolve({ insecure: false }, { insecure: true }).insecure).toBe(false);
    expect(resolve({ http2: true, 'timeout-ms': 7 }, { timeoutMs: 9 })).toMatchObject({
      http2: true,
      timeoutMs: 7,
    });
  });

  it('name a certificate file that is missing, empty or broken', () => {
    const empty = path.join(folder, 'empty.pem');
    writeFileSync(empty, 'nothing');
    const broken = path.join(folder, 'broken.pem');
    writeFileSync(broken, makeCertificate().cert.replace(/\n.{20}/, '\nAAAAAAAAAAAAAAAAAAAA'));
    expect(() => resolve({ 'ca-file': '/no/such.pem' })).toThrow(/^--ca-file cannot be read/);
    expect(() => resolve({ 'ca-file': empty })).toThrow(/contains no PEM certificate/);
    expect(() => resolve({}, { caFile: broken })).toThrow(/^http\.caFile .*unreadable certificate/);
  });

  it.each([0, -1, 1.5, Number.NaN, 1e12])('refuse a timeout of %s', (timeoutMs) => {
    expect(() => resolve({ 'timeout-ms': timeoutMs })).toThrow(/--timeout-ms takes/);
  });
});
