import { missingSetting } from '../../spec/cause.ts';
import { endpoint, type EndpointPath, type FixtureKind } from '../../spec/endpoints.ts';
import { numberOf, type Exchange } from '../../spec/exchange.ts';
import type { Finding } from '../../spec/finding.ts';
import type { RequirementId } from '../../spec/requirement-id.ts';
import { Untested } from '../../ask/outcome.ts';
import { PLAIN_QUERY } from '../../ask/plain.ts';
import type { SuiteSession } from '../../ask/session.ts';
import { requirementOf } from '../../requirements/catalogue.ts';
import { judgeAll } from '../../requirements/judging.ts';
import type { Facts } from '../../judge/facts.ts';
import type { Judgement } from '../../judge/judgement.ts';
import { isObject, totalOf, viewOf } from '../../judge/view.ts';
import type { Case, DrawnRequest, Known } from './cases.ts';

/** The part of a session that a search needs. */
export type PropertySession = Pick<
  SuiteSession,
  'seed' | 'path' | 'facts' | 'send' | 'fixtures' | 'doubtful'
> & {
  readonly http: Pick<SuiteSession['http'], 'targetNow' | 'budgetLeft'> & {
    readonly fixtures: Pick<SuiteSession['http']['fixtures'], 'exchanges'>;
  };
};

/** A case that was sent and judged. */
export interface Trial {
  readonly asked: readonly Exchange[];
  readonly findings: readonly Finding[];
  /** Judged exchanges by requirement. */
  readonly judged: ReadonlyMap<RequirementId, readonly Exchange[]>;
}

/**
 * Tries cases on a target: sends requests that were not sent before in this search, and judges them. Cached requests count
 * too, so that a plan and a replay have the same count.
 */
export class Trials {
  readonly #session: PropertySession;
  #left: number;
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

  /** What the plain answer of an endpoint and the fixtures show about the target. @throws Untested without a fixture */
  async known(path: EndpointPath | undefined): Promise<Known> {
    const plain = path && (await this.#plain(path));
    const view = plain && viewOf(plain, this.#session.facts);
    const { records = [] } = view ?? {};
    const markets = records.flatMap(({ value }) => {
      const market = isObject(value) ? value['market'] : undefined;
      return typeof market === 'string' ? [market] : [];
    });
    const given = this.#session.http.fixtures.exchanges();
    const { path: parameters = {}, query = {} } = path ? endpoint(path) : {};
    const kinds: FixtureKind[] = Object.values(parameters);
    if ('currency_id' in query) kinds.push('currencyIds');
    if ('project_id' in query) kinds.push('projectIds');
    const values = await Promise.all(
      kinds.map(async (kind) => [kind, (await this.#session.fixtures(kind)).ids] as const),
    );
    return {
      // The first response shows the target's clock.
      now: this.#session.http.targetNow(),
      values: {
        ...Object.fromEntries(values),
        exchanges: given.length > 0 ? given : [...new Set(markets)].toSorted(),
      },
      total: view && totalOf(view),
    };
  }

  /** The trial of a case; undefined when too few requests are left for it. @throws Untested without a fixture */
  async try(drawn: Case): Promise<Trial | undefined> {
    const name = JSON.stringify(drawn);
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const plain: Exchange[] = [];
    for (const path of new Set(drawn.map((one) => one.path))) {
      const exchange = await this.#plain(path);
      if (exchange === undefined) return undefined;
      plain.push(exchange);
    }
    const asked: Exchange[] = [];
    for (const one of drawn) {
      const exchange = await this.#ask(one);
      if (exchange === undefined) return undefined;
      asked.push(exchange);
    }
    const trial: Trial = { asked, ...judgeCase(plain, asked, this.#session.facts) };
    this.#known.set(name, trial);
    return trial;
  }

  /** The plain request of an endpoint, which the rules compare with. The run has already sent it. */
  async #plain(path: EndpointPath): Promise<Exchange | undefined> {
    const query = Object.entries(PLAIN_QUERY[path]).map(
      ([name, value]) => [name, String(value)] as const,
    );
    return this.#ask({ path, ids: {}, query });
  }

  async #ask({ path, ids, query }: DrawnRequest): Promise<Exchange | undefined> {
    const pathParameters: Record<string, string> = {};
    for (const [name, kind] of Object.entries(endpoint(path).path)) {
      const { ids: known, reason } = await this.#session.fixtures(kind);
      const value = ids[name] ?? known[0];
      if (value === undefined) {
        throw new Untested(
          reason ?? `set fixtures.${kind} in the target file`,
          missingSetting(`fixtures.${kind}`),
        );
      }
      if (!known.includes(value)) this.#session.doubtful(name, value);
      pathParameters[name] = value;
    }
    const name = JSON.stringify([path, pathParameters, query]);
    const sent = this.#exchanges.get(name);
    if (sent !== undefined) return sent;
    if (this.#session.http.budgetLeft('valid') < 1 || this.#left < 1) return undefined;
    this.#left -= 1;
    const exchange = await this.#session.send(path, { pathParameters, query });
    this.#exchanges.set(name, exchange);
    return exchange;
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
