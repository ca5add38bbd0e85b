/** Error codes of connect timeouts. */
const TIMES: ReadonlySet<string> = new Set(['ETIMEDOUT', 'ESOCKETTIMEDOUT', 'CONNECT_TIMEOUT']);

/** The response to a client if the target cannot be reached, after which the connection closes. */
export function ownAnswer(error: Error, target: string, isHead: boolean): string {
  const code = (error as NodeJS.ErrnoException).code ?? error.name;
  const text = `assay watch: cannot reach ${target} (${code}). This response is not from the service.\n`;
  const lines = [
    `HTTP/1.1 ${TIMES.has(code) ? '504 Gateway Timeout' : '502 Bad Gateway'}`,
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Cache-Control: no-store',
    'Via: 1.1 assay-watch',
    'Connection: close',
  ];
  return `${lines.join('\r\n')}\r\n\r\n${isHead ? '' : text}`;
}
