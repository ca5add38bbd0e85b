import { headerValue } from '../text/header-value.ts';

/** Start line and headers of an HTTP/1 message, as received. */
export interface MessageHead {
  /** The start line, without its line end. */
  readonly line: string;
  /** Alternating names and values, in their original order and case. */
  readonly headers: readonly string[];
}

/** Framing of a body: a number of bytes, chunks, or until the connection ends. */
export type Framing = number | 'chunked' | 'until-close';

/** Events of a reader. */
export interface MessageEvents {
  /**
   * The head is complete. Returns the framing of the body, or `stop` if no HTTP/1 message follows (after 101, or in a
   * tunnel).
   */
  onHead(head: MessageHead): Framing | 'stop';
  /** A part of the body, without framing. The bytes belong to the chunk that was read. */
  onBody(bytes: Buffer): void;
  /** The message is complete. */
  onEnd(): void;
  /** All bytes in order, each once: a complete head, or a part of what follows it. */
  onRaw?(bytes: Buffer, isHead: boolean): void;
}

/** The bytes are not unambiguous HTTP/1. They are forwarded, but not judged. */
export class UnreadableMessage extends Error {
  override readonly name = 'UnreadableMessage';
}

/** Maximum size of a head, bytes; most servers have a limit of 8 to 64 KiB. */
const MAX_HEAD = 128 * 1024;
/** Maximum size of a chunk size line with its extensions, or of a trailer, bytes. */
const MAX_LINE = 16 * 1024;
const NOTHING = Buffer.alloc(0);
const CR = 13;
const LF = 10;

/**
 * Parses the messages of one direction of an HTTP/1 connection. It only keeps an unfinished head or line. It is strict,
 * because framing that the two sides may read differently must not be judged, and because existing packages
 * (http-parser-js) loop on a negative length or an endless line of a hostile target.
 */
export class MessageReader {
  readonly #events: MessageEvents;
  /** Unfinished head, size line or trailer. */
  #held: Buffer = NOTHING;
  #state: 'head' | 'sized' | 'until-close' | 'size-line' | 'chunk' | 'chunk-end' | 'trailer' =
    'head';
  #left = 0;
  #stopped = false;

  constructor(events: MessageEvents) {
    this.#events = events;
  }

  /** True between two messages. */
  get isBetween(): boolean {
    return this.#state === 'head' && this.#held.length === 0;
  }

  /** True if what follows is not HTTP/1. */
  get isStopped(): boolean {
    return this.#stopped;
  }

  /** Bytes of an unfinished head, which have not been emitted yet. */
  held(): Buffer {
    return this.#state === 'head' ? this.#held : NOTHING;
  }

