import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { encodingOf } from '../text/decoded-text.ts';
import { isObject } from '../text/json-value.ts';
import { linesOf } from '../text/lines.ts';
import { NAME_A_RECORDING, RecordingError } from './errors.ts';
import { jsonFailure } from './json-failure.ts';

/** An unvalidated item of a file. */
export interface RawRecord {
  /** 1 for the first of the file. */
  readonly entry: number;
  readonly value: unknown;
}

/** Metadata of a file; unvalidated. */
export interface FileHead {
  creator: unknown;
  /** `log._assay` of a HAR, or the top level of results.json. */
  run: unknown;
  /** Records read so far. */
  entries: number;
}

export const newHead = (): FileHead => ({ creator: undefined, run: undefined, entries: 0 });

/**
 * Maximum size of a JSON text (a file, or a line of NDJSON), bytes. Judging one of this size takes 0.8 GB of memory, or
 * 1.3 GB if it is not all Latin-1; twice as much would not fit into a heap of 2 GB.
 */
const MOST_MIB = 256;
const MOST_BYTES = MOST_MIB * 1024 * 1024;

/**
 * The records of a file in order. NDJSON is read line by line and may be of any size; other JSON is parsed as a whole.
 * @param head filled in while reading
 * @throws RecordingError when the file cannot be read, is not JSON, is too large or
 * has no list of entries
 */
export async function* recordsOf(
  path: string,
  head: FileHead = newHead(),
): AsyncGenerator<RawRecord> {
  let isEmpty = true;
  try {
    for await (const value of documentsOf(path)) {
      isEmpty = false;
      for (const record of recordsIn(path, value, head)) {
        head.entries += 1;
        yield { entry: head.entries, value: record };
      }
    }
  } catch (error) {
    throw error instanceof RecordingError ? error : unreadable(path, error);
  }
  if (head.entries > 0) return;
  throw new RecordingError(
    `${path} ${isEmpty ? 'is empty' : 'contains no entries'}.`,
    'Record at least one request to the service; see docs/recorded-traffic.md.',
  );
}

/** The JSON texts of a file: its lines, or the whole file if the first line is not JSON. */
async function* documentsOf(path: string): AsyncGenerator {
  let number = 0;
  let isFirst = true;
  const input = createReadStream(path, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>;
  // UTF-8, or UTF-16 as written by PowerShell.
  const decoderOf = (first: Buffer): TextDecoder => {
    if (!isCompressed(first)) return new TextDecoder(encodingOf(first), { fatal: true });
    throw new RecordingError(`${path} is a compressed file.`, 'Decompress the file first.');
  };
  for await (const line of linesOf(input, MOST_BYTES, decoderOf)) {
    number += 1;
    if (line === null) throw tooLarge(path);
    if (line.trim() === '') continue;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (error) {
      if (!isFirst) throw jsonFailure(path, line, error as SyntaxError, number);
      yield await wholeOf(path);
      return;
    }
    yield value;
    isFirst = false;
  }
}

async function wholeOf(path: string): Promise<unknown> {
  if ((await stat(path)).size > MOST_BYTES) throw tooLarge(path);
  const bytes = await readFile(path);
  const text = new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw jsonFailure(path, text, error as SyntaxError, 1);
  }
}

const isCompressed = (bytes: Buffer): boolean =>
  (bytes[0] === 0x1f && bytes[1] === 0x8b) || bytes.subarray(0, 2).toString('latin1') === 'PK';

/** The records of a HAR file, of results.json or of a list; any other value is a record itself. */
function recordsIn(path: string, value: unknown, head: FileHead): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (!isObject(value)) return [value];
  if (Object.hasOwn(value, 'log')) {
    const log = isObject(value['log']) ? value['log'] : {};
    head.creator ??= log['creator'];
    head.run ??= log['_assay'];
    return listIn(path, 'log.entries', log['entries']);
  }
  if (!Object.hasOwn(value, 'exchanges')) return [value];
  head.creator ??= value['tool'];
  head.run ??= { target: value['target'], facts: value['facts'] };
  return listIn(path, 'exchanges', value['exchanges']);
}

function listIn(path: string, name: string, list: unknown): readonly unknown[] {
  if (Array.isArray(list)) return list;
  throw new RecordingError(`${path}: ${name} is not a list.`, NAME_A_RECORDING);
}

const tooLarge = (path: string): RecordingError =>
  new RecordingError(
    `${path} is a JSON file larger than ${MOST_MIB} MiB.`,
    'Convert the file to NDJSON, which has no size limit: jq -c ".log.entries[]" in.har > out.ndjson. Or record only requests to the service.',
  );

function unreadable(path: string, cause: unknown): RecordingError {
  const { code, message } = cause as NodeJS.ErrnoException;
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'cannot be read: file not found',
    EISDIR: 'cannot be read: it is a folder',
    ERR_ENCODING_INVALID_ENCODED_DATA: 'is not UTF-8 text',
  };
  const why = reasons[code ?? ''] ?? `cannot be read: ${message}`;
  return new RecordingError(`${path}: ${why}.`, NAME_A_RECORDING, { cause });
}
