import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { Exchange, KeyRole } from '../spec/exchange.ts';
import { reasonOf } from '../http/record/journal-writer.ts';
import { SPEC_SHA256 } from '../requirements/clauses.ts';
import type { LedgerDump } from '../run/check/traffic-ledger.ts';
import { toolVersion } from '../run/version.ts';
import type { KeyLine } from './key-book.ts';
import { exchangeIn, Ring, type RingPlace } from './ring.ts';
import { makeFolder } from '../fs/make-folder.ts';
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

/** A store, with what an earlier watch left in it. */
export interface Opened {
  readonly store: Store;
  readonly state: WatchState | null;
  /** What a person should know; null when nothing. */
  readonly said: string | null;
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
      makeFolder(this.#folder, 0o700);
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
   * What an earlier watch left behind, and where to go on. What cannot be used, because it is damaged or of a version with
   * other requirements, is set aside: a service must not stay down for it.
   * @throws WatchError when it is about another service, or nothing can be written
   */
  static open(output: string, baseUrl: string): Opened {
    const state = stateIn(output);
    if (state === null) return { store: new Store(output), state: null, said: null };
    const why =
      typeof state === 'string'
        ? state
        : state.tool === toolVersion() && state.spec === SPEC_SHA256
          ? null
          : `version ${state.tool} wrote it, whose requirements may differ`;
    if (why !== null || typeof state === 'string') {
      const aside = path.join(output, `${STORE}.before`);
      rmSync(aside, { recursive: true, force: true });
      renameSync(path.join(output, STORE), aside);
      const said = `What an earlier watch knew cannot be taken up: ${why}. It is now in ${aside}.`;
      return { store: new Store(output), state: null, said };
    }
    if (state.baseUrl === baseUrl) return { store: new Store(output), state, said: null };
    // Started for another target by mistake, and nothing passed.
    if (state.passed === 0) {
      Store.forget(output);
      return { store: new Store(output), state: null, said: null };
    }
    throw new WatchError(
      'ASSAY_WATCH_STATE',
      `${output} holds what a watch of ${state.baseUrl} knows.`,
      'Name another folder with --output, or begin anew in this one with --fresh.',
    );
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

/** The state in a folder; null when there is none, a text that says why it cannot be used. */
function stateIn(output: string): WatchState | string | null {
  const file = path.join(output, STORE, 'state.json');
  if (!existsSync(file)) return null;
  try {
    const state = JSON.parse(readFileSync(file, 'utf8')) as WatchState | null;
    return state?.watch === 1 ? state : 'it is no state of a watch';
  } catch (error) {
    return `it cannot be read: ${reasonOf(error)}`;
  }
}
