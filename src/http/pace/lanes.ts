import type { Dispatcher } from 'undici';

/** One connection at a time to the target, and what it carried that nobody had asked for. */
export interface Lane {
  readonly dispatcher: Dispatcher;
  /** True once bytes arrived that belong to no request. The connection is then gone; the next one is a new one. */
  stray: boolean;
  /** Answers that were waited after, see {@link WATCHED_ANSWERS}. */
  watched: number;
}

/** Turns of the event loop after an answer in which further bytes show that its end was no end. */
const QUIET_TURNS = 2;
/**
 * The same in time, ms: on a target that was caught once, and after the first answers of every connection. Between two
 * writes of a busy machine many turns pass, and one that always answers twice is caught before its second answer can be
 * taken for that of the next request.
 */
const QUIET_MS = 20;
const WATCHED_ANSWERS = 2;

/**
 * Keeps connections apart, so that what one answer leaves on its connection cannot be taken for the answer to another
 * request (RFC 9112 §9.2, §11.2): every connection carries one request at a time, and is used again only after it
 * stayed quiet. A target that was caught sending stray bytes gets a new connection for every request.
 */
export class Lanes {
  readonly #create: () => Dispatcher;
  readonly #idle: Lane[] = [];
  readonly #all = new Set<Lane>();
  #caught = false;

  /** Makes the first lane at once, so that settings that cannot be used are found out before anything is sent. */
  constructor(create: () => Dispatcher) {
    this.#create = create;
    this.#idle.push(this.#open());
  }

  /** A lane that nobody uses. Give it back with {@link release}. */
  take(): Lane {
    return this.#idle.pop() ?? this.#open();
  }

  /**
   * Waits a moment and tells whether bytes followed the end of the answer, so that nobody can say what the answer was.
   */
  async followed(lane: Lane): Promise<boolean> {
    if (this.#caught || lane.watched < WATCHED_ANSWERS) {
      lane.watched += 1;
      await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    }
    for (let turn = 0; turn < QUIET_TURNS; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    return lane.stray;
  }

  release(lane: Lane): void {
    if (!this.#caught) this.#idle.push(lane);
    else this.#end(lane);
  }

  /** Closes all connections; requests under way fail. */
  async close(): Promise<void> {
    const lanes = [...this.#all];
    this.#all.clear();
    this.#idle.length = 0;
    await Promise.all(lanes.map(({ dispatcher }) => dispatcher.destroy()));
  }

  #open(): Lane {
    const lane: Lane = { dispatcher: this.#create(), stray: false, watched: 0 };
    this.#all.add(lane);
    lane.dispatcher.on('disconnect', (_origin, _targets, error) => {
      if (!isStray(error)) return;
      lane.stray = true;
      this.#caught = true;
    });
    return lane;
  }

  #end(lane: Lane): void {
    this.#all.delete(lane);
    void lane.dispatcher.destroy();
  }
}

/** Bytes where no answer was due: they cannot be parsed, or begin an answer that nobody waits for. */
function isStray(error: Error): boolean {
  return error.name === 'HTTPParserError' || error.message === 'bad response';
}
