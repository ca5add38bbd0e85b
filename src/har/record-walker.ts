import { TokenType } from '@streamparser/json';
import { isObject } from '../text/json-value.ts';

/** A token of the text and where it begins, bytes from the start without a byte order mark. */
export interface Token {
  readonly token: TokenType;
  readonly value: unknown;
  readonly offset: number;
}

/** A recorded item as it stands in the file, not judged in any way. */
export interface RawRecord {
  /** 1 for the first of the file. */
  readonly entry: number;
  /** Where it begins, bytes. */
  readonly offset: number;
  readonly value: unknown;
}

/** What a file says about itself besides its records. Values of any type: the file is not trusted. */
export interface FileHead {
  readonly creator: unknown;
  /** `log._assay` of a HAR, or the top level of results.json. */
  readonly run: unknown;
}

/** The text breaks the rules of JSON or of the formats that are read, at this byte. */
export class WalkError extends Error {
  readonly offset: number;
  readonly hint: string | undefined;
  constructor(message: string, offset: number, hint?: string) {
    super(message);
    this.name = 'WalkError';
    this.offset = offset;
    this.hint = hint;
  }
}

type Container = Record<string, unknown> | unknown[];

interface Frame {
  readonly isArray: boolean;
  /** What is built here; null where nothing is kept. */
  readonly built: Container | null;
  /** How members are dealt with: all kept, those of the list kept, or each a record. */
  readonly members: 'all' | readonly string[] | 'records';
  key: string;
  expects: 'first' | 'key' | 'colon' | 'value' | 'next';
}

/** No recording is nested deeper than a dozen levels; bodies are texts. */
const MAX_DEPTH = 64;
/** A single entry of more bytes is a download, not an answer of a service. */
const MAX_RECORD_BYTES = 100 * 1024 * 1024;

const LOG_MEMBERS = ['creator', '_assay', 'entries'];
/** Members of results.json that are read; those of an exchange or a HAR entry that stands on a line of its own. */
const TOP_MEMBERS = [
  'log',
  'exchanges',
  'target',
  'facts',
  'tool',
  'id',
  'endpoint',
  'pathParameters',
  'role',
  'key',
  'request',
  'response',
  'error',
  'sentAt',
  'receivedAt',
  'skewMs',
  'attempt',
  'startedDateTime',
  'time',
  'timings',
  'cache',
  'comment',
  '_assay',
  '_resourceType',
  '_fromCache',
  '_fetchedViaServiceWorker',
  '_webSocketMessages',
];

/**
 * Takes the tokens of a file and gives its records, holding one of them at a time: the elements of `log.entries`, of
 * `exchanges`, or of a list, or each line. Objects are built without a prototype, so that no member name is special.
 */
export class RecordWalker {
  /** Records that were completed and not yet taken. */
  readonly records: RawRecord[] = [];
  creator: unknown;
  run: unknown;
  readonly #stack: Frame[] = [];
  #entries = 0;
  #recordStart: number | null = null;
  #documentStart = 0;
  #lists = 0;
  #logs = 0;

  get head(): FileHead {
    return { creator: this.creator, run: this.run };
  }

  /** Records seen so far. */
  get entries(): number {
    return this.#entries;
  }

  /** True between two values of the top level. */
  get isBetween(): boolean {
    return this.#stack.length === 0;
  }

  /** The entry that is being read, in words, for messages about a file that ends too early. */
  get place(): string {
    if (this.#recordStart !== null) return `in entry ${this.#entries + 1}`;
    return this.#entries > 0 ? `after entry ${this.#entries}` : 'before the first entry';
  }

  /** True when some list of records was seen, be it empty. */
  get sawList(): boolean {
    return this.#lists > 0;
  }

  /** @throws WalkError when the token cannot stand here */
  take({ token, value, offset }: Token): void {
    const start = this.#recordStart;
    if (start !== null && offset - start > MAX_RECORD_BYTES)
      throw tooLarge(this.#entries + 1, start);
    const frame = this.#stack.at(-1);
    switch (token) {
      case TokenType.COLON:
        if (frame?.expects !== 'colon') throw unexpected(':', offset);
        frame.expects = 'value';
        return;
      case TokenType.COMMA:
        if (frame?.expects !== 'next') throw unexpected(',', offset);
        frame.expects = frame.isArray ? 'value' : 'key';
        return;
      case TokenType.RIGHT_BRACE:
      case TokenType.RIGHT_BRACKET:
        this.#close(frame, token === TokenType.RIGHT_BRACKET, offset);
        return;
      case TokenType.STRING:
        if (
          frame !== undefined &&
          !frame.isArray &&
          (frame.expects === 'key' || frame.expects === 'first')
        ) {
          frame.key = String(value);
          frame.expects = 'colon';
          return;
        }
        break;
      default:
    }
    this.#value(frame, token, value, offset);
  }

  #value(frame: Frame | undefined, token: TokenType, value: unknown, offset: number): void {
    if (frame !== undefined) {
      const ready = frame.expects === 'value' || (frame.isArray && frame.expects === 'first');
      if (!ready) throw unexpected(describe(token, value), offset);
      frame.expects = 'next';
    } else {
      this.#documentStart = offset;
    }
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) {
      this.#open(frame, token === TokenType.LEFT_BRACKET, offset);
      return;
    }
    const plain =
      token === TokenType.TRUE
        ? true
        : token === TokenType.FALSE
          ? false
          : token === TokenType.NULL
            ? null
            : value;
    this.#misplaced(frame, false, offset);
    if (frame === undefined) this.#document(plain);
    else if (frame.members === 'records') this.#emit(plain, offset);
    else keep(frame, plain);
  }

