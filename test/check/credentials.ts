import type { EntryOptions } from './harness.ts';
import { BASE } from './harness.ts';

/** One way for a credential to get into recorded traffic. */
export interface Kind {
  readonly secret: string;
  readonly options: EntryOptions;
}

const CHARTS = [{ chart_name: 'a', time_field: 't', fields: [{ name: 't', type: 'long' }] }];
const jwt = (secret: string): string =>
  ['{"alg":"HS256","typ":"JWT"}', `{"sub":"${secret}"}`, secret]
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');
const basic = (secret: string): string => Buffer.from(`user:${secret}`).toString('base64');

const inHeader =
  (name: string, write = (secret: string): string => secret) =>
  (secret: string): EntryOptions => ({ requestHeaders: { [name]: write(secret) } });
const inParameter =
  (name: string, write: (secret: string) => string = encodeURIComponent) =>
  (secret: string): EntryOptions => ({ url: `${BASE}/analyses?${name}=${write(secret)}` });
const inAnswer =
  (name: string, write = (secret: string): string => secret) =>
  (secret: string): EntryOptions => ({ headers: { [name]: write(secret) } });
const inBody =
  (write: (secret: string) => unknown) =>
  (secret: string): EntryOptions => ({ body: [{ ...CHARTS[0], more: write(secret) }] });
const inUrl =
  (write: (secret: string) => string) =>
  (secret: string): EntryOptions => ({ url: write(secret) });
const echoed =
  (name: string, write = (secret: string): unknown => secret) =>
  (secret: string): EntryOptions => ({
    ...inHeader(name)(secret),
    ...inBody(write)(secret),
  });

const KINDS: Readonly<Record<string, (secret: string) => EntryOptions>> = {
  'key of another client': inHeader('x-acme-api-key'),
  'key of a gateway': inHeader('Ocp-Apim-Subscription-Key'),
  'key of a market place': inHeader('X-RapidAPI-Key'),
  'key of another data service': inHeader('X-CMC_PRO_API_KEY'),
  'header that says nothing': inHeader('X-Acme'),
  'bearer token': inHeader('Authorization', (secret) => `Bearer ${secret}`),
  'basic login': inHeader('Authorization', (secret) => `Basic ${basic(secret)}`),
  'signed request': inHeader(
    'Authorization',
    (secret) => `AWS4-HMAC-SHA256 Credential=AKIA/20261120, Signature=${secret}`,
  ),
  'login of a proxy': inHeader('Proxy-Authorization', (secret) => `Basic ${basic(secret)}`),
  cookie: inHeader('Cookie', (secret) => `theme=dark; sid=${secret}`),
  'session header': inHeader('X-Session'),
  'signature header': inHeader('X-Signature'),
  'token against forgery': inHeader('X-CSRF-Token'),
  'token of a cloud': inHeader('X-Amz-Security-Token'),
  'secret of an access proxy': inHeader('CF-Access-Client-Secret'),
  'authorization that was passed on': inHeader('X-Forwarded-Authorization'),
  'page that a link stood on': inHeader('Referer', (secret) => `https://app.example/?t=${secret}`),
  'origin with a login': inHeader('Origin', (secret) => `https://me:${secret}@app.example`),
  'address before rewriting': inHeader('X-Original-URL', (secret) => `/v1/analyses?sig=${secret}`),
  'name of the client': inHeader('User-Agent', (secret) => `client/1.0 (${secret})`),
  'accepted type': inHeader('Accept', (secret) => `application/json;key=${secret}`),
  'parameter key': inParameter('key'),
  'parameter access_key': inParameter('access_key'),
  'parameter client_secret': inParameter('client_secret'),
  'parameter sig': inParameter('sig'),
  'parameter session': inParameter('session'),
  'parameter refresh_token': inParameter('refresh_token'),
  'signed URL': inParameter('X-Amz-Signature'),
  'code of a login': inParameter('code'),
  'name of a parameter in percent': inParameter('%61pi_key', (secret) =>
    Buffer.from(secret).toString('hex').replaceAll(/../g, '%$&'),
  ),
  'parameter without a name': inUrl((secret) => `${BASE}/analyses?${secret}`),
  'user of the URL': inUrl((secret) => `${BASE.replace('//', `//me:${secret}@`)}/analyses`),
  fragment: inUrl((secret) => `${BASE}/analyses#access_token=${secret}`),
  'parameter of the path': inUrl((secret) => `${BASE}/currencies/17;jsessionid=${secret}`),
  'path of another host': inUrl((secret) => `https://hooks.example/services/${secret}?k=${secret}`),
  'cookie that is set': inAnswer('Set-Cookie', (secret) => `sid=${secret}; Path=/`),
  'token that is given': inAnswer('X-Auth-Token'),
  'address of a redirect': (secret) => ({
    status: 302,
    ...inAnswer('Location', (text) => `https://app.example/in?code=${text}`)(secret),
  }),
  'echo in another header': (secret) => ({
    ...inHeader('X-Acme')(secret),
    ...inAnswer('X-Caller')(secret),
  }),
  'echo in a body': echoed('X-Acme'),
  'echo of a token in base64': echoed('X-Acme-Token', (secret) =>
    Buffer.from(`id=${secret}`).toString('base64'),
  ),
  'echo of a token in hexadecimal': echoed('X-Acme-Token', (secret) =>
    Buffer.from(secret).toString('hex'),
  ),
  'answer to a login': inBody((secret) => ({ access_token: secret, expires_in: 60 })),
  'password in a body': inBody((secret) => ({ password: secret })),
  'JSON Web Token in a body': inBody(jwt),
  'message that quotes a header': inBody((secret) => `not allowed: Bearer ${secret}`),
  'signed URL in a body': inBody(
    (secret) => `https://cdn.example/a.png?Policy=x&Signature=${secret}`,
  ),
  'login of a URL in a body': inBody((secret) => `postgres://me:${secret}@db.example/x`),
  'body of the request': (secret) => ({
    more: { _request: { postData: { text: `password=${secret}` } } },
  }),
};

/** Every kind, each with a different credential. */
export const CREDENTIALS: readonly (readonly [name: string, kind: Kind])[] = Object.entries(
  KINDS,
).map(([name, optionsOf], index) => {
  const secret = `s3cr${String(index).padStart(2, '0')}Xq7vB2mK9`;
  return [name, { secret, options: optionsOf(secret) }];
});
