import type { FixtureKind } from '../../src/spec/endpoints.ts';
import type { Exchange } from '../../src/spec/exchange.ts';
import { requestTarget } from '../../src/http/request-url.ts';
import type { RequestOptions } from '../../src/http/session-options.ts';
import { createReference, manualClock } from '../../src/reference/reference.ts';
import { DEFAULT_FACTS, type Facts } from '../../src/judge/facts.ts';
import type { PropertySession } from '../../src/suite/property/trials.ts';
import { fixturesOf, type FixtureAnswer, type Fixtures } from '../../src/target/discover.ts';
import { WORLD } from '../kept/data.ts';

/** What happens to a request in place of the answer of the reference server. */
export type Planted = (
  request: Exchange['request'],
) => { readonly status: number; readonly body: unknown } | 'no answer' | undefined;

export interface FakeSessionOptions {
  readonly seed?: number;
  readonly planted?: Planted;
  /** Requests that the run still has. */
  readonly left?: number;
  /** Thrown in place of sending, from this request on. */
  readonly fails?: { readonly from: number; readonly error: Error };
  readonly variants?: readonly string[];
  /** Case to try again, as `--path` names it. */
  readonly path?: string;
}

const NOW = Date.UTC(2026, 8, 9, 15);

/** A session without network: requests go to a reference server in this process, or to a planted defect. */
export class FakeSession implements PropertySession {
  readonly seed: number;
  readonly path: string | null;
  readonly sent: Exchange[] = [];
  /** Ids of exchanges that checks judged. */
  readonly noted: string[] = [];
  readonly http: PropertySession['http'];
  readonly #options: FakeSessionOptions;
  readonly #reference;
  readonly #fixtures: Fixtures;
  readonly #doubtful: Record<string, string[]> = {};

  constructor(options: FakeSessionOptions = {}) {
    this.seed = options.seed ?? 1;
    this.path = options.path ?? null;
    this.#options = options;
    this.#reference = createReference({
      clock: manualClock(NOW),
      world: WORLD,
      limit: 1_000_000,
      variants: options.variants ?? [],
    });
    this.http = {
      targetNow: () => NOW,
      budgetLeft: () => (options.left ?? Number.POSITIVE_INFINITY) - this.sent.length,
      fixtures: { exchanges: () => [] },
    };
    const { fixtures } = this.#reference.targetFile('http://127.0.0.1/v1');
    const read = (path: string): Promise<Exchange> => Promise.resolve(this.#exchange(path, {}));
    this.#fixtures = fixturesOf(fixtures, read, this.seed);
  }

  get facts(): Facts {
    return { ...DEFAULT_FACTS, doubtfulIds: structuredClone(this.#doubtful) };
  }

  fixtures(kind: FixtureKind): Promise<FixtureAnswer> {
    return this.#fixtures.get(kind);
  }

  doubtful(parameter: string, id: string): void {
    (this.#doubtful[parameter] ??= []).push(id);
  }

  judged(exchanges: readonly Exchange[]): void {
    this.noted.push(...exchanges.map(({ id }) => id));
  }

  async send(path: string, options: RequestOptions): Promise<Exchange> {
    const { fails } = this.#options;
    if (fails !== undefined && this.sent.length >= fails.from) throw fails.error;
    const exchange = this.#exchange(path, options);
    this.sent.push(exchange);
    return Promise.resolve(exchange);
  }

  /** Paths and queries of what was sent, in order. */
  get urls(): readonly string[] {
    return this.sent.map(({ request }) => request.url.replace('http://127.0.0.1', ''));
  }

  #exchange(path: string, { pathParameters, query }: RequestOptions): Exchange {
    const target = requestTarget('http://127.0.0.1/v1', path, pathParameters, query);
    const request = {
      method: 'GET',
      url: target.url,
      path: target.path,
      query: target.query,
      headers: {},
    };
    const planted = this.#options.planted?.(request);
    const [key = ''] = this.#reference.keys.valid;
    const answer =
      planted === undefined
        ? this.#reference.handle({
            method: 'GET',
            path: target.requestPath,
            headers: { 'x-api-key': key },
          })
        : planted === 'no answer'
          ? null
          : {
              status: planted.status,
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify(planted.body),
            };
    return {
      id: `x${this.sent.length + 1}`,
      endpoint: target.endpoint,
      pathParameters: target.pathParameters,
      role: 'valid',
      key: 'key#1',
      request,
      response: answer && {
        status: answer.status,
        headers: answer.headers,
        text: answer.body,
        bytes: answer.body.length,
      },
      error: answer === null ? { kind: 'reset', message: 'connection reset' } : null,
      sentAt: NOW + this.sent.length,
      receivedAt: NOW + this.sent.length,
      skewMs: 0,
      attempt: 1,
    };
  }
}

/** The error that a crashed service answers with. */
export const CRASH = {
  status: 500,
  body: { code: 500001, message: 'Internal server error', details: {} },
} as const;

/** The value of a query parameter. */
export const parameter = ({ query }: Exchange['request'], name: string): string | undefined =>
  query.find(([other]) => other === name)?.[1];
