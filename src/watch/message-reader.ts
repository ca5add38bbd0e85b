import { headerValue } from '../text/header-value.ts';

/** Names and values in their original order and case. */
export type Headers = readonly (readonly [name: string, value: string])[];

/** Start line, without its line end, and headers of an HTTP/1 message, as received. */
export interface MessageHead {
  readonly line: string;
  readonly headers: Headers;
}

/**
 * Framing of a body: a number of bytes (infinite: until the connection ends) or chunks. `stop` if no HTTP/1 message
 * follows (after 101, or in a tunnel).
 */
export type Framing = number | 'chunked' | 'stop';

/** Events of a reader. */
export interface MessageEvents {
  /** The head is complete. Returns the framing of the body. */
  onHead(head: MessageHead): Framing;
  /** A part of the body, without framing. */
  onBody?(bytes: Buffer): void;
  /** The message is complete. */
  onEnd?(): void;
  /** All bytes in order, each once: a complete head, or a part of what follows it. */
  onRaw?(bytes: Buffer, isHead: boolean): void;
}

/** The bytes are not unambiguous HTTP/1. They are forwarded, but not judged. */
export class UnreadableMessage extends Error {}

/** Maximum size of a head, bytes; most servers have a limit of 8 to 64 KiB. */
const MAX_HEAD = 128 * 1024;
/** Maximum size of a chunk size line with its extensions, or of a trailer, bytes. */
const MAX_LINE = 16 * 1024;
const NOTHING = Buffer.alloc(0);
const [CR, LF] = [13, 10];

/** Yields when it needs more bytes. */
type Reading<T> = Generator<void, T>;

/**
 * Parses the messages of one direction of an HTTP/1 connection. It only keeps an unfinished head or line. It is strict,
 * because framing that the two sides may read differently must not be judged, and because existing packages
 * (http-parser-js) loop on a negative length or an endless line of a hostile target.
 */
export function messageReader(events: MessageEvents) {
  let held: Buffer = NOTHING;
  let isBetween = true;
  let isUntilClose = false;

  const take = (length: number, isHead = false): Buffer => {
    const bytes = held.subarray(0, length);
    held = held.subarray(length);
    if (length > 0) events.onRaw?.(bytes, isHead);
    return bytes;
  };
  function* some(): Reading<void> {
    while (held.length === 0) yield;
  }
  /** The text up to and including its end. */
  function* upTo(end: string, most: number, isHead = false): Reading<string> {
    let [at, searched] = [-1, 0];
    while ((at = held.indexOf(end, searched)) === -1 && held.length <= most) {
      // The end may be split over two chunks.
      searched = Math.max(0, held.length - end.length + 1);
      yield;
    }
    if (at === -1 || at + end.length > most)
      throw new UnreadableMessage('a header section or line that is too long');
    return take(at + end.length, isHead).toString('latin1');
  }
  function* line(): Reading<string> {
    const text = yield* upTo('\n', MAX_LINE);
    if (!text.endsWith('\r\n')) throw new UnreadableMessage('a line without CR LF');
    return text.slice(0, -2);
  }
  function* body(length: number): Reading<void> {
    for (let left = length; left > 0;) {
      yield* some();
      const part = take(Math.min(left, held.length));
      left -= part.length;
      events.onBody?.(part);
    }
  }
  function* chunks(): Reading<void> {
    for (;;) {
      const size = /^([0-9a-f]{1,12})[ \t]*(;.*)?$/i.exec(yield* line())?.[1];
      if (size === undefined) throw new UnreadableMessage('a chunk without a size');
      const length = Number.parseInt(size, 16);
      if (length === 0) break;
      yield* body(length);
      if ((yield* line()) !== '')
        throw new UnreadableMessage('a chunk that is longer than its stated size');
    }
    // Trailers.
    while ((yield* line()) !== '');
  }
  function* messages(): Reading<void> {
    for (;;) {
      isBetween = true;
      yield* some();
      // Some old clients send an empty line after a body.
      if (held[0] === CR || held[0] === LF) {
        take(1);
        continue;
      }
      isBetween = false;
      const framing = events.onHead(headOf(yield* upTo('\r\n\r\n', MAX_HEAD, true)));
      if (framing === 'stop') return;
      if (framing === 'chunked') yield* chunks();
      else {
        isUntilClose = framing === Number.POSITIVE_INFINITY;
        yield* body(framing);
      }
      events.onEnd?.();
    }
  }
  const reading = messages();
  return {
    /** True between two messages. */
    isBetween: (): boolean => isBetween,
    /** @throws UnreadableMessage if this is not HTTP/1; the reader must not be used any more */
    read(chunk: Buffer): void {
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      reading.next();
    },
    /** The connection ended. A message that is cut off has no end. */
    end(): void {
      if (isUntilClose) events.onEnd?.();
      isUntilClose = false;
    },
    /** Emits the bytes that were not parsed. */
    flush: (): void => void take(held.length),
  };
}

function headOf(text: string): MessageHead {
  const [line = '', ...rest] = text.slice(0, -4).split('\r\n');
  const headers = rest.map((one): Headers[number] => {
    const [, name, value = ''] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):(.*)$/s.exec(one) ?? [];
    // Programs differ on folded lines and spaces before the colon.
    if (name === undefined) throw new UnreadableMessage('an invalid header line');
    return [name, headerValue(value)];
  });
  if (/[\n\r\0]/.test([line, ...rest].join('')))
    throw new UnreadableMessage('a stray line end in a head');
  return { line, headers };
}

/**
 * The framing stated in the headers of a message.
 * @param without the framing if they state none
 * @throws UnreadableMessage if they contradict each other, as in request smuggling
 */
export function framingOf({ headers }: MessageHead, without: number): number | 'chunked' {
  const valuesOf = (name: string): readonly string[] =>
    headers.flatMap(([one, value]) => (one.toLowerCase() === name ? value.split(',') : []));
  const codings = valuesOf('transfer-encoding').join(',').toLowerCase();
  const lengths = valuesOf('content-length').map((one) => one.trim());
  if (codings !== '') {
    if (lengths.length > 0) throw new UnreadableMessage('both a length and a transfer coding');
    if (codings.trim() === 'chunked') return 'chunked';
    throw new UnreadableMessage('an unknown transfer coding');
  }
  if (lengths.length === 0) return without;
  const [length = '', ...others] = new Set(lengths);
  if (others.length > 0 || !/^\d{1,15}$/.test(length))
    throw new UnreadableMessage('an invalid length, or several of them');
  return Number(length);
}
