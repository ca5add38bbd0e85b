import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  appendFileSync,
  statSync,
  truncateSync,
} from 'node:fs';
import path from 'node:path';
import type { Exchange } from '../spec/exchange.ts';
import { reasonOf } from '../http/record/journal-writer.ts';
import { SPEC_SHA256 } from '../requirements/clauses.ts';
import type { LedgerDump } from '../run/check/traffic-ledger.ts';
import { toolVersion } from '../run/version.ts';
import type { KeyLine } from './key-book.ts';
import { makeFolder } from '../fs/make-folder.ts';
import type { SecretsGate } from '../fs/secrets-gate.ts';
import { WatchError } from './watch-error.ts';
import { readExchange } from '../har/own-exchange.ts';
import { parsedJson } from '../text/json-value.ts';

/** A position between two lines of the ring: number of the file, and offset in bytes. */
interface RingPosition {
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
class Ring {
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
function appendLines(file: string, exchanges: readonly Exchange[]): number {
  const text = exchanges.map((exchange) => `${JSON.stringify(exchange)}\n`).join('');
  if (text !== '') appendFileSync(file, text, { mode: 0o600 });
  return Buffer.byteLength(text);
}

/**
 * The exchanges in a file after a position. An incomplete last line, which a crash may leave, is removed from the file.
 * @returns also the size of the file in bytes, and whether a line was removed or is not an exchange
 */
function readLines(file: string, from = 0) {
  const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  const size = bytes.lastIndexOf('\n') + 1;
  if (size < bytes.length) truncateSync(file, size);
  const lines = bytes.toString('utf8', from, Math.max(from, size)).split('\n');
  const read = lines.filter((line) => line !== '').map((line) => readExchange(parsedJson(line)));
  const exchanges = read.filter((exchange) => exchange !== undefined);
  return { exchanges, size, isTorn: size < bytes.length || exchanges.length < read.length };
}

/** Folder within the output folder. */
export const STORE = 'watch';

/** What a watch has counted so far. */
export interface WatchCounts {
  /** When it was first started, ISO 8601, and how often it was restarted. */
  readonly since: string;
  taken: number;
  /** The highest number of a request. */
  number: number;
  /** Number of forwarded exchanges. */
  passed: number;
  readonly statuses: Record<string, number>;
  /** Exchanges that were not judged, by reason. */
  readonly leftOut: Record<string, number>;
}

/** State of a watch, without exchanges and keys. */
export interface WatchState {
  readonly watch: 2;
  readonly tool: string;
  readonly spec: string;
  readonly baseUrl: string;
  /** Salt of the fingerprints: with the same salt, equal keys have equal fingerprints. */
  readonly salt: string;
  /** Everything after this position in the ring is not judged yet. */
  readonly judged: RingPosition;
  readonly ledger: LedgerDump;
  readonly counts: WatchCounts;
  readonly keys: readonly KeyLine[];
  readonly forgotten: number;
}

/**
 * Saves the state of a watch, so that a killed watch loses nothing: `state.json`, replaced atomically, the exchanges
 * that are evidence, and the ring of the newest ones.
 */
export class Store {
  readonly ring: Ring;
  /** The state of an earlier watch. */
  readonly state: WatchState | null;
  readonly said: string | null = null;
  readonly #folder: string;
  readonly #baseUrl: string;

  /**
   * Opens the state of an earlier watch. State that is damaged or from a version with other requirements is moved aside,
   * because traffic must not wait for it.
   * @throws WatchError if it is of another service, or nothing can be written
   */
  constructor(output: string, baseUrl: string) {
    this.#folder = path.join(output, STORE);
    this.#baseUrl = baseUrl;
    const found = stateIn(this.#file('state.json'));
    this.state = typeof found === 'string' || found?.baseUrl !== baseUrl ? null : found;
    if (typeof found === 'string') {
      const previous = path.join(output, `${STORE}.before`);
      rmSync(previous, { recursive: true, force: true });
      renameSync(this.#folder, previous);
      this.said = `The state of an earlier watch cannot be used: ${found}. The state was moved to ${previous}.`;
    } else if (found !== null && this.state === null) {
      // Without traffic, it was probably started for another target by mistake.
      if (found.counts.passed > 0) {
        throw new WatchError(
          'ASSAY_WATCH_STATE',
          `${output} contains the state of a watch of ${found.baseUrl}.`,
          'Choose another folder with --output, or start over with --fresh.',
        );
      }
      Store.forget(output);
    }
    try {
      makeFolder(this.#folder, 0o700);
      this.ring = new Ring(this.#folder);
    } catch (error) {
      throw new WatchError(
        'ASSAY_WATCH_STORE',
        `Cannot write to ${this.#folder}: ${reasonOf(error)}.`,
        'Choose a writable folder with --output, or free up disk space.',
      );
    }
  }

  static forget(output: string): void {
    rmSync(path.join(output, STORE), { recursive: true, force: true });
  }

  evidence(): readonly Exchange[] {
    return readLines(this.#file('evidence.ndjson')).exchanges;
  }

  /** @param evidence exchanges since the last save @throws the file system error */
  save(
    rest: Omit<WatchState, 'watch' | 'tool' | 'spec' | 'baseUrl' | 'judged'>,
    evidence: readonly Exchange[],
  ): void {
    appendLines(this.#file('evidence.ndjson'), evidence);
    const state: WatchState = {
      watch: 2,
      tool: toolVersion(),
      spec: SPEC_SHA256,
      baseUrl: this.#baseUrl,
      judged: this.ring.position,
      ...rest,
    };
    const file = this.#file('state.json');
    writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }

  /** Deletes files that contain a secret, which should not be possible. */
  async sweep(gate: SecretsGate): Promise<void> {
    for (const name of readdirSync(this.#folder)) {
      const file = this.#file(name);
      if ((await gate.scanFile(file)) !== null) rmSync(file, { force: true });
    }
  }

  #file(name: string): string {
    return path.join(this.#folder, name);
  }
}

/** The state in a file; null if there is none, or a text that says why it cannot be used. */
function stateIn(file: string): WatchState | string | null {
  if (!existsSync(file)) return null;
  try {
    const state = JSON.parse(readFileSync(file, 'utf8')) as WatchState | null;
    if (state?.watch !== 2) return 'the file does not contain the state of a watch';
    return state.tool === toolVersion() && state.spec === SPEC_SHA256
      ? state
      : `it was written by version ${state.tool}, whose requirements may differ`;
  } catch (error) {
    return `it cannot be read: ${reasonOf(error)}`;
  }
}
