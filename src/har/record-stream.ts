import { createReadStream } from 'node:fs';
import { Tokenizer } from '@streamparser/json';
import { encodingOf } from '../text/decoded-text.ts';
import { isObject } from '../text/json-value.ts';
import { NAME_A_RECORDING, RecordingError } from './errors.ts';
import { MAX_RECORD_BYTES, RecordWalker, tooLarge, WalkError } from './record-walker.ts';
import type { FileHead, RawRecord } from './record-walker.ts';

const CHUNK_BYTES = 256 * 1024;

/** Where streaming got to: told after each record, complete at the end of the file. */
export interface StreamState {
  head: FileHead;
  entries: number;
}

/**
 * The records of a file in its order, read as a stream: memory is that of the largest record.
 * @throws RecordingError when the file cannot be read, is no JSON or holds no list of entries
 */
export async function* streamRecords(path: string, state: StreamState): AsyncGenerator<RawRecord> {
  const walker = new RecordWalker();
  const tokenizer = new Tokenizer({ separator: '', stringBufferSize: 64 * 1024 });
  keepByteOrderMarks(tokenizer);
  let failure: Error | null = null;
  let last = 0;
  tokenizer.onToken = (token) => {
    if (failure !== null) return;
    last = token.offset;
    try {
      walker.take(token);
    } catch (error) {
      failure = error as Error;
    }
  };
  tokenizer.onError = (error) => {
    failure ??= error;
  };
  tokenizer.onEnd = () => undefined;
  const fail = (): Promise<RecordingError> => asRecordingError(path, failure, walker);
  let read = 0;
  try {
    for await (const bytes of utf8Chunks(path)) {
      if (bytes.includes(0)) throw await notText(path);
      tokenizer.write(bytes);
      read += bytes.length;
      if (failure === null && read - last > MAX_RECORD_BYTES) {
        failure = tooLarge(walker.entries + 1, last);
      }
      state.head = walker.head;
      state.entries = walker.entries;
      yield* walker.records.splice(0);
      if (failure !== null) throw await fail();
    }
  } catch (error) {
    if (error instanceof RecordingError) throw error;
    throw unreadable(path, error);
  }
  if (!tokenizer.isEnded) tokenizer.end();
  yield* walker.records.splice(0);
  state.head = walker.head;
  state.entries = walker.entries;
  if (failure !== null && !isEnd(failure)) throw await fail();
  if (failure !== null || !walker.isBetween) {
    throw new RecordingError(
      `${path}: ends too early, ${walker.place}, at byte ${read}.`,
      'The file was cut off while it was written or copied; save it again.',
    );
  }
  if (walker.entries === 0) {
    throw new RecordingError(
      read === 0
        ? `${path}: is empty.`
        : walker.sawList
          ? `${path}: holds no entries.`
          : `${path}: holds no recorded traffic: neither log.entries nor exchanges.`,
      read === 0 || walker.sawList
        ? 'Record at least one request to the service; docs/recorded-traffic.md says how.'
        : NAME_A_RECORDING,
    );
  }
}

/** The bytes of a text file in UTF-8. One in UTF-16, as PowerShell writes it, is converted on the way. */
async function* utf8Chunks(path: string): AsyncGenerator<Buffer> {
  let decoder: TextDecoder | null | undefined;
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
    const bytes = chunk as Buffer;
    if (decoder === undefined) {
      const encoding = encodingOf(bytes);
      decoder = encoding === 'utf-8' ? null : new TextDecoder(encoding);
    }
    yield decoder === null ? bytes : Buffer.from(decoder.decode(bytes, { stream: true }));
  }
}

/**
 * The tokenizer drops a byte order mark wherever a string, or the next piece of a long one, begins with it. At the
 * beginning of a body it is evidence.
 */
function keepByteOrderMarks(tokenizer: Tokenizer): void {
  const strings: unknown = Reflect.get(tokenizer, 'bufferedString');
  if (!isObject(strings) || !('decoder' in strings)) throw new TypeError('another tokenizer');
  Object.assign(strings, { decoder: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }) });
}

/** True when the text just stopped. */
const isEnd = (error: Error): boolean => /ended in the middle/.test(error.message);

async function asRecordingError(
  path: string,
  failure: Error | null,
  walker: RecordWalker,
): Promise<RecordingError> {
  const told = /absolute position "(\d+)"/.exec(failure?.message ?? '')?.[1];
  const offset = failure instanceof WalkError ? failure.offset : Number(told ?? 0);
  const { line, column } = await positionOf(path, offset);
  const what =
    failure instanceof WalkError
      ? failure.message
      : `is not JSON: ${/^Unexpected "[^]{1,2}"/u.exec(failure?.message ?? '')?.[0].toLowerCase() ?? 'bytes that are no UTF-8 text'}`;
  return new RecordingError(
    `${path}: ${what}, at line ${line}, column ${column} (byte ${offset}), ${walker.place}.`,
    (failure instanceof WalkError ? failure.hint : undefined) ?? NAME_A_RECORDING,
  );
}

async function notText(path: string): Promise<RecordingError> {
  const start = createReadStream(path, { end: 3 });
  let head = Buffer.alloc(0);
  for await (const chunk of start) head = Buffer.concat([head, chunk as Buffer]);
  const packed =
    (head[0] === 0x1f && head[1] === 0x8b) || head.subarray(0, 2).toString('latin1') === 'PK';
  return new RecordingError(
    `${path}: is ${packed ? 'a compressed file' : 'no text'}.`,
    packed ? 'Unpack it first.' : NAME_A_RECORDING,
  );
}

function unreadable(path: string, cause: unknown): RecordingError {
  const { code, message } = cause as NodeJS.ErrnoException;
  const why =
    code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : message;
  return new RecordingError(`${path}: cannot be read: ${why}.`, NAME_A_RECORDING, { cause });
}

/** Line and column of a byte, both from 1. Reads the file again up to there: only errors need it. */
async function positionOf(path: string, offset: number): Promise<{ line: number; column: number }> {
  let line = 1;
  let before = 0;
  let lineStart = 0;
  for await (const chunk of utf8Chunks(path)) {
    const bytes = chunk.subarray(0, offset - before);
    for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) {
      line += 1;
      lineStart = before + at + 1;
    }
    before += bytes.length;
    if (before >= offset) break;
  }
  return { line, column: offset - lineStart + 1 };
}
