import {
  framingOf,
  messageReader,
  UnreadableMessage,
  type Framing,
  type MessageEvents,
  type MessageHead,
} from './message-reader.ts';
import type { Onlooker, RawExchange } from './raw-exchange.ts';

/** Larger bodies are forwarded but not judged, bytes as sent. */
export const MAX_BODY = 8 * 1024 * 1024;

/** A forwarded request without an answer yet. */
type Pending = Omit<RawExchange, 'status' | 'responseHeaders' | 'body' | 'receivedAt'>;
type Answer = Pick<RawExchange, 'status' | 'responseHeaders'>;

/**
 * Parses the traffic of one connection, matches answers to requests, and emits complete exchanges.
 * @param client address of the client
 * @param onRaw called with every byte of the requests, in order
 */
export function tap(
  onlooker: Onlooker,
  client: string,
  onRaw: NonNullable<MessageEvents['onRaw']>,
) {
  /** Oldest first. */
  let pending: Pending[] = [];
  /** The answer that is arriving; null for interim ones. */
  let answer: Answer | null = null;
  /** Its body; null if it is too large to keep. */
  let body: Buffer[] | null = null;
  let kept = 0;
  let isBlind = false;

  const drop = (): void => {
    onlooker.release(kept);
    kept = 0;
    body = null;
  };
  const goBlind = (): void => {
    isBlind = true;
    pending = [];
    drop();
    requests.flush();
  };
  const onRequest = (head: MessageHead): Framing => {
    const [, method, path] =
      /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) ([^ ]+) HTTP\/1\.[01]$/.exec(head.line) ?? [];
    if (method === undefined || path === undefined)
      throw new UnreadableMessage('an invalid request line');
    const framing = framingOf(head, 0);
    const number = onlooker.begin();
    const requestHeaders = head.headers;
    pending.push({ number, method, path, requestHeaders, sentAt: Date.now(), client });
    return framing;
  };
  const onAnswer = (head: MessageHead): Framing => {
    const [request] = pending;
    const status = Number(/^HTTP\/1\.[01] ([1-9]\d\d)(?: [^]*)?$/.exec(head.line)?.[1]);
    if (Number.isNaN(status)) throw new UnreadableMessage('an invalid status line');
    if (request === undefined) throw new UnreadableMessage('an unsolicited response');
    if (status === 101 || (request.method === 'CONNECT' && status < 300)) {
      onlooker.miss('upgraded');
      goBlind();
      return 'stop';
    }
    const isInterim = status < 200;
    answer = isInterim ? null : { status, responseHeaders: head.headers };
    body = [];
    const bare = isInterim || status === 204 || status === 304 || request.method === 'HEAD';
    return bare ? 0 : framingOf(head, Number.POSITIVE_INFINITY);
  };
  const onBody = (part: Buffer): void => {
    if (body === null) return;
    if (kept + part.length <= MAX_BODY && onlooker.keep(part.length)) {
      kept += part.length;
      body.push(part);
    } else drop();
  };
  const onEnd = (): void => {
    const request = answer === null ? undefined : pending.shift();
    if (answer === null || request === undefined) return;
    const whole = body && Buffer.concat(body);
    drop();
    onlooker.take({ ...request, ...answer, body: whole, receivedAt: Date.now() });
    answer = null;
  };
  const requests = messageReader({ onHead: onRequest, onRaw });
  const answers = messageReader({ onHead: onAnswer, onBody, onEnd });

  /** Unreadable traffic, and all that follows it on this connection, is not judged. */
  const look = (read: () => void): void => {
    try {
      read();
    } catch (error) {
      if (!(error instanceof UnreadableMessage)) throw error;
      for (let left = Math.max(1, pending.length); left > 0; left -= 1) onlooker.miss('unreadable');
      goBlind();
    }
  };
  return {
    /** True while a request has no answer, or the traffic cannot be parsed. */
    isBusy: () => isBlind || pending.length > 0 || !requests.isBetween(),
    request(chunk: Buffer): void {
      if (isBlind) onRaw(chunk, false);
      else look(() => requests.read(chunk));
    },
    requestsEnd: () => requests.flush(),
    answer(chunk: Buffer): void {
      if (!isBlind) look(() => answers.read(chunk));
    },
    answersEnd(): void {
      if (!isBlind) answers.end();
    },
    close(): void {
      if (isBlind) return;
      for (const _ of pending) onlooker.miss('cut');
      isBlind = true;
      drop();
    },
  };
}
