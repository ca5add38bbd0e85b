import type { EndpointPath } from '../spec/endpoints.ts';
import { matchEndpoint } from '../spec/match-endpoint.ts';

interface Candidate {
  readonly baseUrl: string;
  readonly endpoints: Set<EndpointPath>;
  requests: number;
  /** Requests with the key header, or responses with rate-limit headers. */
  keyed: number;
  json: number;
  /** Number of literal path segments that match. */
  literals: number;
}

const NOTHING = { requests: 0, keyed: 0, json: 0, literals: 0 };
const MOST_CANDIDATES = 1000;
const DEEPEST_BASE = 6;

/** Guesses the base URL of the service from requests to any service: the part before a path of §4. */
export function baseUrlGuess() {
  const candidates = new Map<string, Candidate>();
  return {
    see(url: URL, hasKey: boolean, isJson: boolean): void {
      const segments = url.pathname.split('/').slice(1);
      for (let length = 0; length <= Math.min(DEEPEST_BASE, segments.length - 1); length += 1) {
        const match = matchEndpoint(`/${segments.slice(length).join('/')}`);
        if (match === undefined) continue;
        const baseUrl = [url.origin, ...segments.slice(0, length)].join('/');
        const known = candidates.get(baseUrl);
        if (known === undefined && candidates.size >= MOST_CANDIDATES) return;
        const candidate = known ?? { ...NOTHING, baseUrl, endpoints: new Set() };
        candidates.set(baseUrl, candidate);
        candidate.endpoints.add(match.endpoint);
        candidate.requests += 1;
        candidate.literals += match.endpoint.match(/\/[^{]/g)?.length ?? 0;
        if (hasKey) candidate.keyed += 1;
        if (isJson) candidate.json += 1;
      }
    },
    /** The best guess, and others. Undefined without evidence: other sites may have /news, too. */
    best(): { readonly baseUrl: string; readonly others: readonly string[] } | undefined {
      const [first, ...others] = [...candidates.values()]
        .filter(isLikely)
        .toSorted((a, b) => weight(b) - weight(a))
        .map(({ baseUrl }) => baseUrl);
      return first === undefined ? undefined : { baseUrl: first, others: others.slice(0, 3) };
    },
  };
}

function isLikely({ keyed, json, endpoints, literals, requests }: Candidate): boolean {
  if (keyed > 0) return true;
  return json * 2 >= requests && json > 0 && (endpoints.size > 1 || literals / requests >= 2);
}

const weight = ({ keyed, json, endpoints, literals }: Candidate): number =>
  keyed * 10 + endpoints.size * 5 + json + literals / 100;
