import type { Onlooker } from './raw-exchange.ts';

/** Larger bodies are forwarded but not judged, bytes as sent. */
export const MAX_BODY = 8 * 1024 * 1024;

/** Copies the body of an answer for the judge, within a budget. */
export class BodyCopy {
  readonly #onlooker: Onlooker;
  #parts: Buffer[] | null = [];
  #kept = 0;

  constructor(onlooker: Onlooker) {
    this.#onlooker = onlooker;
  }

  add(part: Buffer): void {
    if (this.#parts === null) return;
    if (this.#kept + part.length > MAX_BODY || !this.#onlooker.keep(part.length)) {
      this.drop();
      return;
    }
    this.#kept += part.length;
    this.#parts.push(part);
  }

  /** The complete body, as a copy that can be transferred to another thread; null if it was not kept. */
  taken(): Uint8Array | null {
    const body = this.#parts === null ? null : new Uint8Array(Buffer.concat(this.#parts));
    this.drop();
    return body;
  }

  /** Releases the copy. */
  drop(): void {
    if (this.#kept > 0) this.#onlooker.release(this.#kept);
    this.#kept = 0;
    this.#parts = null;
  }
}
