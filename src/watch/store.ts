import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { Exchange, KeyRole } from '../spec/exchange.ts';
import { reasonOf } from '../http/record/journal-writer.ts';
import { SPEC_SHA256 } from '../requirements/clauses.ts';
import type { LedgerDump } from '../run/check/traffic-ledger.ts';
import { toolVersion } from '../run/version.ts';
import type { KeyLine } from './key-book.ts';
import { exchangeIn, Ring, wholeLines, type RingPosition } from './ring.ts';
import { makeFolder } from '../fs/make-folder.ts';
import type { SecretsGate } from '../fs/secrets-gate.ts';
import { WatchError } from './watch-error.ts';

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
  readonly byRole: Partial<Record<KeyRole, number>>;
  readonly statuses: Record<string, number>;
  /** Exchanges that were not judged, by reason. */
  readonly leftOut: Record<string, number>;
}

/** State of a watch, without exchanges and keys. */
export interface WatchState extends Readonly<WatchCounts> {
  readonly watch: 1;
  readonly tool: string;
  readonly spec: string;
  readonly baseUrl: string;
  /** Salt of the fingerprints: with the same salt, equal keys have equal fingerprints. */
  readonly salt: string;
  /** Everything after this position in the ring is not judged yet. */
  readonly judged: RingPosition;
  readonly ledger: LedgerDump;
  readonly keys: readonly KeyLine[];
  readonly forgotten: number;
}

/** A store, with the state of an earlier watch. */
export interface Opened {
  readonly store: Store;
  readonly state: WatchState | null;
  /** A message for the user, if any. */
  readonly said: string | null;
}

/**
 * Saves the state of a watch, so that a killed watch loses nothing: `state.json`, replaced atomically, the exchanges
 * that are evidence, and the ring of the newest ones.
 */
export class Store {
  readonly ring: Ring;
  readonly #folder: string;

  /** @throws WatchError if the folder cannot be created */
  constructor(output: string) {
    this.#folder = path.join(output, STORE);
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

  /** Deletes the state of an earlier watch. */
  static forget(output: string): void {
    rmSync(path.join(output, STORE), { recursive: true, force: true });
  }

  /**
   * The state of an earlier watch. State that is damaged or from a version with other requirements is moved aside,
   * because traffic must not wait for it.
   * @throws WatchError if it is of another service, or nothing can be written
   */
  static open(output: string, baseUrl: string): Opened {
    const found = stateIn(output);
    let said: string | null = null;
    if (typeof found === 'string') {
      const previous = path.join(output, `${STORE}.before`);
      rmSync(previous, { recursive: true, force: true });
      renameSync(path.join(output, STORE), previous);
      said = `The state of an earlier watch cannot be used: ${found}. The state was moved to ${previous}.`;
    } else if (found?.baseUrl === baseUrl) {
      return { store: new Store(output), state: found, said };
    } else if (found !== null) {
      // Without traffic, it was probably started for another target by mistake.
      if (found.passed > 0) {
        throw new WatchError(
          'ASSAY_WATCH_STATE',
          `${output} contains the state of a watch of ${found.baseUrl}.`,
          'Choose another folder with --output, or start over with --fresh.',
        );
      }
      Store.forget(output);
    }
    return { store: new Store(output), state: null, said };
  }

  /** The saved evidence. An incomplete line is dropped. */
  evidence(): readonly Exchange[] {
    return wholeLines(this.#evidenceFile).lines.flatMap((line) => exchangeIn(line) ?? []);
  }

  /** @param evidence exchanges since the last save @throws the file system error */
  save(state: WatchState, evidence: readonly Exchange[]): void {
    if (evidence.length > 0) {
      const lines = evidence.map((exchange) => `${JSON.stringify(exchange)}\n`);
      appendFileSync(this.#evidenceFile, lines.join(''), { mode: 0o600 });
    }
    const file = path.join(this.#folder, 'state.json');
    writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }

  /** Deletes files that contain a secret, which should not be possible. */
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

/** The state in a folder; null if there is none, or a text that says why it cannot be used. */
function stateIn(output: string): WatchState | string | null {
  const file = path.join(output, STORE, 'state.json');
  if (!existsSync(file)) return null;
  try {
    const state = JSON.parse(readFileSync(file, 'utf8')) as WatchState | null;
    if (state?.watch !== 1) return 'the file does not contain the state of a watch';
    return state.tool === toolVersion() && state.spec === SPEC_SHA256
      ? state
      : `it was written by version ${state.tool}, whose requirements may differ`;
  } catch (error) {
    return `it cannot be read: ${reasonOf(error)}`;
  }
}
