import { third, type Behaviour } from './behaviour.ts';
import { answerText, type Hostile } from './server.ts';

const JSON_TYPE = 'application/json';
/** The body of the reference server with a custom head. */
const under = (head: string) => (hostile: Hostile) => hostile.raw(head + hostile.body);
const size = ({ body }: Hostile): string => String(Buffer.byteLength(body));
const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const CHUNKED = `HTTP/1.1 200 OK\r\ncontent-type: ${JSON_TYPE}\r\ntransfer-encoding: chunked\r\n\r\n`;
/** Sends bytes and ends the connection. */
const only = (bytes: string) => (hostile: Hostile) => void hostile.socket.end(bytes);

const UNANSWERED = /does not respond: 3 consecutive attempts failed/;

/** Responses with framing that HTTP does not allow or that no client should trust. */
export const FRAMING: readonly Behaviour[] = [
  {
    id: 'length-and-chunked',
    does: 'sends Content-Length and Transfer-Encoding at once',
    act: (hostile) =>
      hostile.raw(
        `HTTP/1.1 200 OK\r\ncontent-type: ${JSON_TYPE}\r\ncontent-length: ${size(hostile)}\r\ntransfer-encoding: chunked\r\n\r\n${chunk(hostile.body)}0\r\n\r\n`,
      ),
    codes: [3],
    says: /Transfer-Encoding|Content-Length/i,
  },
  {
    id: 'two-lengths',
    does: 'sends two different Content-Length',
    act: (hostile) => hostile.reply({ headers: { 'content-length': [size(hostile), '3'] } }),
    codes: [3],
    says: UNANSWERED,
  },
  {
    id: 'length-too-short',
    does: 'announces half of its body',
    act: (hostile) =>
      hostile.reply({
        headers: { 'content-length': String(Math.floor(Number(size(hostile)) / 2)) },
      }),
    codes: [3],
    says: /more bytes followed the end of the response/,
  },
  {
    id: 'length-too-short-some',
    does: 'announces half of its body now and then',
    act: (hostile) =>
      hostile.reply({
        headers: { 'content-length': String(Math.floor(Number(size(hostile)) / 2)) },
      }),
    on: third,
    codes: [1, 3],
    says: /more bytes followed the end of the response/,
  },
  {
    id: 'length-too-long',
    does: 'announces more than it sends, and closes',
    act: (hostile) => {
      hostile.reply({ headers: { 'content-length': String(Number(size(hostile)) + 10) } });
      hostile.socket.end();
    },
    codes: [3],
    says: /no-answer-(reset|protocol)|does not respond/,
  },
  {
    id: 'length-too-long-hangs',
    does: 'announces more than it sends, and keeps the connection open',
    act: (hostile) =>
      hostile.reply({ headers: { 'content-length': String(Number(size(hostile)) + 10) } }),
    codes: [3],
    says: /no complete response within/,
    timeoutMs: 300,
  },
  {
    id: 'length-negative',
    does: 'announces a negative length',
    act: (hostile) => hostile.reply({ headers: { 'content-length': '-5' } }),
    codes: [3],
    says: UNANSWERED,
  },
  {
    id: 'length-huge',
    does: 'announces 2^70 bytes',
    act: (hostile) => hostile.reply({ headers: { 'content-length': '1180591620717411303424' } }),
    codes: [3],
    says: UNANSWERED,
  },
  {
    id: 'chunk-garbage',
    does: 'sends chunks without sizes',
    act: (hostile) => hostile.raw(`${CHUNKED}zz\r\n${hostile.body}\r\n0\r\n\r\n`),
    codes: [3],
    says: /Invalid character in chunk size/,
  },
  {
    id: 'chunk-overflow',
    does: 'sends a chunk size of 2^80',
    act: (hostile) =>
      hostile.raw(`${CHUNKED}100000000000000000000\r\n${hostile.body}\r\n0\r\n\r\n`),
    codes: [3],
    says: /[Cc]hunk size/,
  },
  {
    id: 'chunk-without-end',
    does: 'closes before the last chunk',
    act: (hostile) => void hostile.socket.end(CHUNKED + chunk(hostile.body)),
    codes: [3],
    says: UNANSWERED,
  },
  {
    id: 'chunk-of-one-byte',
    does: 'sends a chunk for every byte (allowed, and no reason for a finding)',
    act: (hostile) =>
      hostile.raw(
        `${answerText(hostile.status, 'OK', { ...hostile.headers, 'content-length': null, 'transfer-encoding': 'chunked' })}${Array.from(Buffer.from(hostile.body), (byte) => `1\r\n${String.fromCharCode(byte)}\r\n`).join('')}0\r\n\r\n`,
      ),
    on: ({ body }) => Buffer.byteLength(body) === body.length && body.length < 20_000,
    codes: [0],
    says: /"verdict": "no-violation"/,
  },
  {
    id: 'chunk-extensions',
    does: 'writes a kilobyte of extensions behind every chunk size (allowed)',
    act: (hostile) =>
      hostile.socket.write(
        Buffer.from(
          `${answerText(hostile.status, 'OK', { ...hostile.headers, 'content-length': null, 'transfer-encoding': 'chunked' })}${Buffer.byteLength(hostile.body).toString(16)};x=${'a'.repeat(1000)}\r\n${hostile.body}\r\n0\r\n\r\n`,
        ),
      ),
    codes: [0],
    says: /"verdict": "no-violation"/,
  },
  {
    id: 'bad-status-line',
    does: 'begins with something that is no status line',
    act: only('HELLO THERE\r\ncontent-length: 2\r\n\r\n{}'),
    codes: [3],
    says: UNANSWERED,
  },
  {
    id: 'status-line-endless',
    does: 'sends a status line without end',
    act: (hostile) => {
      hostile.raw('HTTP/1.1 200 ');
      hostile.every(0, () => hostile.raw('a'.repeat(65_536)));
    },
    codes: [3],
    says: /no-answer-|does not respond|3 attempts/,
    timeoutMs: 500,
  },
  {
    id: 'http-0.9',
    does: 'answers without any head',
    act: (hostile) => void hostile.socket.end(hostile.body),
    codes: [3],
    says: UNANSWERED,
  },
  {
    id: 'http-1.0',
    does: 'speaks HTTP/1.0 and closes (allowed)',
    act: (hostile) =>
      void hostile.socket.end(
        answerText(hostile.status, 'OK', hostile.headers).replace('HTTP/1.1', 'HTTP/1.0') +
          hostile.body,
      ),
    codes: [0],
    says: /"verdict": "no-violation"/,
  },
  {
    id: 'http-9.9',
    does: 'claims HTTP/9.9',
    act: under('HTTP/9.9 200 OK\r\ncontent-length: 2\r\n\r\n'),
    codes: [3],
    says: UNANSWERED,
  },
  {
    id: 'no-reason',
    does: 'leaves the reason phrase out (allowed)',
    act: (hostile) => hostile.reply({ reason: '' }),
    codes: [0],
    says: /"verdict": "no-violation"/,
  },
  {
    id: 'interim-flood',
    does: 'sends 1xx answers without end',
    act: (hostile) => {
      const flood = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(500);
      hostile.raw(flood);
      hostile.every(1, () => hostile.raw(flood));
    },
    codes: [3],
    says: /more than 8 interim responses/,
  },
  {
    id: 'interim-few',
    does: 'sends two hints (103) before every answer (allowed)',
    act: (hostile) => {
      hostile.raw('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(2));
      hostile.reply();
    },
    codes: [0],
    says: /interim-answers: \d+ answers followed 1xx responses/,
  },
  {
    id: 'interim-continue',
    does: 'sends 100 Continue to a request without a body',
    act: (hostile) => {
      hostile.raw('HTTP/1.1 100 Continue\r\n\r\n');
      hostile.reply();
    },
    codes: [3],
    says: UNANSWERED,
  },
  {
    id: 'upgrade',
    does: 'switches protocols (101)',
    act: (hostile) =>
      hostile.raw(
        'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n\u0081\u0005hello',
      ),
    codes: [3],
    says: /an unsolicited upgrade \(101\)/,
  },
  {
    id: 'no-content-with-body',
    does: 'sends a body with 204',
    act: (hostile) =>
      hostile.raw(
        `HTTP/1.1 204 No Content\r\ncontent-length: ${size(hostile)}\r\n\r\n${hostile.body}`,
      ),
    codes: [1, 3],
    says: /no-answer-protocol: \d+ requests got an answer that violates HTTP/,
  },
  {
    id: 'not-modified-with-body',
    does: 'sends a body with 304, which nobody asked for',
    act: (hostile) =>
      hostile.raw(
        `HTTP/1.1 304 Not Modified\r\ncontent-length: ${size(hostile)}\r\n\r\n${hostile.body}`,
      ),
    codes: [3],
    says: /no-answer-protocol: \d+ requests got an answer that violates HTTP/,
  },
  {
    id: 'trailers',
    does: 'sends a status, a length and a key as trailers',
    act: (hostile) =>
      hostile.socket.write(
        Buffer.from(
          `${answerText(hostile.status, 'OK', { ...hostile.headers, 'content-length': null, 'transfer-encoding': 'chunked', trailer: 'content-length' })}${chunk(hostile.body)}0\r\ncontent-length: 3\r\nx-key: ${hostile.key}\r\n\r\n`,
        ),
      ),
    codes: [0, 3],
    says: /"verdict": "(no-violation|incomplete)"/,
  },
  {
    id: 'folded-header',
    does: 'folds a header over two lines',
    act: (hostile) =>
      hostile.raw(
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nx-folded: one\r\n  two\r\ncontent-length: 2\r\n\r\n{}`,
      ),
    codes: [1, 3],
    says: /"verdict": "(violates|incomplete)"/,
  },
  {
    id: 'nul-in-header',
    does: 'puts a NUL into a header',
    act: (hostile) => hostile.reply({ headers: { 'x-nul': 'a\u0000b' } }),
    codes: [3],
    says: UNANSWERED,
  },
  {
    id: 'cr-in-header',
    does: 'puts a lone CR into a header',
    act: (hostile) => hostile.reply({ headers: { 'x-cr': 'a\rset-cookie: b' } }),
    codes: [3],
    says: UNANSWERED,
  },
  {
    id: 'header-without-colon',
    does: 'sends a header without a colon',
    act: under('HTTP/1.1 200 OK\r\nthis is no header\r\ncontent-length: 2\r\n\r\n'),
    codes: [3],
    says: UNANSWERED,
  },
  {
    id: 'lf-only',
    does: 'ends its lines with LF',
    act: (hostile) =>
      hostile.raw(
        `HTTP/1.1 200 OK\ncontent-type: application/json\ncontent-length: ${size(hostile)}\n\n${hostile.body}`,
      ),
    codes: [0, 1, 3],
    says: /"verdict"/,
  },
  {
    id: 'second-answer',
    does: 'sends a second answer right behind every answer',
    act: (hostile) => {
      hostile.reply();
      hostile.reply({ body: '{"code":500001,"message":"smuggled","details":{}}', status: 500 });
    },
    codes: [3],
    says: /more bytes followed the end of the response/,
  },
  {
    id: 'second-answer-later',
    does: 'sends a second answer a moment after every answer',
    act: (hostile) => {
      hostile.reply();
      setTimeout(() => {
        if (hostile.socket.writable) hostile.reply({ body: '{"smuggled":true}', status: 500 });
      }, 5);
    },
    // On a very busy machine, the second response arrives after the next request and is taken for its response.
    codes: [0, 1, 3],
    says: /stray-bytes/,
  },
  {
    id: 'answer-before-request',
    does: 'sends an answer before it has read a request',
    onConnect: (socket) =>
      void socket.write(
        'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n[]',
      ),
    act: (hostile) => hostile.reply(),
    codes: [1, 3],
    says: /more bytes followed the end of the response|stray-bytes/,
  },
];
