import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { TargetError } from './errors.ts';
import type { ClientCertificate, TargetFile } from './target.ts';

export interface CertificateSources {
  /** `--cert` and `--cert-key`. */
  readonly flags: { readonly cert?: string | undefined; readonly certKey?: string | undefined };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly file: NonNullable<TargetFile['http']>['clientCertificate'];
}

/** What a handshake needs of a certificate, as Node's TLS takes it. */
export interface OwnCertificate {
  readonly cert: string;
  readonly key: string;
  readonly passphrase?: string;
}

/**
 * The certificate to show to the target: flags over environment (`ASSAY_CERT`, `ASSAY_CERT_KEY`,
 * `ASSAY_CERT_PASSPHRASE`) over the target file; null for none. Whoever names another certificate names its key with it.
 *
 * @throws TargetError `ASSAY_TARGET_INVALID` when the files cannot be read, or certificate and key do not belong together
 */
export function chooseCertificate({
  flags,
  env,
  file,
}: CertificateSources): ClientCertificate | null {
  const set = (name: string): string | undefined => (env[name] === '' ? undefined : env[name]);
  const passphrase = set('ASSAY_CERT_PASSPHRASE') ?? file?.passphrase ?? null;
  const [certFile, keyFile, origin] =
    flags.cert !== undefined
      ? [flags.cert, flags.certKey, '--cert']
      : set('ASSAY_CERT') !== undefined
        ? [set('ASSAY_CERT'), flags.certKey ?? set('ASSAY_CERT_KEY'), 'ASSAY_CERT']
        : [file?.certFile, flags.certKey ?? file?.keyFile, 'http.clientCertificate'];
  if (certFile === undefined) {
    if (flags.certKey === undefined) return null;
    throw refused('--cert-key', 'is given without a certificate.');
  }
  const chosen = { certFile, keyFile: keyFile ?? null, passphrase };
  ownCertificate(chosen, origin);
  return chosen;
}

/**
 * Reads certificate and private key.
 * @throws TargetError `ASSAY_TARGET_INVALID` as {@link chooseCertificate} does
 */
export function ownCertificate(
  { certFile, keyFile, passphrase }: ClientCertificate,
  origin = 'http.clientCertificate',
): OwnCertificate {
  const cert = readPem(certFile, origin);
  const key = keyFile === null ? cert : readPem(keyFile, origin);
  const certificate = attempt(() => new X509Certificate(cert));
  if (certificate === undefined)
    throw refused(origin, `${certFile} holds no certificate in PEM form.`);
  const keyPlace = keyFile ?? certFile;
  const privateKey = attempt(() =>
    createPrivateKey({ key, ...(passphrase !== null && { passphrase }) }),
  );
  if (privateKey === undefined) {
    const isEncrypted = /-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m.test(key);
    throw refused(
      origin,
      isEncrypted
        ? `${keyPlace} is encrypted, and ${passphrase === null ? 'no passphrase is given' : 'the passphrase does not open it'} (http.clientCertificate.passphrase or ASSAY_CERT_PASSPHRASE).`
        : `${keyPlace} holds no private key in PEM form.`,
    );
  }
  if (!certificate.publicKey.equals(createPublicKey(privateKey))) {
    throw refused(
      origin,
      `the private key in ${keyPlace} is not that of the certificate in ${certFile}.`,
    );
  }
  return { cert, key, ...(passphrase !== null && { passphrase }) };
}

function readPem(file: string, origin: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw refused(
      origin,
      `cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
    );
  }
}

/** What OpenSSL says of a file that it cannot read helps nobody; what is wrong with it is told by looking. */
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
    'Give PEM files: --cert FILE --cert-key FILE, or http.clientCertificate with certFile and keyFile.',
  );
}
