import { missingSetting } from '../../contract/cause.ts';
import { endpoint, type EndpointPath, type FixtureKind } from '../../contract/endpoints.ts';
import { DAY } from '../../contract/time.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { pageOf, PAGED } from '../../rules/pages.ts';
import { isoDay } from '../../rules/series.ts';
import { isObject, viewOf } from '../../rules/view.ts';
import { Untested } from '../../ask/outcome.ts';
import { PLAIN_QUERY } from '../../ask/plain.ts';
import { judgeCase } from './judge.ts';
import type { Case, DrawnRequest } from './requests.ts';
import type { Trial } from './search.ts';
import type { PropertySession } from './session.ts';
import type { Tokens } from './tokens.ts';
import type { Drawn } from './values.ts';

interface ConcreteRequest {
  readonly path: EndpointPath;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [string, string])[];
}

/**
 * Tries cases on a target: fills in identifiers and times, sends what was not asked before in this search, and has the
 * rules judge it.
 */
export class Laboratory {
  readonly #session: PropertySession;
  readonly #tokens: Tokens;
  /**
   * Times are drawn relative to this moment, so that the same case is the same request throughout a search. Taken after
   * the first answer, which tells the time of the target.
   */
  #now: number | undefined;
  readonly #exchanges = new Map<string, Exchange>();
  readonly #trials = new Map<string, Trial>();

  constructor(session: PropertySession, tokens: Tokens) {
    this.#session = session;
    this.#tokens = tokens;
  }

  /** The trial of a case; undefined when there are too few tokens left for it. @throws Untested without a fixture */
  async try(drawn: Case): Promise<Trial | undefined> {
    const name = JSON.stringify(drawn);
    const known = this.#trials.get(name);
    if (known !== undefined) return known;
    const plain: Exchange[] = [];
    for (const path of new Set(drawn.map((one) => one.path))) {
      const exchange = await this.#ask(await this.#plain(path));
      if (exchange === undefined) return undefined;
      plain.push(exchange);
    }
    const asked: Exchange[] = [];
    for (const one of drawn) {
      const concrete = await this.#concrete(one, plain);
      if (concrete === undefined) continue;
      const exchange = await this.#ask(concrete);
      if (exchange === undefined) return undefined;
      asked.push(exchange);
    }
    const trial: Trial = { asked, ...judgeCase(plain, asked, this.#session.facts) };
    this.#trials.set(name, trial);
    return trial;
  }

  async #ask(request: ConcreteRequest): Promise<Exchange | undefined> {
    const name = JSON.stringify(request);
    const known = this.#exchanges.get(name);
    if (known !== undefined) return known;
    if (this.#session.http.budgetLeft('valid') < 1 || !this.#tokens.take(1)) return undefined;
    const { path, pathParameters, query } = request;
    const exchange = await this.#session.send(path, { pathParameters, query });
    this.#exchanges.set(name, exchange);
    return exchange;
  }

  /** The plain request of an endpoint: what the rules compare with. The run has sent it already. */
  async #plain(path: EndpointPath): Promise<ConcreteRequest> {
    const query = Object.entries(PLAIN_QUERY[path]).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    return { path, pathParameters: await this.#parameters(path, {}), query };
  }

  /** The request that stands for a drawn one; undefined when it asks for a page that does not exist. */
  async #concrete(
    { path, ids, query }: DrawnRequest,
    plain: readonly Exchange[],
  ): Promise<ConcreteRequest | undefined> {
    const pairs: (readonly [string, string])[] = [];
    for (const [name, drawn] of query) {
      const value = await this.#value(drawn, plain);
      if (value !== undefined) pairs.push([name, value]);
    }
    if (this.#isBeyondLast(path, pairs, plain)) return undefined;
    return { path, pathParameters: await this.#parameters(path, ids), query: pairs };
  }

  async #parameters(
    path: EndpointPath,
    ids: Readonly<Record<string, Drawn>>,
  ): Promise<Record<string, string>> {
    const parameters: Record<string, string> = {};
    for (const [name, kind] of Object.entries(endpoint(path).path)) {
      const drawn = ids[name] ?? { fixture: kind, place: 0 };
      const value = await this.#value(drawn, []);
      if (value === undefined) {
        throw new Untested(await this.#reason(kind), missingSetting(`fixtures.${kind}`));
      }
      if ('text' in drawn) this.#session.doubtful(name, value);
      parameters[name] = value;
    }
    return parameters;
  }

  async #reason(kind: FixtureKind): Promise<string> {
    const { reason } = await this.#session.fixtures(kind);
    return reason ?? `set fixtures.${kind} in the target file`;
  }

  /** The value of a drawn one; undefined where the target has no such fixture. */
  async #value(drawn: Drawn, plain: readonly Exchange[]): Promise<string | undefined> {
    if ('text' in drawn) return drawn.text;
    if (!('fixture' in drawn)) {
      this.#now ??= this.#session.http.targetNow();
      if ('msAgo' in drawn) return String(this.#now - drawn.msAgo);
      if ('daysAgo' in drawn) return isoDay(this.#now - drawn.daysAgo * DAY);
      return String((Math.floor(this.#now / DAY) - drawn.midnightsAgo) * DAY);
    }
    const { fixture, place } = drawn;
    const values =
      fixture === 'exchanges' ? this.#markets(plain) : (await this.#session.fixtures(fixture)).ids;
    return values.length === 0 ? undefined : values[place % values.length];
  }

  /** Exchanges of the target file, else those that the plain request shows. */
  #markets(plain: readonly Exchange[]): readonly string[] {
    const given = this.#session.http.fixtures.exchanges();
    if (given.length > 0) return given;
    const seen = plain.flatMap((exchange) => viewOf(exchange, this.#session.facts)?.records ?? []);
    const names = seen.flatMap(({ value }) => {
      const market = isObject(value) ? value['market'] : undefined;
      return typeof market === 'string' ? [market] : [];
    });
    return [...new Set(names)].toSorted();
  }

  /** What comes after the last page is left open, so such a page is not asked for. */
  #isBeyondLast(
    path: EndpointPath,
    pairs: readonly (readonly [string, string])[],
    plain: readonly Exchange[],
  ): boolean {
    const facts = PAGED.find((one) => one.endpoint === path);
    const query = new Map(pairs);
    const page = Number(query.get('page') ?? 1);
    const size = Number(query.get('page_size') ?? facts?.fallback ?? 1);
    if (facts === undefined || !(page > 1) || !(size > 0)) return false;
    const totals = plain.flatMap((exchange) => {
      const view = exchange.endpoint === path ? viewOf(exchange, this.#session.facts) : undefined;
      return (view && pageOf(facts, view)?.total) ?? [];
    });
    return totals.some((total) => (page - 1) * size >= total);
  }
}
