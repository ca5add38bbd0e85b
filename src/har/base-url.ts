import type { EndpointPath } from '../spec/endpoints.ts';
import { matchEndpoint } from '../spec/match-endpoint.ts';

/** What speaks for a base URL. */
interface Candidate {
  readonly baseUrl: string;
  readonly endpoints: Set<EndpointPath>;
  requests: number;
  /** Requests with the key header or answers with the rate-limit headers. */
  keyed: number;
  json: number;
  /** Parts of paths that match to the letter. */
  literals: number;
}

/** What one entry shows about the base URL. */
export interface Clue {
  readonly url: URL;
  readonly hasKey: boolean;
  readonly isJson: boolean;
}

/** The base URL that the entries of a recording suggest. */
export interface Guess {
  readonly baseUrl: string;
  /** Requests that match endpoints of the specification. */
  readonly requests: number;
  /** Other base URLs that fit as well, best first. */
  readonly others: readonly string[];
}

const MOST_CANDIDATES = 1000;
const DEEPEST_BASE = 6;

/** Finds the base URL of the service among requests to anything: what stands before a path of §4. */
export class BaseUrlGuess {
  readonly #candidates = new Map<string, Candidate>();

  see({ url, hasKey, isJson }: Clue): void {
    const segments = url.pathname.split('/').slice(1);
    for (let length = 0; length <= Math.min(DEEPEST_BASE, segments.length - 1); length += 1) {
      const match = matchEndpoint(`/${segments.slice(length).join('/')}`);
      if (match === undefined) continue;
      const baseUrl = [url.origin, ...segments.slice(0, length)].join('/');
      let candidate = this.#candidates.get(baseUrl);
      if (candidate === undefined) {
        if (this.#candidates.size >= MOST_CANDIDATES) return;
        candidate = { baseUrl, endpoints: new Set(), requests: 0, keyed: 0, json: 0, literals: 0 };
        this.#candidates.set(baseUrl, candidate);
      }
      candidate.endpoints.add(match.endpoint);
      candidate.requests += 1;
      candidate.literals += match.endpoint
        .split('/')
        .filter((part) => part !== '' && !part.startsWith('{')).length;
      if (hasKey) candidate.keyed += 1;
      if (isJson) candidate.json += 1;
    }
  }

  /**
   * The base URL that fits best. Undefined when nothing but chance speaks for any: a web site may well have pages named
   * /news or /currencies/x.
   */
  get best(): Guess | undefined {
    const ranked = [...this.#candidates.values()]
      .filter(isLikely)
      .toSorted((a, b) => weight(b) - weight(a));
    const [first] = ranked;
    if (first === undefined) return undefined;
    return {
      baseUrl: first.baseUrl,
      requests: first.requests,
      others: ranked.slice(1, 4).map(({ baseUrl }) => baseUrl),
    };
  }
}

function isLikely({ keyed, json, endpoints, literals, requests }: Candidate): boolean {
  if (keyed > 0) return true;
  return json * 2 >= requests && json > 0 && (endpoints.size > 1 || literals / requests >= 2);
}

const weight = ({ keyed, json, endpoints, literals }: Candidate): number =>
  keyed * 10 + endpoints.size * 5 + json + literals / 100;
