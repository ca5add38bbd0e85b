import { news, third, type Behaviour } from './behaviour.ts';
import type { Hostile } from './server.ts';

const ECHOED = /key-echoed: \d+ answers? contained an API key/;
/** Puts text into the first object of the body. */
const planted = (field: (key: string) => string) => (hostile: Hostile) => {
  const at = hostile.body.indexOf('{') + 1;
  const body =
    at === 0 || hostile.key === ''
      ? hostile.body
      : `${hostile.body.slice(0, at)}${field(hostile.key)},${hostile.body.slice(at)}`;
  hostile.reply({ body });
};
const html = (text: string): string =>
  Array.from(text, (one) => `&#x${one.codePointAt(0)?.toString(16)};`).join('');
const json = (text: string): string =>
  Array.from(text, (one) => `\\u${(one.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`).join(
    '',
  );
const url = (text: string): string =>
  Array.from(text, (one) => `%${(one.codePointAt(0) ?? 0).toString(16).toUpperCase()}`).join('');
const hex = (text: string): string => Buffer.from(text).toString('hex');
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const header = (value: (key: string) => string) => (hostile: Hostile) =>
  hostile.reply({ headers: { 'x-echo': value(hostile.key) } });

const LEAKY = { codes: [0, 1, 3], says: ECHOED } as const;

/** Targets that echo keys: a report must never contain one in any encoding. */
export const ECHOES: readonly Behaviour[] = [
  {
    id: 'echo-body',
    does: 'sends the key back in bodies',
    act: planted((key) => `"debug":"key ${key} seen"`),
    ...LEAKY,
    always: true,
  },
  {
    id: 'echo-header',
    does: 'sends the key back in a header',
    act: header((key) => key),
    ...LEAKY,
  },
  {
    id: 'echo-header-name',
    does: 'sends the key back as the name of a header',
    act: (hostile) =>
      hostile.reply({ headers: hostile.key === '' ? {} : { [`x-${hostile.key}`]: '1' } }),
    ...LEAKY,
  },
  {
    id: 'echo-key-header',
    does: 'sends the key header back',
    act: (hostile) => hostile.reply({ headers: { 'X-API-KEY': hostile.key } }),
    ...LEAKY,
  },
  {
    id: 'echo-set-cookie',
    does: 'makes the key a cookie',
    act: (hostile) =>
      hostile.reply({ headers: { 'set-cookie': `session=${hostile.key}; Path=/` } }),
    ...LEAKY,
  },
  {
    id: 'echo-error',
    does: 'names the key in error messages',
    act: (hostile) =>
      hostile.reply({
        status: 400,
        body: JSON.stringify({
          code: 400002,
          message: `Key ${hostile.key} may not do that`,
          details: { key: hostile.key },
        }),
      }),
    on: third,
    ...LEAKY,
    codes: [1, 3],
  },
  {
    id: 'echo-upper',
    does: 'sends the key back in capitals',
    act: planted((key) => `"debug":"${key.toUpperCase()}"`),
    ...LEAKY,
  },
  {
    id: 'echo-base64',
    does: 'sends the key back in base64 at three offsets',
    act: planted(
      (key) => `"a":"${base64(key)}","b":"${base64(`x${key}`)}","c":"${base64(`xx${key}yy`)}"`,
    ),
    ...LEAKY,
  },
  {
    id: 'echo-base64url',
    does: 'sends the key back in base64url',
    act: header((key) => Buffer.from(`user:${key}`).toString('base64url')),
    ...LEAKY,
  },
  {
    id: 'echo-hex',
    does: 'sends the key back in hexadecimal',
    act: planted((key) => `"a":"${hex(key)}","b":"${hex(key).toUpperCase()}"`),
    ...LEAKY,
  },
  {
    id: 'echo-url',
    does: 'sends the key back URL-encoded',
    act: planted((key) => `"next":"https://x.example/?k=${url(key)}"`),
    ...LEAKY,
  },
  {
    id: 'echo-json',
    does: 'sends the key back in JSON escapes',
    act: planted((key) => `"debug":"${json(key)}"`),
    ...LEAKY,
  },
  {
    id: 'echo-html',
    does: 'sends the key back in character references',
    act: planted((key) => `"debug":"<b>${html(key)}</b>"`),
    ...LEAKY,
  },
  {
    id: 'echo-field-name',
    does: 'makes the key the name of a field',
    act: planted((key) => `"${key}":1`),
    on: news,
    ...LEAKY,
  },
  {
    id: 'echo-chunks',
    does: 'splits the key over chunks',
    act: (hostile) => {
      const text = `{"code":400002,"message":"${hostile.key}","details":{}}`;
      const pieces = Array.from(text, (one) => `1\r\n${one}\r\n`);
      hostile.raw(
        'HTTP/1.1 400 Bad\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n',
      );
      for (const piece of pieces) hostile.raw(piece);
      hostile.raw('0\r\n\r\n');
    },
    on: third,
    ...LEAKY,
    codes: [1, 3],
  },
  {
    id: 'echo-reason',
    does: 'puts the key into the reason phrase',
    act: (hostile) => hostile.reply({ reason: `OK ${hostile.key}` }),
    codes: [0, 1, 3],
    says: /"verdict"/,
  },
  {
    id: 'echo-broken',
    does: 'puts the key where the parser fails',
    act: (hostile) => hostile.raw(`HTTP/1.1 200 OK\r\n${hostile.key}\r\n\r\n`),
    codes: [3],
    says: /does not respond/,
  },
  {
    id: 'echo-all-keys',
    does: 'sends every key that it knows',
    act: planted((key) => `"debug":"${Array.from({ length: 50 }, () => key).join('|')}"`),
    ...LEAKY,
  },
];
