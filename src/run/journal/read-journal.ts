import { isObject } from '../../text/json-value.ts';
import { numberOf, type Exchange } from '../../spec/exchange.ts';
import { readExchange } from '../../har/own-exchange.ts';
import type { JournalLine } from '../../http/record/journal-writer.ts';
import type { KnownRun } from '../../http/record/known-answers.ts';
import { journalLines, type JournalHeader } from './journal.ts';
import { JournalError } from './journal-errors.ts';

/** The content of a journal. */
export interface ReadJournal {
  readonly header: JournalHeader;
  readonly known: KnownRun;
  /** How often the run was resumed. */
  readonly resumed: number;
  /** Time of the last line, epoch ms. */
  readonly lastAt: number;
  readonly bytes: number;
}

/**
 * Reads a journal. A truncated last line is ignored; any other invalid line makes the journal unusable.
 * @throws JournalError when it cannot be read or is not a journal
 */
export async function readJournal(
  file: string,
  mode: KnownRun['mode'] = 'resume',
): Promise<ReadJournal> {
  const { lines, bytes } = await journalLines(file);
  const [first = '', ...rest] = lines;
  const header = headerIn(first);
  if (header === undefined) throw damaged(file, 1);
  const state = new State();
  for (const [index, line] of rest.entries()) {
    if (!state.take(line)) throw damaged(file, index + 2);
  }
  const known = state.known(header, mode);
  const lastAt = known.exchanges.reduce(
    (latest, { receivedAt }) => Math.max(latest, receivedAt),
    Date.parse(header.startedAt),
  );
  return { header, known, resumed: state.resumed, lastAt, bytes };
}

function damaged(file: string, line: number): JournalError {
  return new JournalError(
    `${file} is not a valid journal: line ${line} cannot be read.`,
    'Start a new run without --resume.',
  );
}

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function headerIn(line: string): JournalHeader | undefined {
  const value = parsed(line);
  if (value?.['journal'] !== 1 || typeof value['settings'] !== 'object') return undefined;
  const texts = ['tool', 'spec', 'baseUrl', 'profile', 'salt', 'startedAt', 'headers'];
  if (texts.some((name) => typeof value[name] !== 'string')) return undefined;
  if (typeof value['seed'] !== 'number' || typeof value['keys'] !== 'object') return undefined;
  if (value['wrong'] !== undefined && !Array.isArray(value['wrong'])) return undefined;
  return value as unknown as JournalHeader;
}

/** A recorded request, and the part of the run that sent it; 0 before the run was first resumed. */
type Entry = { readonly exchange: Exchange; readonly part: number };

class State {
  resumed = 0;
  readonly #entries = new Map<string, Entry>();
  readonly #open = new Map<number, string[]>();
  readonly #whole = new Set<string>();
  readonly #broken = new Set<string>();
  #advances = 0;
  /** Clock advances in the open sequence. */
  #openAdvances = 0;
  #waitedMs = 0;
  #probesLeft: number | undefined;

  /** False for an invalid line. */
  take(text: string): boolean {
    const line = parsed(text) as JournalLine | undefined;
    switch (line?.type) {
      case 'sent':
      case 'answer': {
        const exchange = readExchange(line.exchange);
        if (exchange === undefined || typeof line.waitedMs !== 'number') return false;
        this.#entries.set(exchange.id, { exchange, part: this.resumed });
        if (exchange.sequence !== undefined) this.#open.get(exchange.sequence)?.push(exchange.id);
        this.#waitedMs = Math.max(this.#waitedMs, line.waitedMs);
        return true;
      }
      case 'advance':
        if (line.sequence === undefined) this.#advances += 1;
        else this.#openAdvances += 1;
        return true;
      case 'sequence':
        this.#sequence(line.number, line.state);
        return true;
      case 'probes':
        this.#probesLeft = line.left;
        return true;
      case 'resumed':
        this.resumed += 1;
        return true;
      default:
        return false;
    }
  }

  /** A sequence that begins again was interrupted before: its requests are repeated. */
  #sequence(number: number, state: 'begin' | 'end'): void {
    const into = state === 'end' ? this.#whole : this.#broken;
    for (const id of this.#open.get(number) ?? []) into.add(id);
    if (state === 'begin') this.#open.set(number, []);
    else this.#open.delete(number);
    if (state === 'end') this.#advances += this.#openAdvances;
    this.#openAdvances = 0;
  }

  known(header: JournalHeader, mode: KnownRun['mode']): KnownRun {
    const entries = [...this.#entries.values()].toSorted(
      (a, b) => numberOf(a.exchange.id) - numberOf(b.exchange.id),
    );
    for (const id of [...this.#open.values()].flat()) this.#broken.add(id);
    const tail = this.#tail(entries);
    return {
      mode,
      exchanges: entries.map(({ exchange }) =>
        this.#broken.has(exchange.id) || tail.has(exchange.id) ? askedAgain(exchange) : exchange,
      ),
      advances: this.#advances,
      waitedMs: this.#waitedMs,
      ...(this.#probesLeft === undefined ? {} : { probesLeft: this.#probesLeft }),
      salt: header.salt,
      keys: header.keys,
      foreign: false,
    };
  }

  /**
   * Trailing requests of each part of the run without an answer, or with 503 or 429: they ended that part and are repeated.
   */
  #tail(entries: readonly Entry[]): ReadonlySet<string> {
    const tail = new Set<string>();
    for (let part = 0; part <= this.resumed; part += 1) {
      const own = entries.filter((entry) => entry.part === part);
      for (const { exchange } of own.toReversed()) {
        if (exchange.purpose !== undefined || this.#whole.has(exchange.id)) continue;
        const status = exchange.response?.status ?? 503;
        if (status !== 503 && status !== 429) break;
        tail.add(exchange.id);
      }
    }
    // Aborted requests are repeated, wherever they are.
    for (const { exchange } of entries) {
      if (exchange.error?.kind === 'aborted') tail.add(exchange.id);
    }
    return tail;
  }
}

/** An exchange that is recorded but not reused. */
function askedAgain({ sequence: _sequence, ...rest }: Exchange): Exchange {
  return { ...rest, purpose: 'interrupted' };
}
