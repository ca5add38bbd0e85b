import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { Exchange, KeyRole } from '../contract/exchange.ts';
import { reasonOf } from '../http/journal-writer.ts';
import { SPEC_SHA256 } from '../requirements/clauses.ts';
import type { LedgerDump } from '../run/traffic-ledger.ts';
import { toolVersion } from '../run/version.ts';
import type { KeyLine } from './key-book.ts';
import { exchangeIn, Ring, type RingPlace } from './ring.ts';
import type { SecretsGate } from '../report/secrets-gate.ts';
import { WatchError } from './watch-error.ts';

/** Folder within that of the reports. */
export const STORE = 'watch';

/** What is known of a watch, without its exchanges. Holds no key. */
export interface WatchState {
  readonly watch: 1;
  readonly tool: string;
  readonly spec: string;
  readonly baseUrl: string;
  /** Salt of the fingerprints: with the same one, the same keys have the same. */
  readonly salt: string;
  /** When it was begun, ISO 8601, and how often it was taken up since. */
  readonly since: string;
  readonly taken: number;
  /** The last number of a request. */
  readonly number: number;
  /** Everything behind this place in the ring is not judged yet. */
  readonly judged: RingPlace;
  readonly ledger: LedgerDump;
  readonly passed: number;
  readonly byRole: Readonly<Partial<Record<KeyRole, number>>>;
  readonly statuses: Readonly<Record<string, number>>;
  readonly leftOut: Readonly<Record<string, number>>;
  readonly keys: readonly KeyLine[];
  readonly forgotten: number;
}

/**
 * Where a watch keeps what it knows, so that nothing is lost when it is killed: `state.json`, replaced as a whole, the
 * exchanges that are evidence, and the ring of the newest ones.
 */
export class Store {
  readonly ring: Ring;
  readonly #folder: string;

  /** @throws WatchError when the folder cannot be made */
  constructor(output: string) {
    this.#folder = path.join(output, STORE);
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      this.ring = new Ring(this.#folder);
    } catch (error) {
      throw new WatchError(
        'ASSAY_WATCH_STORE',
        `${this.#folder} cannot be written to: ${reasonOf(error)}.`,
        'Name a folder that can be written with --output, or make room on the disk.',
      );
    }
  }

  /** Forgets what an earlier watch left behind. */
  static forget(output: string): void {
    rmSync(path.join(output, STORE), { recursive: true, force: true });
  }

  /**
   * What an earlier watch left behind; null when there was none.
   * @throws WatchError when it was of another service, or cannot be read
   */
  load(baseUrl: string): WatchState | null {
    const file = path.join(this.#folder, 'state.json');
    if (!existsSync(file)) return null;
    let state: WatchState;
    try {
      state = JSON.parse(readFileSync(file, 'utf8')) as WatchState;
    } catch (error) {
      throw unusable(file, `it cannot be read: ${reasonOf(error)}`);
    }
    if (state.watch !== 1) throw unusable(file, 'it is no state of `assay watch`');
    if (state.baseUrl !== baseUrl) throw unusable(file, `it is about ${state.baseUrl}`);
    if (state.tool !== toolVersion() || state.spec !== SPEC_SHA256) {
      throw unusable(file, `it was written by version ${state.tool}, whose requirements differ`);
    }
    return state;
  }

  /** The exchanges that were kept as evidence. A line that was cut off is dropped. */
  evidence(): readonly Exchange[] {
    const file = this.#evidenceFile;
    if (!existsSync(file)) return [];
    const text = readFileSync(file, 'utf8');
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    if (whole.length < text.length) truncateSync(file, Buffer.byteLength(whole));
    return whole.split('\n').flatMap((line) => (line === '' ? [] : (exchangeIn(line) ?? [])));
  }

  /** @param evidence exchanges that are kept since the last time @throws the error of the file system */
  save(state: WatchState, evidence: readonly Exchange[]): void {
    if (evidence.length > 0) {
      const lines = evidence.map((exchange) => `${JSON.stringify(exchange)}\n`);
      appendFileSync(this.#evidenceFile, lines.join(''), { mode: 0o600 });
    }
    const file = path.join(this.#folder, 'state.json');
    writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }

  /** Removes files that hold a secret, which should never have come this far. */
  async sweep(gate: SecretsGate): Promise<void> {
    for (const name of readdirSync(this.#folder)) {
      const file = path.join(this.#folder, name);
      if ((await gate.scanFile(file)) !== null) rmSync(file, { force: true });
    }
  }

  get #evidenceFile(): string {
    return path.join(this.#folder, 'evidence.ndjson');
  }
}

function unusable(file: string, why: string): WatchError {
  return new WatchError(
    'ASSAY_WATCH_STATE',
    `What an earlier watch left in ${file} cannot be taken up: ${why}.`,
    'Name another folder with --output, or begin anew in this one with --fresh.',
  );
}
