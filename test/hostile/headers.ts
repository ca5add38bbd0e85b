import { DAY } from '../../src/spec/time.ts';
import { served, third, type Behaviour } from './behaviour.ts';
import type { Hostile } from './server.ts';

const FAR = String(Date.now() + 10 * 365 * DAY);
const CONFORMS = /"verdict": "no-violation"/;
const ANY = /"verdict"/;

type Fields = Readonly<Record<string, string | readonly string[] | null>>;
const adds = (headers: Fields) => (hostile: Hostile) => hostile.reply({ headers });

const rate = (
  limit: string | readonly string[],
  remaining: string | readonly string[],
  reset: string | readonly string[],
): Fields => ({
  'x-ratelimit-limit': limit,
  'x-ratelimit-remaining': remaining,
  'x-ratelimit-reset': reset,
});

/** Headers that are too many, too large, contradictory, or meant to make a client wait. */
export const HEADERS: readonly Behaviour[] = [
  {
    id: 'duplicate-headers',
    does: 'sends headers twice',
    act: adds({ 'x-twice': ['a', 'b'], 'cache-control': ['no-store', 'public'] }),
    codes: [0],
    says: CONFORMS,
  },
  {
    id: 'large-header',
    does: 'sends a header of 1 MB',
    act: adds({ 'x-large': 'a'.repeat(1024 * 1024) }),
    codes: [3],
    says: /the headers are too large/,
  },
  {
    id: 'many-headers',
    does: 'sends 10 000 headers',
    act: adds(
      Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`x-${index}`, 'a'])),
    ),
    codes: [3],
    says: /the headers are too large/,
  },
  {
    id: 'endless-headers',
    does: 'never ends its headers',
    act: (hostile) => {
      hostile.raw('HTTP/1.1 200 OK\r\n');
      hostile.every(0, () => hostile.raw('x-more: aaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n'.repeat(100)));
    },
    codes: [3],
    says: /the headers are too large/,
  },
  {
    id: 'header-not-ascii',
    does: 'sends bytes above 127 in headers',
    act: adds({ 'x-odd': '\u00e9\u00ff\u0080\u00a0' }),
    codes: [0],
    says: CONFORMS,
  },
  {
    id: 'header-named-proto',
    does: 'sends headers named __proto__ and constructor',
    act: adds({ __proto__x: 'a', ['__proto__']: 'b', constructor: 'c', 'to-string': 'd' }),
    codes: [0],
    says: CONFORMS,
  },
  {
    id: 'header-empty-name',
    does: 'sends a header without a name',
    act: adds({ '': 'a' }),
    codes: [3],
    says: /does not respond/,
  },
  {
    id: 'two-content-types',
    does: 'sends two content types',
    act: adds({ 'content-type': ['application/json', 'text/html'] }),
    codes: [0, 1],
    says: ANY,
  },
  {
    id: 'html-content-type',
    does: 'says that its JSON is HTML',
    act: adds({ 'content-type': 'text/html; charset=utf-7' }),
    codes: [0],
    says: /without a JSON content type/,
  },
  {
    id: 'no-content-type',
    does: 'says nothing about the type',
    act: adds({ 'content-type': null }),
    codes: [0],
    says: /without a JSON content type/,
  },
  {
    id: 'cookies',
    does: 'sets 100 cookies',
    act: adds({
      'set-cookie': Array.from(
        { length: 100 },
        (_, index) => `c${index}=${index}; Path=/; Domain=.example`,
      ),
    }),
    codes: [0],
    says: CONFORMS,
  },
  {
    id: 'rate-garbage',
    does: 'sends words as rate-limit headers',
    act: adds(rate('many', 'some', 'soon')),
    codes: [0, 1, 3],
    says: ANY,
  },
  {
    id: 'rate-negative',
    does: 'sends negative rate-limit headers',
    act: adds(rate('-20', '-1', '-1')),
    codes: [0, 1, 3],
    says: ANY,
  },
  {
    id: 'rate-nan',
    does: 'sends NaN as rate-limit headers',
    act: adds(rate('NaN', 'NaN', 'NaN')),
    codes: [0, 1, 3],
    says: ANY,
  },
  {
    id: 'rate-exponent',
    does: 'sends 1e30 as rate-limit headers',
    act: adds(rate('1e30', '1e30', '1e30')),
    codes: [0, 1, 3],
    says: ANY,
  },
  {
    id: 'rate-long',
    does: 'sends rate-limit headers of 4 000 digits',
    act: adds(rate('9'.repeat(4000), '9'.repeat(4000), '9'.repeat(4000))),
    codes: [0, 1, 3],
    says: ANY,
  },
  {
    id: 'rate-twice',
    does: 'sends rate-limit headers twice, differently',
    act: adds(rate(['20', '5'], ['19', '0'], ['1', '2'])),
    codes: [0, 1, 3],
    says: ANY,
  },
  {
    id: 'rate-empty',
    does: 'says that nothing is left, always',
    act: (hostile) => hostile.reply({ headers: rate('20', '0', String(Date.now() + 50_000)) }),
    on: served,
    codes: [0, 1, 3],
    says: ANY,
  },
  {
    id: 'reset-far',
    does: 'announces a reset ten years ahead',
    act: adds({ 'x-ratelimit-reset': FAR }),
    codes: [0, 1, 3],
    says: /far-reset: \d+ answers announced a rate-limit reset days away/,
  },
  {
    id: 'reset-past',
    does: 'announces a reset in 1970',
    act: adds({ 'x-ratelimit-reset': '1000' }),
    codes: [0, 1, 3],
    says: ANY,
  },
  {
    id: 'limited-for-years',
    does: 'answers 429 with a reset and a Retry-After ten years ahead',
    act: (hostile) =>
      hostile.reply({
        status: 429,
        headers: { ...rate('20', '0', FAR), 'retry-after': '315360000' },
        body: '{"code":402901,"message":"Rate limit exceeded","details":{"limit":20,"window":"60s","retry_after":315360000}}',
      }),
    codes: [1, 3],
    says: /keeps answering 429/,
  },
  {
    id: 'limited-sometimes',
    does: 'answers every third request with 429 and a reset ten years ahead',
    act: (hostile) =>
      hostile.reply({
        status: 429,
        headers: { ...rate('20', '0', FAR), 'retry-after': 'Wed, 21 Oct 2036 07:28:00 GMT' },
        body: '{"code":402901,"message":"Rate limit exceeded","details":{"limit":20,"window":"60s","retry_after":315360000}}',
      }),
    on: third,
    codes: [1, 3],
    says: /far-reset/,
  },
  {
    id: 'date-far',
    does: 'sends a Date ten years ahead',
    act: adds({ date: new Date(Number(FAR)).toUTCString() }),
    codes: [0, 1, 3],
    says: ANY,
  },
  {
    id: 'date-garbage',
    does: 'sends a Date that is none',
    act: adds({ date: 'yesterday; DROP TABLE clocks' }),
    codes: [0],
    says: CONFORMS,
  },
  {
    id: 'date-jumps',
    does: 'sends a Date that jumps by days',
    act: (hostile) =>
      hostile.reply({
        headers: {
          date: new Date(Date.now() + ((hostile.number * 7) % 11) * DAY).toUTCString(),
        },
      }),
    codes: [0, 1, 3],
    says: ANY,
  },
  {
    id: 'keep-alive-lies',
    does: 'promises to keep the connection for years, and closes it',
    act: (hostile) => {
      hostile.reply({ headers: { connection: 'keep-alive', 'keep-alive': 'timeout=999999999' } });
      hostile.socket.end();
    },
    codes: [0],
    says: CONFORMS,
  },
];
