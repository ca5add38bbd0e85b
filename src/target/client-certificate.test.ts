import { createPrivateKey } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeCertificate } from '../../test/network/certificate.ts';
import { chooseCertificate, ownCertificate } from './client-certificate.ts';
import { readTargetFile } from './file/target-file.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'assay own '));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string): string {
  const at = path.join(folder, name);
  writeFileSync(at, text);
  return at;
}

const own = makeCertificate();
const certFile = file('cert.pem', own.cert);
const keyFile = file('key.pem', own.key);
const both = file('both.pem', own.cert + own.key);
const locked = file(
  'locked.pem',
  createPrivateKey(own.key)
    .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'open sesame' })
    .toString(),
);
const none = { flags: {}, env: {}, file: undefined };

describe('the certificate of the client', () => {
  it('comes from flags over the environment over the target file', () => {
    const env = { ASSAY_CERT: both };
    const named = { certFile, keyFile };
    expect(chooseCertificate(none)).toBeNull();
    expect(chooseCertificate({ ...none, file: named })).toEqual({ ...named, passphrase: null });
    expect(chooseCertificate({ ...none, env, file: named })).toEqual({
      certFile: both,
      keyFile: null,
      passphrase: null,
    });
    const flags = { cert: certFile, 'cert-key': keyFile };
    expect(chooseCertificate({ flags, env, file: named })?.certFile).toBe(certFile);
  });

  it('may have its key in the same file, or an encrypted one', () => {
    expect(ownCertificate({ certFile: both, keyFile: null, passphrase: null }).key).toContain(
      own.key,
    );
    const env = { ASSAY_CERT_PASSPHRASE: 'open sesame' };
    const chosen = chooseCertificate({ ...none, env, file: { certFile, keyFile: locked } });
    expect(chosen?.passphrase).toBe('open sesame');
  });

  it.each<[string, string, string | null, string | null, RegExp]>([
    ['no file', 'no-such.pem', null, null, /cannot be read/],
    ['no certificate', keyFile, null, null, /contains no PEM certificate/],
    ['no key', certFile, null, null, /cert\.pem contains no PEM private key/],
    ['a key that is locked', certFile, locked, null, /encrypted, but there is no passphrase/],
    ['a wrong passphrase', certFile, locked, 'sesame', /passphrase is wrong/],
    ['another key', certFile, file('other.pem', makeCertificate().key), null, /does not match/],
  ])('is refused for %s', (_, cert, key, passphrase, message) => {
    const read = (): unknown => ownCertificate({ certFile: cert, keyFile: key, passphrase });
    expect(read).toThrow(message);
    expect(read).not.toThrow(/sesame|PRIVATE/);
  });

  it('is refused when there is only a key', () => {
    expect(() => chooseCertificate({ ...none, flags: { 'cert-key': keyFile } })).toThrow(
      '--cert-key: needs a certificate.',
    );
  });

  it('is resolved against the folder of the target file', () => {
    const target = file(
      'target.yaml',
      'http:\n  clientCertificate: { certFile: cert.pem, keyFile: key.pem }\n',
    );
    expect(readTargetFile(target, {}).http?.clientCertificate).toEqual({ certFile, keyFile });
  });
});
