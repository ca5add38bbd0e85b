import { describe, expect, it } from 'vitest';
import { tlsWords } from './transport-error.ts';

describe('the description of a failed handshake', () => {
  it('contains no memory addresses or OpenSSL source lines', () => {
    const raw =
      '80BCE685117F0000:error:0A000410:SSL routines:ssl3_read_bytes:sslv3 alert handshake failure:../deps/openssl/record/rec_layer_s3.c:1605:SSL alert number 40\\n';
    expect(tlsWords('ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', raw)).toBe(
      'sslv3 alert handshake failure (ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE)',
    );
  });

  it('names the scheme where plain HTTP answers', () => {
    expect(tlsWords('ERR_SSL_WRONG_VERSION_NUMBER', 'x')).toContain('use http://');
  });

  it('leaves other messages unchanged', () => {
    expect(tlsWords('CERT_HAS_EXPIRED', 'certificate has expired')).toBe(
      'certificate has expired (CERT_HAS_EXPIRED)',
    );
    expect(tlsWords('', 'the connection ended')).toBe('the connection ended');
  });
});
