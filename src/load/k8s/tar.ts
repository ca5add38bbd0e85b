/** As much of the tar format as archives of k6 use: regular files, folders and links, names of at most 100 bytes. */

const BLOCK = 512;

export interface TarEntry {
  readonly name: string;
  /** `0` file, `1` hard link, `5` folder. */
  readonly type: string;
  /** Target of a link; empty otherwise. */
  readonly link: string;
  readonly content: Buffer;
}

/**
 * Reads all entries.
 * @throws RangeError when the text is no such archive
 */
export function readTar(archive: Buffer): TarEntry[] {
  const entries: TarEntry[] = [];
  let at = 0;
  while (at + BLOCK <= archive.length) {
    const header = archive.subarray(at, at + BLOCK);
    if (header[0] === 0) break;
    const text = (from: number, length: number): string =>
      header
        .subarray(from, from + length)
        .toString('utf8')
        .replace(/\0.*$/s, '');
    const size = Number.parseInt(text(124, 12).trim() || '0', 8);
    if (!Number.isInteger(size)) throw new RangeError('This is no tar archive.');
    const prefix = text(345, 155);
    const name = text(0, 100);
    entries.push({
      name: prefix === '' ? name : `${prefix}/${name}`,
      type: text(156, 1) || '0',
      link: text(157, 100),
      content: Buffer.from(archive.subarray(at + BLOCK, at + BLOCK + size)),
    });
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return entries;
}

/** Writes entries with nothing in them that changes from time to time: no owners, no dates. */
export function writeTar(entries: readonly TarEntry[]): Buffer {
  const blocks = entries.flatMap((entry) => {
    const padding = Buffer.alloc((BLOCK - (entry.content.length % BLOCK)) % BLOCK);
    return [headerOf(entry), entry.content, padding];
  });
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

function headerOf({ name, type, link, content }: TarEntry): Buffer {
  const header = Buffer.alloc(BLOCK);
  if (Buffer.byteLength(name) > 100 || Buffer.byteLength(link) > 100) {
    throw new RangeError(`The name is too long for an archive: ${name}`);
  }
  const octal = (value: number, from: number, length: number): void => {
    header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, from, 'ascii');
  };
  header.write(name, 0, 'utf8');
  octal(type === '5' ? 0o755 : 0o644, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(content.length, 124, 12);
  octal(0, 136, 12);
  header.write('        ', 148, 'ascii');
  header.write(type, 156, 'ascii');
  header.write(link, 157, 'utf8');
  header.write('ustar\0', 257, 'ascii');
  header.write('00', 263, 'ascii');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'ascii');
  return header;
}