  #open(frame: Frame | undefined, isArray: boolean, offset: number): void {
    if (this.#stack.length >= MAX_DEPTH) {
      throw new WalkError(`is nested deeper than ${MAX_DEPTH} levels`, offset);
    }
    this.#misplaced(frame, isArray, offset);
    const path = this.#stack.map(({ key, isArray: list }) => (list ? '*' : key)).join('/');
    const built = (): Container =>
      isArray ? [] : (Object.create(null) as Record<string, unknown>);
    const isList =
      isArray && (frame === undefined || path === 'log/entries' || path === 'exchanges');
    let next: Frame;
    if (isList) {
      this.#lists += 1;
      next = { isArray, built: null, members: 'records', key: '', expects: 'first' };
    } else if (frame === undefined) {
      next = { isArray, built: built(), members: TOP_MEMBERS, key: '', expects: 'first' };
    } else if (path === 'log') {
      this.#logs += 1;
      next = { isArray, built: built(), members: LOG_MEMBERS, key: '', expects: 'first' };
    } else {
      if (frame.members === 'records') this.#recordStart = offset;
      const kept = frame.members === 'records' || (frame.built !== null && isKept(frame));
      next = { isArray, built: kept ? built() : null, members: 'all', key: '', expects: 'first' };
    }
    this.#stack.push(next);
  }

  #close(frame: Frame | undefined, isArray: boolean, offset: number): void {
    const ready = frame?.expects === 'next' || frame?.expects === 'first';
    if (frame === undefined || frame.isArray !== isArray || !ready) {
      throw unexpected(isArray ? ']' : '}', offset);
    }
    this.#stack.pop();
    const parent = this.#stack.at(-1);
    if (parent === undefined) {
      if (frame.members !== 'records') this.#document(frame.built);
    } else if (parent.members === 'records') this.#emit(frame.built, this.#recordStart ?? offset);
    else if (frame.members === LOG_MEMBERS) this.#log(frame.built);
    else if (frame.built !== null) keep(parent, frame.built);
  }

  /** `log`, its entries and `exchanges` have one form only. */
  #misplaced(frame: Frame | undefined, isArray: boolean, offset: number): void {
    if (frame === undefined || frame.isArray) return;
    const entries = frame.members === LOG_MEMBERS && frame.key === 'entries';
    const exchanges = frame.members === TOP_MEMBERS && frame.key === 'exchanges';
    if ((entries || exchanges) && !isArray) {
      throw new WalkError(`${entries ? 'log.entries' : 'exchanges'} is not a list`, offset);
    }
  }

  #log(log: Container | null): void {
    if (log === null || Array.isArray(log)) return;
    this.creator = log['creator'];
    this.run ??= log['_assay'];
  }

  /** A whole value of the top level: a file with its lists, or an exchange on a line of its own. */
  #document(value: unknown): void {
    const object = isObject(value);
    if (object && this.#lists === 0 && (this.#logs > 0 || 'log' in value)) {
      throw new WalkError('has a log without a list of entries', this.#documentStart);
    }
    if (object && this.#lists > 0 && !('request' in value)) {
      if ('target' in value) this.run ??= value;
      if ('tool' in value) this.creator ??= value.tool;
      return;
    }
    this.#emit(value, this.#documentStart);
  }

  #emit(value: unknown, offset: number): void {
    this.#entries += 1;
    this.#recordStart = null;
    this.records.push({ entry: this.#entries, offset, value });
  }
}

function isKept({ members, key, isArray }: Frame): boolean {
  return members === 'all' || isArray || members.includes(key);
}

function keep(frame: Frame, value: unknown): void {
  const { built } = frame;
  if (built === null || !isKept(frame)) return;
  if (Array.isArray(built)) built.push(value);
  else built[frame.key] = value;
}

const unexpected = (text: string, offset: number): WalkError =>
  new WalkError(`is not JSON: unexpected ${text}`, offset);

export const tooLarge = (entry: number, offset: number): WalkError =>
  new WalkError(
    `has an entry of more than ${MAX_RECORD_BYTES / 1024 / 1024} MiB, number ${entry}`,
    offset,
    'Record without the bodies of downloads, or save only the requests to the service.',
  );

export { MAX_RECORD_BYTES };

function describe(token: TokenType, value: unknown): string {
  if (token === TokenType.LEFT_BRACE) return '{';
  if (token === TokenType.LEFT_BRACKET) return '[';
  // The text of a string may be a key.
  return typeof value === 'string' ? 'text' : String(value);
}
