import { createPrivateKey } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as send } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, describe, it } from 'vitest';
import { embeddedOptions, startReferenceProcess } from '../../src/load/embedded.ts';
import { findK6 } from '../../src/load/find-k6.ts';
import type { K6 } from '../../src/load/find-k6.ts';
import { runLoad } from '../../src/load/load.ts';
import { makeCertificate } from '../network/certificate.ts';

const k6 = await findK6({ install: process.env['CI'] !== undefined }).catch(() => undefined);

it('has k6 in CI', () => {
  if (process.env['CI'] !== undefined) expect(k6).toBeDefined();
});

const settings = { windows: 1 };
const PASSPHRASE = 'open sesame';

describe.skipIf(k6 === undefined)('load through a gateway', () => {
  it('shows the certificate that it asks for, and the private key may be encrypted', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'assay own certificate '));
    const server = await startReferenceProcess(
      embeddedOptions('rl-headers', settings, { windowMs: 2500 }),
    );
    const authority = makeCertificate({ commonName: 'company', authority: true });
    const issuer = { ...authority, commonName: 'company' };
    const behind = new URL(server.target.baseUrl);
    const asked = { ca: authority.cert, requestCert: true, rejectUnauthorized: true };
    const gateway = createServer({ ...makeCertificate({ issuer }), ...asked }, (from, to) => {
      const { method, url, headers } = from;
      const { hostname: host, port } = behind;
      const on = send({ host, port, method, path: url, headers }, (answer) => {
        to.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(to);
      });
      on.on('error', () => to.destroy());
      from.pipe(on);
    });
    try {
      await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
      const own = makeCertificate({ issuer });
      const locked = createPrivateKey(own.key).export({
        type: 'pkcs8',
        format: 'pem',
        cipher: 'aes-256-cbc',
        passphrase: PASSPHRASE,
      });
      const written = async (name: string, text: string): Promise<string> => {
        const file = path.join(folder, name);
        await writeFile(file, text, { mode: 0o600 });
        return file;
      };
      const clientCertificate = {
        certFile: await written('own.pem', own.cert),
        keyFile: await written('own-key.pem', locked.toString()),
        passphrase: PASSPHRASE,
      };
      const caFile = await written('company.pem', authority.cert);
      const baseUrl = `https://localhost:${(gateway.address() as AddressInfo).port}${behind.pathname}`;
      const result = await runLoad({
        scenario: 'rl-headers',
        settings,
        target: {
          ...server.target,
          baseUrl,
          http: { ...server.target.http, caFile, clientCertificate },
        },
        k6: k6 as K6,
        command: 'assay load rl-headers',
        allowRemote: false,
      });
      expect(result.reason).toContain('none violated');
      expect(result.requests).toMatchObject({ admitted: 20, failed: 0 });
      expect(result.outcome).toBe('passed');
    } finally {
      gateway.closeAllConnections();
      gateway.close();
      await server.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
