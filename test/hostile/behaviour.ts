import type { Socket } from 'node:net';
import type { Act, Hostile } from './server.ts';

/** A misbehaviour, and how Assay must handle it. */
export interface Behaviour {
  readonly id: string;
  /** What the server does, completing "a target that …". */
  readonly does: string;
  readonly act: Act;
  /** Which requests it concerns; all of them by default. */
  readonly on?: (hostile: Hostile) => boolean;
  readonly onConnect?: (socket: Socket) => void;
  /** Allowed exit codes. */
  readonly codes: readonly number[];
  /** Found in `results.json`: the finding, reason or note that names it. */
  readonly says: RegExp;
  /** Further arguments; `--profile smoke` unless they name one. */
  readonly args?: readonly string[];
  /** Request timeout, ms. */
  readonly timeoutMs?: number;
  /** True for those that a sample always has. */
  readonly always?: true;
}

/** Every third request, so that only some requests of the run are affected. */
export const third = ({ number }: Hostile): boolean => number % 3 === 0;
/** One endpoint that every profile requests. */
export const news = ({ url }: Hostile): boolean => url.startsWith('/v1/news');
/** Answers that succeed. */
export const served = ({ status }: Hostile): boolean => status === 200;
