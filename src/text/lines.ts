/**
 * The lines of a byte stream without line feeds. A line that is too long is null and takes no memory. Text after the
 * last line feed is also a line.
 * @param most maximum length of a line, characters
 * @param decoderOf the decoder for a text that starts with these bytes
 */
export async function* linesOf(
  input: AsyncIterable<Buffer>,
  most: number,
  decoderOf: (first: Buffer) => TextDecoder,
): AsyncGenerator<string | null> {
  let decoder: TextDecoder | undefined;
  let held: string[] = [];
  let length = 0;
  for await (const bytes of input) {
    decoder ??= decoderOf(bytes);
    for (const [index, part] of decoder.decode(bytes, { stream: true }).split('\n').entries()) {
      if (index > 0) {
        if (length <= most) yield held.join('');
        [held, length] = [[], 0];
      }
      if (length > most) continue;
      length += part.length;
      if (length <= most) held.push(part);
      else {
        held = [];
        yield null;
      }
    }
  }
  held.push(decoder?.decode() ?? '');
  if (length <= most && held.join('') !== '') yield held.join('');
}
