import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Dispatcher } from 'undici';

/** A connection to the target, with its unsolicited bytes. */
export interface Lane {
  readonly dispatcher: Dispatcher;
  /** True once unsolicited bytes arrived. The connection is closed then and replaced. */
  stray: boolean;
  /** Number of watched answers, see {@link WATCHED_ANSWERS}. */
  watched: number;
}

/** Event loop turns after an answer in which to watch for further bytes. */
const QUIET_TURNS = 2;
/**
 * The same in ms, for targets that were caught once and for the first answers of every connection. On a busy machine
 * many turns pass between two writes; this detects a target that always answers twice before its second answer is
 * assigned to the next request.
 */
const QUIET_MS = 20;
const WATCHED_ANSWERS = 2;

/**
 * Manages connections so that leftover bytes of one answer cannot become the answer to another request (RFC 9112 §9.2,
 * §11.2): a connection carries one request at a time and is reused only if it stays quiet. After stray bytes, every
 * request uses a new connection.
 */
export function lanesOf(create: () => Dispatcher) {
  const all = new Set<Lane>();
  let isCaught = false;
  const open = (): Lane => {
    const lane: Lane = { dispatcher: create(), stray: false, watched: 0 };
    all.add(lane);
    lane.dispatcher.on('disconnect', (_origin, _targets, { name, message }) => {
      // Unparsable bytes, or the start of an unexpected answer.
      if (name !== 'HTTPParserError' && message !== 'bad response') return;
      lane.stray = true;
      isCaught = true;
    });
    return lane;
  };
  // The first one immediately, to detect invalid settings before any request.
  const idle = [open()];
  return {
    take: (): Lane => idle.pop() ?? open(),
    /** Waits briefly and returns whether bytes followed the answer, which make it ambiguous. */
    async followed(lane: Lane): Promise<boolean> {
      if (isCaught || lane.watched < WATCHED_ANSWERS) {
        lane.watched += 1;
        await setTimeout(QUIET_MS);
      }
      for (let turn = 0; turn < QUIET_TURNS; turn += 1) await setImmediate();
      return lane.stray;
    },
    release(lane: Lane): void {
      if (!isCaught) idle.push(lane);
      else if (all.delete(lane)) void lane.dispatcher.destroy();
    },
    async close(): Promise<void> {
      const lanes = [...all];
      all.clear();
      idle.length = 0;
      await Promise.all(lanes.map(({ dispatcher }) => dispatcher.destroy()));
    },
  };
}
