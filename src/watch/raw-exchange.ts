/** A request and its answer as the proxy saw them pass, with everything still in it. Never leaves the process. */
export interface RawExchange {
  /** Number in the order in which requests were passed on, from 1. */
  readonly number: number;
  readonly method: string;
  /** Path and query as sent. */
  readonly path: string;
  /** Names and values in turn, as sent. */
  readonly requestHeaders: readonly string[];
  readonly status: number;
  /** Names and values in turn, as received. */
  readonly responseHeaders: readonly string[];
  /** The body as it was sent, compressed or not; null when it was too large to be kept. */
  readonly body: Uint8Array | null;
  /** Size of the body as it was sent, bytes. */
  readonly bytes: number;
  /** When the request was passed on and when the last byte of the answer arrived, epoch ms. */
  readonly sentAt: number;
  readonly receivedAt: number;
  /** Address of the client, to tell how many use one key. */
  readonly client: string;
}

/** Why something that passed is not judged. */
export type Unjudged =
  /** The client, the target or the network ended it before the answer was complete. */
  | 'cut'
  /** The framing cannot be read with certainty. */
  | 'unreadable'
  /** The body is larger than what is kept. */
  | 'too-large'
  /** A connection that went on in another protocol. */
  | 'upgraded'
  /** The judge was behind. */
  | 'sampled'
  /** The target did not answer at all, and the client was told so (502, 504). */
  | 'unreachable';

/** Takes what passes. Called on the way of the bytes, so it must return at once. */
export interface Onlooker {
  /** The number of a request that is about to be passed on. */
  begin(): number;
  /** Whether so many more bytes of bodies may be kept; counted until {@link release}. */
  keep(bytes: number): boolean;
  release(bytes: number): void;
  take(exchange: RawExchange): void;
  miss(why: Unjudged): void;
}
