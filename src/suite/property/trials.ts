import { missingSetting } from '../../spec/cause.ts';
import { endpoint, type EndpointPath, type FixtureKind } from '../../spec/endpoints.ts';
import { numberOf, type Exchange } from '../../spec/exchange.ts';
import type { Finding } from '../../spec/finding.ts';
import type { RequirementId } from '../../spec/requirement-id.ts';
import { DAY, isoDay } from '../../spec/time.ts';
import { Untested } from '../../ask/outcome.ts';
import { PLAIN_QUERY } from '../../ask/plain.ts';
import type { SuiteSession } from '../../ask/session.ts';
import { requirementOf } from '../../requirements/catalogue.ts';
import { judgeAll } from '../../requirements/judging.ts';
import type { Facts } from '../../judge/facts.ts';
import type { Judgement } from '../../judge/judgement.ts';
import { pageOf, PAGED } from '../../judge/pages.ts';
import { isObject, viewOf } from '../../judge/view.ts';
import type { Case, DrawnRequest } from './requests.ts';
import type { Drawn } from './values.ts';

/** The part of a session that a search needs. */
export type PropertySession = Pick<
  SuiteSession,
  'seed' | 'path' | 'facts' | 'send' | 'fixtures' | 'doubtful'
> & {
  readonly http: Pick<SuiteSession['http'], 'targetNow' | 'budgetLeft'> & {
    readonly fixtures: Pick<SuiteSession['http']['fixtures'], 'exchanges'>;
  };
};

interface ConcreteRequest {
  readonly path: EndpointPath;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [string, string])[];
}

/** A case that was sent and judged. */
export interface Trial {
  readonly asked: readonly Exchange[];
  readonly findings: readonly Finding[];
  /** Judged exchanges by requirement. */
  readonly judged: ReadonlyMap<RequirementId, readonly Exchange[]>;
}

/**
 * Tries cases on a target: fills in identifiers and times, sends requests that were not sent before in this search, and judges
 * them. Cached requests count too, so that a plan and a replay have the same count.
 */
export class Trials {
  readonly #session: PropertySession;
  #left: number;
  /**
   * Times are relative to this, so that a case is the same request throughout a search. Set after the first response, which
   * shows the target's clock.
   */
  #now: number | undefined;
  readonly #exchanges = new Map<string, Exchange>();
  /** Cached trials: a search that continues after a violation draws the same cases again. */
  readonly #known = new Map<string, Trial>();

  /** @param requests maximum number of requests */
  constructor(session: PropertySession, requests: number) {
    this.#session = session;
    this.#left = requests;
  }

  get asked(): readonly Exchange[] {
    return [...this.#exchanges.values()];
  }

  /** The trial of a case; undefined when too few requests are left for it. @throws Untested without a fixture */
  async try(drawn: Case): Promise<Trial | undefined> {
    const name = JSON.stringify(drawn);
    const known = this.#known.get(name);
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
    this.#known.set(name, trial);
    return trial;
  }

  async #ask(request: ConcreteRequest): Promise<Exchange | undefined> {
    const name = JSON.stringify(request);
    const known = this.#exchanges.get(name);
    if (known !== undefined) return known;
    if (this.#session.http.budgetLeft('valid') < 1 || this.#left < 1) return undefined;
    this.#left -= 1;
    const { path, pathParameters, query } = request;
    const exchange = await this.#session.send(path, { pathParameters, query });
    this.#exchanges.set(name, exchange);
    return exchange;
  }

  /** The plain request of an endpoint, which the rules compare with. The run has already sent it. */
  async #plain(path: EndpointPath): Promise<ConcreteRequest> {
    const query = Object.entries(PLAIN_QUERY[path]).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    return { path, pathParameters: await this.#parameters(path, {}), query };
  }

  /** The concrete request; undefined for a page that does not exist. */
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
      const drawn = ids[name] ?? { fixture: kind, index: 0 };
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

  /** The concrete value; undefined when the target has no such fixture. */
  async #value(drawn: Drawn, plain: readonly Exchange[]): Promise<string | undefined> {
    if ('text' in drawn) return drawn.text;
    if (!('fixture' in drawn)) {
      this.#now ??= this.#session.http.targetNow();
      if ('msAgo' in drawn) return String(this.#now - drawn.msAgo);
      if ('daysAgo' in drawn) return isoDay(this.#now - drawn.daysAgo * DAY);
      return String((Math.floor(this.#now / DAY) - drawn.midnightsAgo) * DAY);
    }
    const { fixture, index } = drawn;
    const values =
      fixture === 'exchanges' ? this.#markets(plain) : (await this.#session.fixtures(fixture)).ids;
    return values.length === 0 ? undefined : values[index % values.length];
  }

  /** Exchanges from the target file, or those in the plain response. */
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

  /** Pages beyond the last one are unspecified and not requested. */
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

/**
 * Judges the exchanges of a case together with the plain requests. Findings of the plain requests alone are ignored, and so
 * are findings about the limiter, which depend on the whole run.
 */
function judgeCase(
  plain: readonly Exchange[],
  asked: readonly Exchange[],
  facts: Facts,
): Omit<Trial, 'asked'> {
  const before = new Set(findingsOf(judgeAll(plain, facts)).map(keyOf));
  const own = new Map(asked.map((exchange) => [exchange.id, exchange]));
  const all = new Map([...plain, ...asked].map((exchange) => [exchange.id, exchange]));
  const judgement = judgeAll([...all.values()].toSorted(bySending), facts);
  const judged = new Map<RequirementId, readonly Exchange[]>();
  for (const [id, { exchanges }] of judgement.requirements) {
    const mine = [...exchanges].flatMap((exchange) => own.get(exchange) ?? []);
    if (mine.length > 0) judged.set(id, mine);
  }
  const findings = findingsOf(judgement).filter((finding) => !before.has(keyOf(finding)));
  return { findings, judged };
}

function findingsOf(judgement: Judgement): Finding[] {
  return [...judgement.requirements]
    .filter(([id]) => requirementOf(id).level !== 'observe' && requirementOf(id).section !== '8')
    .flatMap(([, { findings }]) => findings);
}

const keyOf = ({ requirement, message, pointer, exchange }: Finding): string =>
  JSON.stringify([requirement, message, pointer, exchange]);

const bySending = (a: Exchange, b: Exchange): number => numberOf(a.id) - numberOf(b.id);
