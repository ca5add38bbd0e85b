import { createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { DAY } from '../../src/spec/time.ts';

/** A certificate and its key, PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface CertificateOptions {
  /** DNS names and IPv4 addresses it is valid for. */
  readonly names?: readonly string[];
  readonly notAfter?: Date;
  /** Its issuer; self-signed by default. */
  readonly issuer?: Certificate & { readonly commonName: string };
  readonly commonName?: string;
  readonly authority?: boolean;
}

/**
 * Creates an X.509 certificate (ECDSA P-256). Node can only read certificates; these few DER structures avoid a binary
 * or library.
 */
export function makeCertificate(options: CertificateOptions = {}): Certificate {
  const { names = ['localhost', '127.0.0.1'], authority = false } = options;
  const commonName = options.commonName ?? 'assay test';
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const notBefore = new Date(Date.now() - 30 * DAY);
  const notAfter = options.notAfter ?? new Date(Date.now() + 90 * DAY);
  const algorithm = sequence(oid('06082a8648ce3d040302')); // ecdsa-with-SHA256
  const body = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name(options.issuer?.commonName ?? commonName),
    sequence(time(notBefore), time(notAfter)),
    name(commonName),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(
      0xa3,
      sequence(
        // subjectAltName
        extension('0603551d11', sequence(...names.map(alternativeName))),
        // basicConstraints, critical
        sequence(
          oid('0603551d13'),
          Buffer.from([0x01, 0x01, 0xff]),
          tagged(0x04, authority ? sequence(Buffer.from([0x01, 0x01, 0xff])) : sequence()),
        ),
      ),
    ),
  );
  const signer: KeyObject =
    options.issuer === undefined ? privateKey : createPrivateKey(options.issuer.key);
  const signature = sign('sha256', body, signer);
  const der = sequence(body, algorithm, tagged(0x03, Buffer.concat([Buffer.from([0]), signature])));
  return {
    cert: pem('CERTIFICATE', der),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size =
    length < 0x80
      ? Buffer.from([length])
      : length < 0x100
        ? Buffer.from([0x81, length])
        : Buffer.from([0x82, length >> 8, length & 0xff]);
  return Buffer.concat([Buffer.from([tag]), size, content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, Buffer.concat(parts));
const integer = (bytes: Buffer): Buffer => tagged(0x02, bytes);
const oid = (hex: string): Buffer => Buffer.from(hex, 'hex');
const extension = (id: string, value: Buffer): Buffer => sequence(oid(id), tagged(0x04, value));

function name(commonName: string): Buffer {
  const attribute = sequence(oid('0603550403'), tagged(0x0c, Buffer.from(commonName)));
  return sequence(tagged(0x31, attribute));
}

function time(date: Date): Buffer {
  const text = date.toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return tagged(0x17, Buffer.from(text.slice(2)));
}

function alternativeName(host: string): Buffer {
  if (!/^\d+(\.\d+){3}$/.test(host)) return tagged(0x82, Buffer.from(host));
  return tagged(0x87, Buffer.from(host.split('.').map(Number)));
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
