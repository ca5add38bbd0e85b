import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import type { Exchange } from '../spec/exchange.ts';
import { readExchange } from '../har/own-exchange.ts';

/** A position between two lines of the ring. */
export interface RingPosition {
  /** Number of the file. */
  readonly segment: number;
  /** Offset, bytes. */
  readonly bytes: number;
}

/** Size at which the next file starts, bytes, and maximum number of files. */
const SEGMENT = 8 * 1024 * 1024;
const SEGMENTS = 8;

const nameOf = (segment: number): string => `traffic-${String(segment).padStart(6, '0')}.ndjson`;
const numberIn = (name: string): number => Number(/^traffic-(\d{6,})\.ndjson$/.exec(name)?.[1]);

/**
 * The newest redacted exchanges in a ring of files, one exchange per line. `assay check` can read them, and a restarted
 * watch reads the exchanges that were not judged yet.
 */
export class Ring {
  readonly #folder: string;
  #segment: number;
  #bytes = 0;
  #descriptor: number | null = null;

  /** @param folder an existing folder @throws the file system error */
  constructor(folder: string) {
    this.#folder = folder;
    const [last] = this.#segments().toReversed();
    this.#segment = last ?? 1;
    const file = this.#file(this.#segment);
    this.#bytes = existsSync(file) ? statSync(file).size : 0;
  }

  /** Position after the last line. */
  get position(): RingPosition {
    return { segment: this.#segment, bytes: this.#bytes };
  }

  /** @throws the file system error */
  append(exchange: Exchange): void {
    if (this.#bytes >= SEGMENT) {
      this.close();
      this.#segment += 1;
      this.#bytes = 0;
      for (const old of this.#segments()) {
        if (old <= this.#segment - SEGMENTS) rmSync(this.#file(old), { force: true });
      }
    }
    this.#descriptor ??= openSync(this.#file(this.#segment), 'a', 0o600);
    const bytes = Buffer.from(`${JSON.stringify(exchange)}\n`);
    for (let written = 0; written < bytes.length;) {
      written += writeSync(this.#descriptor, bytes, written);
    }
    this.#bytes += bytes.length;
  }

  /**
   * The exchanges after a position. An incomplete last line is removed.
   * @param torn called if a line was removed or is not an exchange
   */
  *since(position: RingPosition, torn: () => void): Generator<Exchange> {
    for (const segment of this.#segments()) {
      if (segment < position.segment) continue;
      const { lines, size, isTorn } = wholeLines(
        this.#file(segment),
        segment === position.segment ? position.bytes : 0,
      );
      if (segment === this.#segment) this.#bytes = size;
      if (isTorn) torn();
      for (const line of lines) {
        const exchange = exchangeIn(line);
        if (exchange === undefined) torn();
        else yield exchange;
      }
    }
  }

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }

  #segments(): readonly number[] {
    return readdirSync(this.#folder)
      .map(numberIn)
      .filter((number) => !Number.isNaN(number))
      .toSorted((a, b) => a - b);
  }

  #file(segment: number): string {
    return path.join(this.#folder, nameOf(segment));
  }
}

/** The lines of a file after a position. An incomplete last line, which a crash may leave, is removed from the file. */
export function wholeLines(
  file: string,
  from = 0,
): { readonly lines: readonly string[]; readonly size: number; readonly isTorn: boolean } {
  const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  const size = bytes.lastIndexOf('\n') + 1;
  const isTorn = size < bytes.length;
  if (isTorn) truncateSync(file, size);
  const lines = bytes.toString('utf8', from, Math.max(from, size)).split('\n');
  return { lines: lines.filter((line) => line !== ''), size, isTorn };
}

/** The exchange of a line; undefined if it is not one. */
export function exchangeIn(line: string): Exchange | undefined {
  try {
    return readExchange(JSON.parse(line));
  } catch {
    return undefined;
  }
}
