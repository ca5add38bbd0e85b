import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { TargetError } from './errors.ts';
import type { ClientCertificate, TargetFile } from './target.ts';

interface CertificateSources {
  readonly flags: { readonly cert?: string | undefined; readonly 'cert-key'?: string | undefined };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly file: NonNullable<TargetFile['http']>['clientCertificate'];
}

/** Certificate options of Node's TLS. */
export interface OwnCertificate {
  readonly cert: string;
  readonly key: string;
  readonly passphrase?: string;
}

/**
 * The client certificate: flags over environment (`ASSAY_CERT`, `ASSAY_CERT_KEY`,
 * `ASSAY_CERT_PASSPHRASE`) over the target file; null for none. Certificate and key come from the same source.
 * @throws TargetError `ASSAY_TARGET_INVALID` when the files cannot be read, or certificate and key do not match
 */
export function chooseCertificate(sources: CertificateSources): ClientCertificate | null {
  const { flags, env, file } = sources;
  const { cert, 'cert-key': certKey } = flags;
  const { ASSAY_CERT, ASSAY_CERT_KEY, ASSAY_CERT_PASSPHRASE } = env;
  const passphrase = ASSAY_CERT_PASSPHRASE ?? file?.passphrase ?? null;
  const [certFile, keyFile, origin] =
    cert !== undefined
      ? [cert, certKey, '--cert']
      : ASSAY_CERT !== undefined
        ? [ASSAY_CERT, certKey ?? ASSAY_CERT_KEY, 'ASSAY_CERT']
        : [file?.certFile, certKey ?? file?.keyFile, 'http.clientCertificate'];
  if (certFile === undefined) {
    if (certKey === undefined) return null;
    throw refused('--cert-key', 'needs a certificate.');
  }
  const chosen = { certFile, keyFile: keyFile ?? null, passphrase };
  ownCertificate(chosen, origin);
  return chosen;
}

/** Reads certificate and private key. @throws TargetError like {@link chooseCertificate} */
export function ownCertificate(
  { certFile, keyFile, passphrase }: ClientCertificate,
  origin = 'http.clientCertificate',
): OwnCertificate {
  const cert = readPem(certFile, origin);
  const key = keyFile === null ? cert : readPem(keyFile, origin);
  const certificate = attempt(() => new X509Certificate(cert));
  if (certificate === undefined) throw refused(origin, `${certFile} contains no PEM certificate.`);
  const keyPath = keyFile ?? certFile;
  const privateKey = attempt(() =>
    createPrivateKey({ key, ...(passphrase !== null && { passphrase }) }),
  );
  if (privateKey === undefined) {
    const isEncrypted = /-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m.test(key);
    throw refused(
      origin,
      isEncrypted
        ? `${keyPath} is encrypted, but ${passphrase === null ? 'there is no passphrase' : 'the passphrase is wrong'} (http.clientCertificate.passphrase or ASSAY_CERT_PASSPHRASE).`
        : `${keyPath} contains no PEM private key.`,
    );
  }
  if (!certificate.publicKey.equals(createPublicKey(privateKey))) {
    throw refused(
      origin,
      `the private key in ${keyPath} does not match the certificate in ${certFile}.`,
    );
  }
  return { cert, key, ...(passphrase !== null && { passphrase }) };
}

function readPem(file: string, origin: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw refused(origin, `cannot be read: ${(cause as Error).message}`);
  }
}

/** The errors of OpenSSL are not helpful; our own checks tell what is wrong. */
function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function refused(origin: string, why: string): TargetError {
  return new TargetError(
    'ASSAY_TARGET_INVALID',
    `${origin}: ${why}`,
    'Use PEM files: --cert FILE --cert-key FILE, or http.clientCertificate with certFile and keyFile.',
  );
}
