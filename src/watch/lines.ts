/** Maximum length of a line, bytes. */
const MOST = 32 * 1024 * 1024;
const LF = 10;

/**
 * The lines of a byte stream without line ends. A line that is too long is null and takes no memory. Text after the
 * last line end is also a line.
 */
export async function* linesOf(input: AsyncIterable<Buffer>): AsyncGenerator<string | null> {
  let held: Buffer[] = [];
  let bytes = 0;
  const hold = (part: Buffer): void => {
    bytes += part.length;
    if (bytes > MOST) held = [];
    else held.push(part);
  };
  const take = (): string | null => {
    const line = bytes > MOST ? null : Buffer.concat(held).toString('utf8').replace(/\r$/, '');
    [held, bytes] = [[], 0];
    return line;
  };
  for await (const chunk of input) {
    let from = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, from)) {
      hold(chunk.subarray(from, end));
      from = end + 1;
      yield take();
    }
    hold(chunk.subarray(from));
  }
  if (bytes > 0) yield take();
}
