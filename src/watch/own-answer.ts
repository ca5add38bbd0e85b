/** Codes of failures to connect that mean that time ran out. */
const TIMES: ReadonlySet<string> = new Set(['ETIMEDOUT', 'ESOCKETTIMEDOUT', 'CONNECT_TIMEOUT']);

/** A failure to connect, as the client is told it. */
export interface Unreachable {
  readonly status: 502 | 504;
  readonly reason: string;
  readonly text: string;
}

/** What a client is told in the place of an answer when the target cannot be reached. */
export function unreachable(error: Error, target: string): Unreachable {
  const code = (error as NodeJS.ErrnoException).code ?? error.name;
  const timed = TIMES.has(code);
  return {
    status: timed ? 504 : 502,
    reason: timed ? 'Gateway Timeout' : 'Bad Gateway',
    text: `assay watch: ${target} cannot be reached (${code}). The service did not answer; this text is not from it.\n`,
  };
}

/** The same as the bytes of an answer, after which the connection ends. */
export function ownAnswer(error: Error, target: string, isHead: boolean): string {
  const { status, reason, text } = unreachable(error, target);
  const lines = [
    `HTTP/1.1 ${status} ${reason}`,
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Cache-Control: no-store',
    'Via: 1.1 assay-watch',
    'Connection: close',
  ];
  return `${lines.join('\r\n')}\r\n\r\n${isHead ? '' : text}`;
}
