import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import path from 'node:path';
import type { Exchange } from '../spec/exchange.ts';
import { readExchange } from '../har/own-exchange.ts';
import { parsedJson } from '../text/json-value.ts';

/** A position between two lines of the ring: number of the file, and offset in bytes. */
export interface RingPosition {
  readonly segment: number;
  readonly bytes: number;
}

/** Size at which the next file starts, bytes, and maximum number of files. */
const SEGMENT = 8 * 1024 * 1024;
const SEGMENTS = 8;

/**
 * The newest redacted exchanges in a ring of files, one exchange per line. `assay check` can read them, and a restarted
 * watch reads the exchanges that were not judged yet.
 */
export class Ring {
  readonly #folder: string;
  #segment: number;
  #bytes: number;

  /** @param folder an existing folder @throws the file system error */
  constructor(folder: string) {
    this.#folder = folder;
    this.#segment = this.#segments().at(-1) ?? 1;
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
      this.#segment += 1;
      this.#bytes = 0;
      for (const old of this.#segments())
        if (old <= this.#segment - SEGMENTS) rmSync(this.#file(old), { force: true });
    }
    this.#bytes += appendLines(this.#file(this.#segment), [exchange]);
  }

  /** The exchanges after a position. */
  since({ segment: first, bytes }: RingPosition) {
    const read = this.#segments()
      .filter((segment) => segment >= first)
      .map((segment) => readLines(this.#file(segment), segment === first ? bytes : 0));
    this.#bytes = read.at(-1)?.size ?? this.#bytes;
    return {
      exchanges: read.flatMap(({ exchanges }) => exchanges),
      isTorn: read.some(({ isTorn }) => isTorn),
    };
  }

  #segments(): readonly number[] {
    return readdirSync(this.#folder)
      .flatMap((name) => /^traffic-(\d{6,})\.ndjson$/.exec(name)?.[1] ?? [])
      .map(Number)
      .toSorted((a, b) => a - b);
  }

  #file(segment: number): string {
    return path.join(this.#folder, `traffic-${String(segment).padStart(6, '0')}.ndjson`);
  }
}

/** Appends exchanges to a file. @returns their size, bytes */
export function appendLines(file: string, exchanges: readonly Exchange[]): number {
  const text = exchanges.map((exchange) => `${JSON.stringify(exchange)}\n`).join('');
  if (text !== '') appendFileSync(file, text, { mode: 0o600 });
  return Buffer.byteLength(text);
}

/**
 * The exchanges in a file after a position. An incomplete last line, which a crash may leave, is removed from the file.
 * @returns also the size of the file in bytes, and whether a line was removed or is not an exchange
 */
export function readLines(file: string, from = 0) {
  const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  const size = bytes.lastIndexOf('\n') + 1;
  if (size < bytes.length) truncateSync(file, size);
  const lines = bytes.toString('utf8', from, Math.max(from, size)).split('\n');
  const read = lines.filter((line) => line !== '').map((line) => readExchange(parsedJson(line)));
  const exchanges = read.filter((exchange) => exchange !== undefined);
  return { exchanges, size, isTorn: size < bytes.length || exchanges.length < read.length };
}
