/** An unredacted request and its answer. Never leaves the process. */
export interface RawExchange {
  /** Number in the order in which requests were forwarded, from 1. */
  readonly number: number;
  readonly method: string;
  /** Path and query as sent. */
  readonly path: string;
  /** Alternating names and values, as sent. */
  readonly requestHeaders: readonly string[];
  readonly status: number;
  /** Alternating names and values, as received. */
  readonly responseHeaders: readonly string[];
  /** The body as sent, compressed or not; null if it was too large to keep. */
  readonly body: Uint8Array | null;
  /** Size of the body as sent, bytes. */
  readonly bytes: number;
  /** When the request was forwarded and when the last byte of the answer arrived, epoch ms. */
  readonly sentAt: number;
  readonly receivedAt: number;
  /** Address of the client, to count the clients of a key. */
  readonly client: string;
}

/** Why an exchange is not judged. */
export type Unjudged =
  /** The client, the target or the network aborted it before the answer was complete. */
  | 'cut'
  /** The framing is ambiguous. */
  | 'unreadable'
  /** The body is too large to keep. */
  | 'too-large'
  /** The connection switched to another protocol. */
  | 'upgraded'
  /** The judge was behind. */
  | 'sampled'
  /** The target could not be reached, and the client got 502 or 504. */
  | 'unreachable';

/** Receives traffic. Called while forwarding, so it must return immediately. */
export interface Onlooker {
  /** The number of a request that is about to be forwarded. */
  begin(): number;
  /** Whether this many more bytes of bodies may be kept; counted until {@link release}. */
  keep(bytes: number): boolean;
  release(bytes: number): void;
  take(exchange: RawExchange): void;
  miss(why: Unjudged): void;
}
