/** Error codes of connect timeouts. */
const TIMES: ReadonlySet<string> = new Set(['ETIMEDOUT', 'ESOCKETTIMEDOUT', 'CONNECT_TIMEOUT']);

export interface Unreachable {
  readonly status: 502 | 504;
  readonly reason: string;
  readonly text: string;
}

/** The response to a client if the target cannot be reached. */
export function unreachable(error: Error, target: string): Unreachable {
  const code = (error as NodeJS.ErrnoException).code ?? error.name;
  const timed = TIMES.has(code);
  return {
    status: timed ? 504 : 502,
    reason: timed ? 'Gateway Timeout' : 'Bad Gateway',
    text: `assay watch: cannot reach ${target} (${code}). This response is not from the service.\n`,
  };
}

/** The same as raw HTTP/1, after which the connection closes. */
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
