import type { Onlooker } from './raw-exchange.ts';

/** Bodies beyond this are passed on and not judged, bytes as sent. */
export const MAX_BODY = 8 * 1024 * 1024;

/** The body of one answer as it passes, kept for the judge as long as there is room. */
export class BodyCopy {
  readonly #onlooker: Onlooker;
  #parts: Buffer[] | null = [];
  #bytes = 0;
  #kept = 0;

  constructor(onlooker: Onlooker) {
    this.#onlooker = onlooker;
  }

  add(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#parts === null) return;
    if (this.#bytes > MAX_BODY || !this.#onlooker.keep(part.length)) {
      this.drop();
      return;
    }
    this.#kept += part.length;
    this.#parts.push(part);
  }

  /** The whole body, null when it was not kept, and its size. A copy, which can be handed to another thread. */
  taken(): { readonly body: Uint8Array | null; readonly bytes: number } {
    const body = this.#parts === null ? null : joined(this.#parts, this.#bytes);
    this.drop();
    return { body, bytes: this.#bytes };
  }

  /** Lets go of what was kept. */
  drop(): void {
    if (this.#kept > 0) this.#onlooker.release(this.#kept);
    this.#kept = 0;
    this.#parts = null;
  }
}

/** What arrives lies in memory that others use, too. */
function joined(parts: readonly Buffer[], bytes: number): Uint8Array {
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
