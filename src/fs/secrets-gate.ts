import { createReadStream } from 'node:fs';
import { inflateRawSync } from 'node:zlib';
import { OVERLAP, SecretScan, type Leak, type Secret } from '../text/secret-scan.ts';

/** Maximum size of unpacked page data. */
const MAX_CHUNK = 64 * 1024 * 1024;
/** Bytes of a file read at once. */
const PIECE = 512 * 1024;

/** The compressed data of a page, after its tag. Without a lookbehind, which would be tried at every character of an artifact. */
const DATA = /(<template data-chunk="[\w-]{1,20}">)([A-Za-z0-9+/=]+)(?=<\/template>)/g;

/**
 * The last defence against keys in artifacts. Recorded data is already redacted elsewhere; this scans what is about to be
 * written, including the compressed data of a page.
 */
export class SecretsGate {
  readonly #secrets: SecretScan;

  constructor(secrets: readonly Secret[]) {
    this.#secrets = new SecretScan(secrets);
  }

  /** The first secret found in an artifact; null when it is clean. */
  scan(artifact: string): Leak | null {
    let found: Leak | null = null;
    const text = artifact.replaceAll(DATA, (_, tag: string, base64: string) => {
      found ??= this.#scanChunk(base64);
      return tag;
    });
    return found ?? this.#secrets.scan(text);
  }

  /** The same for a file. @throws the error of the file system */
  async scanFile(path: string): Promise<Leak | null> {
    let kept = '';
    for await (const piece of createReadStream(path, { encoding: 'utf8', highWaterMark: PIECE })) {
      const text = kept + String(piece);
      const leak = this.#secrets.scan(text);
      if (leak !== null) return leak;
      kept = text.slice(-OVERLAP);
    }
    return null;
  }

  #scanChunk(base64: string): Leak | null {
    let json: string;
    try {
      const packed = Buffer.from(base64, 'base64');
      json = inflateRawSync(packed, { maxOutputLength: MAX_CHUNK }).toString('utf8');
    } catch {
      // Not our data: scan it as text.
      return this.#secrets.scan(base64);
    }
    const leak = this.#secrets.scan(json);
    return leak && { ...leak, encoding: `${leak.encoding}, inside compressed data` };
  }
}
