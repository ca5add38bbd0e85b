import { isObject, parsedJson } from '../../text/json-value.ts';
import { numberOf, type Exchange } from '../../spec/exchange.ts';
import { readExchange } from '../../har/own-exchange.ts';
import type { JournalLine } from '../../http/record/journal-writer.ts';
import type { KnownRun } from '../../http/record/known-answers.ts';
import { JournalError, journalLines, type JournalHeader } from './journal.ts';

/** The content of a journal. */
export type ReadJournal = Awaited<ReturnType<typeof readJournal>>;

/**
 * Reads a journal. A truncated last line is ignored; any other invalid line makes the journal unusable.
 * @returns also how often the run was `resumed`, and the time of the last line (`lastAt`, epoch ms)
 * @throws JournalError when it cannot be read or is not a journal
 */
export async function readJournal(file: string, mode: KnownRun['mode'] = 'resume') {
  const { lines, bytes } = await journalLines(file);
  const [first = '', ...rest] = lines;
  const header = headerIn(first);
  if (header === undefined) throw damaged(file, 1);
  const entries = new Map<string, Entry>();
  /** Exchanges of open sequences, by number. */
  const open = new Map<number, string[]>();
  /** Exchanges of complete sequences, and of incomplete ones. */
  const [whole, broken] = [new Set<string>(), new Set<string>()];
  let [resumed, waitedMs, advances] = [0, 0, 0];
  /** Clock advances in the open sequence. */
  let openAdvances = 0;
  let probesLeft: number | undefined;
  for (const [index, text] of rest.entries()) {
    const line = parsedJson(text) as JournalLine | null | undefined;
    switch (line?.type) {
      case 'sent':
      case 'answer': {
        const exchange = readExchange(line.exchange);
        if (exchange === undefined || typeof line.waitedMs !== 'number') {
          throw damaged(file, index + 2);
        }
        entries.set(exchange.id, { exchange, part: resumed });
        if (exchange.sequence !== undefined) open.get(exchange.sequence)?.push(exchange.id);
        waitedMs = Math.max(waitedMs, line.waitedMs);
        break;
      }
      case 'advance':
        if (line.sequence === undefined) advances += 1;
        else openAdvances += 1;
        break;
      case 'sequence': {
        // A sequence that begins again was interrupted before: its requests are repeated.
        const isBegin = line.state === 'begin';
        for (const id of open.get(line.number) ?? []) (isBegin ? broken : whole).add(id);
        if (isBegin) open.set(line.number, []);
        else {
          open.delete(line.number);
          advances += openAdvances;
        }
        openAdvances = 0;
        break;
      }
      case 'probes':
        probesLeft = line.left;
        break;
      case 'resumed':
        resumed += 1;
        break;
      default:
        throw damaged(file, index + 2);
    }
  }
  for (const id of [...open.values()].flat()) broken.add(id);
  const inOrder = [...entries.values()].toSorted(
    (a, b) => numberOf(a.exchange.id) - numberOf(b.exchange.id),
  );
  for (const id of tailOf(inOrder, resumed, whole)) broken.add(id);
  const exchanges = inOrder.map(({ exchange }): Exchange => {
    if (!broken.has(exchange.id)) return exchange;
    const { sequence: _sequence, ...kept } = exchange;
    // Recorded but not reused.
    return { ...kept, purpose: 'interrupted' };
  });
  const { salt, keys, startedAt } = header;
  const lastAt = Math.max(Date.parse(startedAt), ...exchanges.map((one) => one.receivedAt));
  const probes = probesLeft === undefined ? {} : { probesLeft };
  const known: KnownRun = {
    mode,
    exchanges,
    advances,
    waitedMs,
    ...probes,
    salt,
    keys,
    foreign: false,
  };
  return { header, known, resumed, lastAt, bytes };
}

function damaged(file: string, line: number): JournalError {
  return new JournalError(
    `${file} is not a valid journal: line ${line} cannot be read.`,
    'Start a new run without --resume.',
  );
}

function headerIn(line: string): JournalHeader | undefined {
  const value = parsedJson(line);
  if (!isObject(value) || value['journal'] !== 1) return undefined;
  if (typeof value['settings'] !== 'object') return undefined;
  const texts = ['tool', 'spec', 'baseUrl', 'profile', 'salt', 'startedAt', 'headers'];
  if (texts.some((name) => typeof value[name] !== 'string')) return undefined;
  if (typeof value['seed'] !== 'number' || typeof value['keys'] !== 'object') return undefined;
  if (value['wrong'] !== undefined && !Array.isArray(value['wrong'])) return undefined;
  return value as unknown as JournalHeader;
}

/** A recorded request, and the part of the run that sent it; 0 before the run was first resumed. */
type Entry = { readonly exchange: Exchange; readonly part: number };

/**
 * Requests to repeat: those that were aborted, and, at the end of each part of the run, those without an answer or with
 * 503 or 429, which ended that part.
 */
function tailOf(
  entries: readonly Entry[],
  resumed: number,
  whole: ReadonlySet<string>,
): ReadonlySet<string> {
  const aborted = entries.filter(({ exchange }) => exchange.error?.kind === 'aborted');
  const tail = new Set(aborted.map(({ exchange }) => exchange.id));
  for (let part = 0; part <= resumed; part += 1) {
    const own = entries.filter((entry) => entry.part === part);
    for (const { exchange } of own.toReversed()) {
      if (exchange.purpose !== undefined || whole.has(exchange.id)) continue;
      const status = exchange.response?.status ?? 503;
      if (status !== 503 && status !== 429) break;
      tail.add(exchange.id);
    }
  }
  return tail;
}
