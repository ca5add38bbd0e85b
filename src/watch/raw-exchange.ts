import type { Headers } from './message-reader.ts';

/** An unredacted request and its answer. Never leaves the process. */
export interface RawExchange {
  /** Number in the order in which requests were forwarded, from 1. */
  readonly number: number;
  readonly method: string;
  /** Path and query as sent. */
  readonly path: string;
  readonly requestHeaders: Headers;
  readonly status: number;
  readonly responseHeaders: Headers;
  /** The body as sent, compressed or not; null if it was too large to keep. */
  readonly body: Uint8Array | null;
  /** When the request was forwarded and when the last byte of the answer arrived, epoch ms. */
  readonly sentAt: number;
  readonly receivedAt: number;
  /** Address of the client, to count the clients of a key. */
  readonly client: string;
}

/** Why an exchange is not judged. */
export const UNJUDGED = {
  cut: 'aborted by the client, the target or the network',
  unreadable: 'the framing is ambiguous',
  upgraded: 'the connection switched to another protocol',
  sampled: 'the judge was behind, so traffic was skipped',
  unreachable: 'the target could not be reached, and the client got an error',
} as const;
export type Unjudged = keyof typeof UNJUDGED;

/** Receives traffic: the feed. Called while forwarding, so it must return immediately. */
export interface Onlooker {
  /** The number of a request that is about to be forwarded. */
  begin(): number;
  /** Whether this many more bytes of bodies may be kept; counted until {@link release}. */
  keep(bytes: number): boolean;
  release(bytes: number): void;
  take(exchange: RawExchange): void;
  miss(why: Unjudged): void;
}
