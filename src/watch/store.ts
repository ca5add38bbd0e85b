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
import type { KeyLine } from '../run/check/key-book.ts';
import { makeFolder } from '../fs/make-folder.ts';
import type { SecretsGate } from '../fs/secrets-gate.ts';
import { WatchError } from './watch-error.ts';
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
 * @param folder an existing folder @throws the file system error
 */
function ringIn(folder: string) {
  const fileOf = (number: number): string =>
    path.join(folder, `traffic-${String(number).padStart(6, '0')}.ndjson`);
  const segments = (): readonly number[] =>
    readdirSync(folder)
      .flatMap((name) => /^traffic-(\d{6,})\.ndjson$/.exec(name)?.[1] ?? [])
      .map(Number)
      .toSorted((a, b) => a - b);
  let segment = segments().at(-1) ?? 1;
  let bytes = statSync(fileOf(segment), { throwIfNoEntry: false })?.size ?? 0;
  return {
    position: (): RingPosition => ({ segment, bytes }),
    /** @throws the file system error */
    append(exchange: Exchange): void {
      if (bytes >= SEGMENT) {
        segment += 1;
        bytes = 0;
        for (const old of segments())
          if (old <= segment - SEGMENTS) rmSync(fileOf(old), { force: true });
      }
      bytes += appendLines(fileOf(segment), [exchange]);
    },
    since(from: RingPosition) {
      const read = segments()
        .filter((one) => one >= from.segment)
        .map((one) => readLines(fileOf(one), one === from.segment ? from.bytes : 0));
      bytes = read.at(-1)?.size ?? bytes;
      return {
        exchanges: read.flatMap(({ exchanges }) => exchanges),
        isTorn: read.some(({ isTorn }) => isTorn),
      };
    },
  };
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
const STORE = 'watch';

/** What a watch has counted so far. */
export interface WatchCounts {
  /** When it was first started, ISO 8601, and how often it was restarted. */
  readonly since: string;
  taken: number;
  /** The highest number of a request. */
  number: number;
  /** Number of requests of clients, whether they got through or not. */
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

/** Deletes the state of a watch. */
export const forgetStore = (output: string): void =>
  rmSync(path.join(output, STORE), { recursive: true, force: true });

/**
 * Saves the state of a watch, so that a killed watch loses nothing: `state.json`, replaced atomically, the exchanges
 * that are evidence, and the ring of the newest ones. State that is damaged or from a version with other requirements is
 * moved aside, because traffic must not wait for it.
 * @returns also the `state` of an earlier watch, and a message if it was moved (`said`)
 * @throws WatchError if it is of another service, or nothing can be written
 */
export function openStore(output: string, baseUrl: string) {
  const folder = path.join(output, STORE);
  const file = (name: string): string => path.join(folder, name);
  const found = stateIn(file('state.json'));
  const state = typeof found === 'string' || found?.baseUrl !== baseUrl ? null : found;
  let said: string | null = null;
  if (typeof found === 'string') {
    const previous = path.join(output, `${STORE}.before`);
    rmSync(previous, { recursive: true, force: true });
    renameSync(folder, previous);
    said = `The state of an earlier watch cannot be used: ${found}. The state was moved to ${previous}.`;
  } else if (found !== null && state === null) {
    // Without traffic, it was probably started for another target by mistake.
    if (found.counts.passed > 0) {
      throw new WatchError(
        'ASSAY_WATCH_STATE',
        `${output} contains the state of a watch of ${found.baseUrl}.`,
        'Choose another folder with --output, or start over with --fresh.',
      );
    }
    forgetStore(output);
  }
  let ring: ReturnType<typeof ringIn>;
  try {
    makeFolder(folder, 0o700);
    ring = ringIn(folder);
  } catch (error) {
    throw new WatchError(
      'ASSAY_WATCH_STORE',
      `Cannot write to ${folder}: ${reasonOf(error)}.`,
      'Choose a writable folder with --output, or free up disk space.',
    );
  }
  return {
    ring,
    state,
    said,
    evidence: (): readonly Exchange[] => readLines(file('evidence.ndjson')).exchanges,
    /** @param evidence exchanges since the last save @throws the file system error */
    save(
      rest: Omit<WatchState, 'watch' | 'tool' | 'spec' | 'baseUrl' | 'judged'>,
      evidence: readonly Exchange[],
    ): void {
      appendLines(file('evidence.ndjson'), evidence);
      const now: WatchState = {
        watch: 2,
        tool: toolVersion(),
        spec: SPEC_SHA256,
        baseUrl,
        judged: ring.position(),
        ...rest,
      };
      const goal = file('state.json');
      writeFileSync(`${goal}.new`, JSON.stringify(now), { mode: 0o600 });
      renameSync(`${goal}.new`, goal);
    },
    /** Deletes files that contain a secret, which should not be possible. */
    async sweep(gate: SecretsGate): Promise<void> {
      for (const name of readdirSync(folder)) {
        if ((await gate.scanFile(file(name))) !== null) rmSync(file(name), { force: true });
      }
    },
  };
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