  /** @throws UnreadableMessage if this is not HTTP/1; the reader must not be used any more */
  read(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#stopped) {
        this.#raw(chunk.subarray(at));
        return;
      }
      switch (this.#state) {
        case 'head':
          at = this.#readHead(chunk, at);
          break;
        case 'until-close':
          this.#body(chunk.subarray(at));
          return;
        case 'sized':
        case 'chunk':
          at = this.#readSized(chunk, at);
          break;
        default:
          at = this.#readLine(chunk, at);
      }
    }
  }

  /** The connection ended. @throws UnreadableMessage if that is within a message */
  end(): void {
    if (this.#stopped || this.isBetween) return;
    if (this.#state !== 'until-close') throw new UnreadableMessage('ends within a message');
    this.#state = 'head';
    this.#events.onEnd();
  }

  #readHead(chunk: Buffer, from: number): number {
    let at = from;
    // Skips empty lines before a message, which some old clients send after a body.
    if (this.#held.length === 0) {
      while (at < chunk.length && (chunk[at] === CR || chunk[at] === LF)) at += 1;
      if (at > from) this.#raw(chunk.subarray(from, at));
      if (at === chunk.length) return at;
    }
    const before = this.#held.length;
    const all = this.#with(chunk.subarray(at));
    // The end may be split over two chunks, so the last bytes are searched again.
    const end = all.indexOf('\r\n\r\n', Math.max(0, before - 3));
    if (end === -1) {
      this.#hold(all, MAX_HEAD);
      return chunk.length;
    }
    const bytes = all.subarray(0, end + 4);
    this.#hold(bytes, MAX_HEAD);
    this.#held = NOTHING;
    const framing = this.#events.onHead(headOf(bytes));
    this.#raw(bytes, true);
    this.#begin(framing);
    return at + bytes.length - before;
  }

  #begin(framing: Framing | 'stop'): void {
    if (framing === 'stop') this.#stopped = true;
    else if (framing === 'chunked') this.#state = 'size-line';
    else if (framing === 'until-close') this.#state = 'until-close';
    else if (framing === 0) this.#events.onEnd();
    else {
      this.#left = framing;
      this.#state = 'sized';
    }
  }

  #readSized(chunk: Buffer, from: number): number {
    const to = Math.min(chunk.length, from + this.#left);
    this.#left -= to - from;
    this.#body(chunk.subarray(from, to));
    if (this.#left > 0) return to;
    if (this.#state === 'chunk') this.#state = 'chunk-end';
    else {
      this.#state = 'head';
      this.#events.onEnd();
    }
    return to;
  }

  #readLine(chunk: Buffer, from: number): number {
    const end = chunk.indexOf(LF, from);
    const to = end === -1 ? chunk.length : end + 1;
    this.#hold(this.#with(chunk.subarray(from, to)), MAX_LINE);
    this.#raw(chunk.subarray(from, to));
    if (end === -1) return to;
    const line = this.#held.toString('latin1');
    this.#held = NOTHING;
    if (!line.endsWith('\r\n')) throw new UnreadableMessage('a line without CR LF');
    this.#takeLine(line.slice(0, -2));
    return to;
  }

  #takeLine(line: string): void {
    if (this.#state === 'chunk-end') {
      if (line !== '') throw new UnreadableMessage('a chunk that is longer than its stated size');
      this.#state = 'size-line';
    } else if (this.#state === 'size-line') {
      const size = /^([0-9a-f]{1,12})[ \t]*(;.*)?$/i.exec(line)?.[1];
      if (size === undefined) throw new UnreadableMessage('a chunk without a size');
      this.#left = Number.parseInt(size, 16);
      this.#state = this.#left === 0 ? 'trailer' : 'chunk';
    } else if (line === '') {
      this.#state = 'head';
      this.#events.onEnd();
    }
  }

  #body(bytes: Buffer): void {
    this.#events.onBody(bytes);
    this.#raw(bytes);
  }

  #raw(bytes: Buffer, isHead = false): void {
    this.#events.onRaw?.(bytes, isHead);
  }

  #with(bytes: Buffer): Buffer {
    return this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
  }

  #hold(bytes: Buffer, most: number): void {
    if (bytes.length > most)
      throw new UnreadableMessage('a header section or line that is too long');
    this.#held = bytes;
  }
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

function headOf(bytes: Buffer): MessageHead {
  const [line = '', ...rest] = bytes.toString('latin1').slice(0, -4).split('\r\n');
  const headers: string[] = [];
  for (const one of rest) {
    const colon = one.indexOf(':');
    const name = one.slice(0, colon);
    const value = one.slice(colon + 1);
    // Programs differ on folded lines and spaces before the colon.
    if (colon < 1 || !TOKEN.test(name)) throw new UnreadableMessage('an invalid header line');
    if (/[\n\r\0]/.test(value)) throw new UnreadableMessage('a stray line end in a header');
    headers.push(name, headerValue(value));
  }
  if (/[\n\r\0]/.test(line)) throw new UnreadableMessage('a stray line end in the start line');
  return { line, headers };
}

/** Values of a header, in order. */
export function valuesOf({ headers }: Pick<MessageHead, 'headers'>, name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at < headers.length; at += 2) {
    if (headers[at]?.toLowerCase() === name) values.push(headers[at + 1] ?? '');
  }
  return values;
}

/**
 * The framing stated in the headers of a message.
 * @param without the framing if they state none
 * @throws UnreadableMessage if they contradict each other, as in request smuggling
 */
export function framingOf(head: MessageHead, without: 0 | 'until-close'): Framing {
  const codings = valuesOf(head, 'transfer-encoding').join(',').toLowerCase();
  const lengths = new Set(
    valuesOf(head, 'content-length').flatMap((value) => value.split(',').map((one) => one.trim())),
  );
  if (codings !== '') {
    if (lengths.size > 0) throw new UnreadableMessage('both a length and a transfer coding');
    if (codings.trim() === 'chunked') return 'chunked';
    throw new UnreadableMessage('an unknown transfer coding');
  }
  const [length] = lengths;
  if (length === undefined) return without;
  if (lengths.size > 1 || !/^\d{1,15}$/.test(length)) {
    throw new UnreadableMessage('an invalid length, or several of them');
  }
  return Number(length);
}
