import type { CaseServer } from './server.ts';

/** What one tool said about one server. */
export interface Verdict {
  /** Failures as stable names, sorted, each once: operation and check, or a requirement. */
  readonly failures: readonly string[];
  /** Why the run says nothing or not everything; undefined when it ended as it should. */
  readonly trouble?: string;
  /** When failures were raised, in that order; only of a tool that records it. */
  readonly raised?: readonly Raised[];
}

/** A failure at its place in a run. */
export interface Raised {
  /** The beginning of its name in `failures`: as much of it as the recording tells. */
  readonly failure: string;
  /** Requests with a valid key that the server had seen by then. */
  readonly after: number;
}

export interface RunContext {
  readonly seed: number;
  /** A folder of this run alone. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Longest time that the run may take. */
  readonly timeoutMs: number;
}

/** A tool of the comparison. */
export interface Tool {
  readonly id: string;
  readonly title: string;
  /** The command line, with words in capitals for what differs from run to run. */
  readonly command: string;
  readonly version: string;
  /** True when the server must not limit it. */
  readonly open: boolean;
  /** True when its seed changes what it sends, so that the clean server is looked at with several. */
  readonly random: boolean;
  readonly run: (server: CaseServer, context: RunContext) => Promise<Verdict>;
}

/** Each failure once, in a stable order. */
export function distinct(failures: Iterable<string>): string[] {
  return [...new Set(failures)].toSorted();
}
