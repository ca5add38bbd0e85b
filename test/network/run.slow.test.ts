import { request as forward } from 'node:http';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Results } from '../../src/report/model/results.ts';
import { assay, scratch, serve, type Ended } from '../cli/assay.ts';
import { makeCertificate } from './certificate.ts';
import { proxyServer } from './proxy-server.ts';
import { cleanup, httpsServer } from './servers.ts';

afterAll(() => rmSync(scratch, { recursive: true, force: true }));
let stop: (() => Promise<Ended>) | undefined;
afterEach(async () => {
  await stop?.();
  stop = undefined;
});

const KEY = 'reference-key-valid-0001';
const ONLY = ['--only', '4.3/symbol-enum,4.3/summary-history,5/unknown-key', '--profile', 'smoke'];

async function reference(): Promise<string> {
  const server = await serve();
  stop = server.stop;
  return server.baseUrl;
}

/** Everything that a run wrote, as one text. */
function artifacts(folder: string): string {
  const at = path.join(scratch, folder);
  return readdirSync(at, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}

describe('a run over the networks people have', () => {
  it('uses CONNECT to reach an https target with a private certificate authority', async () => {
    const upstream = new URL(await reference());
    const authority = makeCertificate({ commonName: 'company', authority: true });
    const certificate = makeCertificate({ issuer: { ...authority, commonName: 'company' } });
    writeFileSync(path.join(scratch, 'company.pem'), authority.cert);
    const port = await httpsServer(certificate, (incoming, outgoing) => {
      const options = { method: incoming.method, headers: incoming.headers };
      const onward = forward(new URL(incoming.url ?? '/', upstream), options, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      incoming.pipe(onward);
    });
    const proxy = await proxyServer('ada:correct-horse');
    cleanup(proxy.close);
    const proxyUrl = `http://ada:correct-horse@127.0.0.1:${proxy.port}`;
    const flags = ['-u', `https://localhost:${port}`, '--ca-file', 'company.pem', ...ONLY];
    const run = await assay(['run', ...flags, '--proxy', proxyUrl, '-o', 'proxied'], {
      ASSAY_API_KEY: KEY,
    });
    expect(run.text).toContain('NO VIOLATION FOUND');
    expect(run.code).toBe(0);
    expect(proxy.seen.length).toBeGreaterThan(0);
    expect(proxy.seen.every(({ line }) => line === `CONNECT localhost:${port}`)).toBe(true);
    expect(proxy.bytes()).not.toContain(KEY);
    const results = JSON.parse(
      readFileSync(path.join(scratch, 'proxied', 'results.json'), 'utf8'),
    ) as Results;
    expect(results.notes).toContain(
      `Requests went through the proxy http://127.0.0.1:${proxy.port}.`,
    );
    const written = artifacts('proxied') + run.text;
    expect(written).not.toContain('correct-horse');
    expect(written).not.toContain(Buffer.from('ada:correct-horse').toString('base64'));

    const doctor = await assay(['doctor', ...flags.slice(0, 4), '--proxy', proxyUrl], {
      ASSAY_API_KEY: KEY,
    });
    expect(doctor.stdout).toMatch(
      /ok {3}tls +TLSv1\.3, http\/1\.1, certificate valid for \d+ more days, verified/,
    );
    expect(doctor.stdout).toContain(`http://127.0.0.1:${proxy.port} (--proxy)`);
    expect(doctor.code).toBe(0);
    expect(doctor.text).not.toContain('correct-horse');

    // Without the certificate authority no request is sent.
    const distrusted = await assay(['doctor', '-u', `https://localhost:${port}`], {
      ASSAY_API_KEY: KEY,
    });
    expect(distrusted.stdout).toContain('certificate rejected');
    expect(distrusted.stdout).toContain('--ca-file');
    expect(distrusted.code).toBe(3);
  });

  it('bypasses the proxy of the machine for loopback', async () => {
    const baseUrl = await reference();
    const proxy = await proxyServer();
    cleanup(proxy.close);
    const env = {
      ASSAY_API_KEY: KEY,
      HTTP_PROXY: proxy.url,
      http_proxy: proxy.url,
      NO_PROXY: '',
      no_proxy: '',
    };
    const run = await assay(
      ['run', '-u', baseUrl, ...ONLY, '-o', 'direct', '--format', 'json'],
      env,
    );
    expect(run.code).toBe(0);
    expect(proxy.seen).toEqual([]);
    // A proxy configured for Assay is used for every address.
    const named = await assay(['run', '-u', baseUrl, ...ONLY, '-o', 'named', '--format', 'json'], {
      ...env,
      ASSAY_PROXY: proxy.url,
    });
    expect(named.code).toBe(0);
    expect(proxy.seen.length).toBeGreaterThan(0);
  });
});
