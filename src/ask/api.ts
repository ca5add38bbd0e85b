import { missingSetting, NO_DATA } from '../spec/cause.ts';
import { endpoint, mayBeAbsent, type EndpointPath, type FixtureKind } from '../spec/endpoints.ts';
import { errorNamed } from '../spec/error-codes.ts';
import type { KeyRole } from '../spec/exchange.ts';
import { isJudgeable } from '../judge/context.ts';
import { isInvalidRequestStatus } from '../judge/expectation.ts';
import { isObject, viewOf } from '../judge/view.ts';
import { DEFAULT_SEED, drawnIndex, rotated } from '../target/rotate.ts';
import { answerOf, blamesQuery, describe, mustBeJudgeable, type Answer } from './answer.ts';
import { Inconclusive, Untested } from './outcome.ts';
import type { SuiteSession } from './session.ts';

export type QueryValue = string | number | undefined;
/** Query parameters; `undefined` omits one, an array repeats it. */
export type Query = Readonly<Record<string, QueryValue | readonly (string | number)[]>>;

export interface GetOptions {
  /** Path parameters; missing ones are filled from the first fixture. */
  readonly path?: Readonly<Record<string, string>>;
  /** Role of the key; default: `valid`. */
  readonly role?: KeyRole;
  /**
   * The control of a negative request: the same request with these differences must succeed. Otherwise the check is
   * inconclusive, because the refusal may have another cause.
   */
  readonly control?: {
    readonly query?: Query;
    readonly path?: Readonly<Record<string, string>>;
    readonly role?: KeyRole;
  };
  /** Send even if the same request was answered before. */
  readonly fresh?: boolean;
  /** Index of the key in the pool. */
  readonly keyIndex?: number;
  /** Send the name of the key header in lower case, or with each word capitalised. */
  readonly headerCase?: 'lower' | 'mixed';
  /** Send an empty key header. For the role `none`. */
  readonly emptyKey?: boolean;
  /** Return a 429 or 5xx instead of stopping the check. */
  readonly anyAnswer?: boolean;
}

/** Most fixtures to try for data that not all of them have. */
const MOST_ASKED = 4;

/**
 * Endpoints whose answers are not compared with others, with the index of the fixture to use: covers more of a list at
 * no cost.
 */
const ASKED_FOR: Readonly<Partial<Record<EndpointPath, number>>> = {
  '/indices/{index_ticker}/constituents': 2,
  '/indices/{index_ticker}/klines': 3,
  '/crypto-stocks/{stock_ticker}/market-cap': 2,
};

/** Sends the requests of checks. All requests of a run share one session with its keys, pacing and cache. */
export class Api {
  readonly #session: SuiteSession;

  constructor(session: SuiteSession) {
    this.#session = session;
  }

