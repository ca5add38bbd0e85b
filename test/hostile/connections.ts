import { news, served, third, type Behaviour } from './behaviour.ts';
import { answerText, type Hostile } from './server.ts';

const head = ({ status, headers, body }: Hostile): string =>
  answerText(status, 'OK', { ...headers, 'content-length': String(Buffer.byteLength(body)) });

/** Sends the response in small pieces. */
const dripped = (text: (hostile: Hostile) => string, ms: number) => (hostile: Hostile) => {
  const bytes = Buffer.from(text(hostile));
  let at = 0;
  hostile.every(ms, () => {
    if (at < bytes.length) hostile.raw(bytes.subarray(at, at + 1));
    at += 1;
  });
};

const DOWN = /does not respond: 3 consecutive attempts failed/;
const JSON_HEADERS = { 'content-type': 'application/json' };

/** Connections that break, hang or drip. */
export const CONNECTIONS: readonly Behaviour[] = [
  {
    id: 'reset-at-once',
    does: 'resets every connection as soon as it stands',
    onConnect: (socket) => void socket.resetAndDestroy(),
    act: () => undefined,
    codes: [3],
    says: DOWN,
  },
  {
    id: 'close-at-once',
    does: 'closes every connection as soon as it stands',
    onConnect: (socket) => void socket.destroy(),
    act: () => undefined,
    codes: [3],
    says: DOWN,
  },
  {
    id: 'close-without-answer',
    does: 'reads requests and closes',
    act: ({ socket }) => void socket.end(),
    codes: [3],
    says: DOWN,
  },
  {
    id: 'reset-without-answer',
    does: 'reads requests and resets',
    act: ({ socket }) => void socket.resetAndDestroy(),
    codes: [3],
    says: DOWN,
  },
  {
    id: 'reset-sometimes',
    does: 'resets every third connection',
    act: ({ socket }) => void socket.resetAndDestroy(),
    on: third,
    codes: [0, 3],
    says: /no-answer-reset/,
  },
  {
    id: 'reset-in-body',
    does: 'resets in the middle of bodies',
    act: (hostile) => {
      hostile.raw(head(hostile) + hostile.body.slice(0, 20));
      setTimeout(() => hostile.socket.resetAndDestroy(), 5);
    },
    on: news,
    codes: [3],
    says: /no-answer-reset/,
  },
  {
    id: 'half-close',
    does: 'closes its side after half of the headers',
    act: ({ socket }) => void socket.end('HTTP/1.1 200 OK\r\ncontent-ty'),
    codes: [3],
    says: DOWN,
  },
  {
    id: 'half-close-allowed',
    does: 'closes its side after every answer (allowed)',
    act: (hostile) => {
      hostile.reply();
      hostile.socket.end();
    },
    codes: [0],
    says: /"verdict": "no-violation"/,
  },
  {
    id: 'reset-on-reuse',
    does: 'resets a connection that is used again',
    act: (hostile) =>
      hostile.onConnection > 1 ? void hostile.socket.resetAndDestroy() : hostile.reply(),
    codes: [0, 3],
    says: /no-answer-reset/,
  },
  {
    id: 'hang',
    does: 'lets every request hang',
    act: () => undefined,
    codes: [3],
    says: DOWN,
    timeoutMs: 300,
    always: true,
  },
  {
    id: 'hang-later',
    does: 'lets every request hang after the fifth',
    act: () => undefined,
    on: ({ number }) => number > 5,
    codes: [1, 3],
    says: /stopped responding|requests to .* timed out/,
    timeoutMs: 150,
  },
  {
    id: 'hang-one-endpoint',
    does: 'lets the requests of one endpoint hang',
    act: () => undefined,
    on: news,
    codes: [1, 3],
    says: /no-answer-timeout/,
    timeoutMs: 150,
  },
  {
    id: 'hang-every-other',
    does: 'lets every other request hang',
    act: () => undefined,
    on: ({ number }) => number % 2 === 0,
    args: ['--profile', 'standard'],
    codes: [1, 3],
    says: /18 requests to .* timed out/,
    timeoutMs: 150,
  },
  {
    id: 'hang-after-headers',
    does: 'hangs after the headers',
    act: (hostile) => hostile.raw(head(hostile)),
    codes: [3],
    says: /no complete response within 200 ms/,
    timeoutMs: 200,
  },
  {
    id: 'drip-body',
    does: 'drips its bodies byte by byte',
    act: (hostile) => {
      hostile.raw(head(hostile));
      dripped(({ body }) => body, 20)(hostile);
    },
    codes: [3],
    says: /no complete response within 300 ms/,
    timeoutMs: 300,
  },
  {
    id: 'drip-headers',
    does: 'drips its headers byte by byte',
    act: dripped((hostile) => head(hostile) + hostile.body, 20),
    codes: [3],
    says: /no complete response within 300 ms/,
    timeoutMs: 300,
  },
  {
    id: 'drip-chunks',
    does: 'drips chunks without end',
    act: (hostile) => {
      hostile.raw(answerText(200, 'OK', { ...JSON_HEADERS, 'transfer-encoding': 'chunked' }));
      hostile.every(10, () => hostile.raw('1\r\n \r\n'));
    },
    codes: [3],
    says: /no complete response within 300 ms/,
    timeoutMs: 300,
  },
  {
    id: 'slow-start',
    does: 'waits 100 ms before every answer (allowed)',
    act: (hostile) => void setTimeout(() => hostile.reply(), 100),
    codes: [0],
    says: /"verdict": "no-violation"/,
    timeoutMs: 5000,
  },
  {
    id: 'dies',
    does: 'dies after ten requests',
    act: ({ socket }) => void socket.resetAndDestroy(),
    on: ({ number }) => number > 10,
    codes: [1, 3],
    says: /stopped responding|were cut off by the target|lost the connection/,
  },
  {
    id: 'one-byte-packets',
    does: 'sends every answer in packets of one byte (allowed)',
    act: (hostile) => {
      const bytes = Buffer.from(head(hostile) + hostile.body);
      for (let at = 0; at < bytes.length; at += 1) hostile.raw(bytes.subarray(at, at + 1));
    },
    on: (hostile) => served(hostile) && hostile.body.length < 5000,
    codes: [0],
    says: /"verdict": "no-violation"/,
    timeoutMs: 5000,
  },
];