  /**
   * GET of an endpoint of §4.
   * @throws Untested when a key or fixture is missing, Inconclusive when nothing can be judged
   */
  async get(path: EndpointPath, query: Query = {}, options: GetOptions = {}): Promise<Answer> {
    const { path: given, control: _control, anyAnswer, ...sending } = options;
    const pathParameters = await this.#parameters(path, given, options.role);
    const control = await this.#control(path, query, options, pathParameters);
    const request = { ...sending, pathParameters, query: entries(path, query) };
    const exchange = await this.#session.send(path, request);
    const answer = answerOf(exchange, this.#session.facts, control);
    if (anyAnswer !== true) {
      mustBeJudgeable(answer);
      this.#mustNotBeRefusedAsKey(answer);
      this.#mustBeConfirmed(path, answer);
    }
    return answer;
  }

  /** GET of any path below the base URL, for paths that are not in §4. */
  async getPath(path: string, options: Pick<GetOptions, 'role' | 'fresh'> = {}): Promise<Answer> {
    const exchange = await this.#session.send(path, { role: options.role, fresh: options.fresh });
    const answer = answerOf(exchange, this.#session.facts, null);
    mustBeJudgeable(answer);
    return answer;
  }

  /** A request with another method (ruling 20). */
  async send(method: string, path: EndpointPath): Promise<Answer> {
    const parameters = await this.#parameters(path, undefined);
    const exchange = await this.#session.send(path, { method, pathParameters: parameters });
    return answerOf(exchange, this.#session.facts, null);
  }

  /**
   * Fixtures of a kind from the target file or the list endpoint, in the order of the seed. For endpoints where not
   * every fixture has data (ruling 11), the default one stays first and the drawn one comes second, so that no requests
   * are spent on finding data. Some endpoints start with a different fixture.
   * @throws Untested when there is none, with
   * the setting to add
   */
  async fixtures(kind: FixtureKind, path: EndpointPath | null = null): Promise<readonly string[]> {
    const { ids, reason, empty, drawn } = await this.#session.fixtures(kind);
    const [first, second] = ids;
    if (first === undefined) {
      throw new Untested(
        reason ?? `set fixtures.${kind} in the target file`,
        empty === true ? NO_DATA : missingSetting(`fixtures.${kind}`),
      );
    }
    const swapped = drawn === true && second !== undefined && mayBeAbsent(path);
    if (swapped) return [second, first, ...ids.slice(2)];
    const own = path === null ? undefined : ids[ASKED_FOR[path] ?? 0];
    return own === undefined ? ids : [own, ...ids.filter((id) => id !== own)];
  }

  /** True when the seed may select other fixtures than the default one. */
  get draws(): boolean {
    return this.#session.seed !== DEFAULT_SEED;
  }

  /** Values in the order of the seed of the run; the default seed changes nothing. */
  rotated<Item>(items: readonly Item[]): readonly Item[] {
    return rotated(items, this.#session.seed);
  }

  /** The value at an index, shifted by the seed. */
  shifted<Item>(items: readonly Item[], at: number): Item | undefined {
    return items[(at + drawnIndex(items.length, this.#session.seed)) % items.length];
  }

  /** The first fixture of a kind for an endpoint. Throws like `fixtures`. */
  async fixture(kind: FixtureKind, path: EndpointPath | null = null): Promise<string> {
    const [first = ''] = await this.fixtures(kind, path);
    return first;
  }

  async #parameters(
    path: EndpointPath,
    given: Readonly<Record<string, string>> = {},
    role?: KeyRole,
  ): Promise<Record<string, string>> {
    const parameters: Record<string, string> = {};
    for (const [name, kind] of Object.entries(endpoint(path).path)) {
      parameters[name] = given[name] ?? (await this.#first(path, name, kind, role));
    }
    return parameters;
  }

  /** The first fixture, or the first one without a 404 where not every one has data (ruling 11) or is known to exist. */
  async #first(
    path: EndpointPath,
    name: string,
    kind: FixtureKind,
    role: KeyRole = 'valid',
  ): Promise<string> {
    const ids = await this.fixtures(kind, path);
    if (mayBeAbsent(path) || (role === 'valid' && ASKED_FOR[path] !== undefined)) {
      for (const id of ids.slice(0, MOST_ASKED)) {
        const { response } = await this.#session.send(path, {
          pathParameters: { [name]: id },
          query: [],
        });
        if (response?.status !== 404) return id;
      }
    }
    return this.fixture(kind, path);
  }

  /** An identifier that comes only from a list and is then unknown is not a violation (ruling 11). */
  #mustBeConfirmed(path: EndpointPath, answer: Answer): void {
    const { status, exchange } = answer;
    if ((status !== 404 && status !== 400 && status !== 422) || blamesQuery(answer)) return;
    // An unknown path is not an unknown identifier.
    if (isObject(answer.body) && errorNamed(Number(answer.body['code'])) === 'unknownEndpoint')
      return;
    for (const [name, kind] of Object.entries(endpoint(path).path)) {
      const id = exchange.pathParameters[name] ?? '';
      if (!this.#session.isUnconfirmed(name, id)) continue;
      throw new Untested(
        `${describe(exchange)} answered ${status}, and ${id} is known only from a list: set fixtures.${kind} to identifiers that the path accepts`,
        missingSetting(`fixtures.${kind}`),
      );
    }
  }

  async #control(
    path: EndpointPath,
    query: Query,
    options: GetOptions,
    parameters: Readonly<Record<string, string>>,
  ): Promise<Answer | null> {
    if (options.control === undefined) return null;
    const differences = options.control;
    const pathParameters = await this.#parameters(path, { ...parameters, ...differences.path });
    const exchange = await this.#session.send(path, {
      pathParameters,
      query: entries(path, { ...query, ...differences.query }),
      role: differences.role ?? options.role,
    });
    const control = answerOf(exchange, this.#session.facts, null);
    const [kind] = Object.values(endpoint(path).path);
    if (control.status === 404 && mayBeAbsent(path)) {
      throw new Untested(
        `none of the tested currencies has data at ${path}, so a refusal would prove nothing`,
      );
    }
    if (control.status === 404 && kind !== undefined) {
      throw new Untested(
        `${describe(exchange)} found nothing, so a refusal would prove nothing; list an existing identifier first in fixtures.${kind}`,
        missingSetting(`fixtures.${kind}`),
      );
    }
    this.#mustBeConfirmed(path, control);
    // The required parameters of these endpoints are not specified (§4.7).
    if (endpoint(path).response.kind === 'unstated' && isInvalidRequestStatus(control.status)) {
      throw new Untested(
        `${describe(exchange)} answered ${control.status}: the endpoint requires parameters that are not in the specification, so a refusal would prove nothing`,
      );
    }
    if (control.status < 200 || control.status > 299) {
      throw new Inconclusive(
        `The control request ${describe(exchange)} did not succeed (status ${control.status}), so a refusal would prove nothing`,
        { hinderedBy: [exchange.id] },
      );
    }
    return control;
  }

  /** A rejected valid key says something about the key, not about the requirement. */
  #mustNotBeRefusedAsKey({ exchange, status }: Answer): void {
    if (exchange.role !== 'valid' || (status !== 401 && status !== 403)) return;
    const context = this.#session.context();
    const view = viewOf(exchange, context);
    // A violation of the endpoint is judged as one.
    if (view !== undefined && isJudgeable(view, context)) return;
    const keys = this.#session.http.keyRing.fingerprints().valid ?? [];
    const name = keys.length > 1 ? ` valid[${keys.indexOf(exchange.key ?? '')}]` : '';
    throw new Inconclusive(
      `${describe(exchange)} rejected the valid key${name} with ${status}; check keys.valid`,
      { hinderedBy: [exchange.id] },
    );
  }
}

/** Parameters in the order of the endpoint's table, so that equal requests are sent once. */
function entries(path: EndpointPath, query: Query): [string, string][] {
  const order = Object.keys(endpoint(path).query);
  const rank = (name: string): number =>
    order.includes(name) ? order.indexOf(name) : order.length;
  return Object.entries(query)
    .toSorted(([a], [b]) => rank(a) - rank(b))
    .flatMap(([name, value]) => {
      if (value === undefined) return [];
      const values = typeof value === 'object' ? value : [value];
      return values.map((one): [string, string] => [name, String(one)]);
    });
}
