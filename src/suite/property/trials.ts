import { missingSetting } from '../../spec/cause.ts';
import { endpoint, type EndpointPath, type FixtureKind } from '../../spec/endpoints.ts';
import { numberOf, type Exchange } from '../../spec/exchange.ts';
import type { Finding } from '../../spec/finding.ts';
import { Untested } from '../../ask/outcome.ts';
import type { SuiteSession } from '../../ask/session.ts';
import { OF_PROPERTIES, requirementOf } from '../../requirements/catalogue.ts';
import { judgeAll } from '../../requirements/judging.ts';
import type { Facts } from '../../judge/facts.ts';
import type { Judgement } from '../../judge/judgement.ts';
import { isObject, viewOf } from '../../judge/view.ts';
import { plainPairs, type DrawnRequest, type Known } from './cases.ts';

/** The part of a session that a search needs. */
export type PropertySession = Pick<
  SuiteSession,
  'seed' | 'path' | 'facts' | 'send' | 'fixtures' | 'doubtful'
> & {
  readonly http: Pick<SuiteSession['http'], 'targetNow' | 'budgetLeft'> & {
    readonly fixtures: Pick<SuiteSession['http']['fixtures'], 'exchanges'>;
  };
};

/** A request that was sent and judged. */
export interface Trial {
  readonly exchange: Exchange;
  readonly findings: readonly Finding[];
  /** Whether it shows that the requirement of properties holds. */
  readonly isJudged: boolean;
}

/**
 * Sends generated requests that were not sent before in this search, and judges them. Those that the run has sent already count
 * too, so that a plan and a replay have the same count.
 * @param most maximum number of requests
 */
export function trials(session: PropertySession, most: number) {
  const sent = new Map<string, Exchange>();
  /** A search that continues after a violation draws the same cases again. */
  const tried = new Map<string, Trial>();

  /** Undefined when no request is left for it. @throws Untested without a fixture */
  const ask = async ({ path, ids, query }: DrawnRequest): Promise<Exchange | undefined> => {
    const pathParameters: Record<string, string> = {};
    for (const [name, kind] of Object.entries(endpoint(path).path)) {
      const { ids: known, reason } = await session.fixtures(kind);
      const value = ids[name] ?? known[0];
      if (value === undefined) {
        const why = reason ?? `set fixtures.${kind} in the target file`;
        throw new Untested(why, missingSetting(`fixtures.${kind}`));
      }
      if (!known.includes(value)) session.doubtful(name, value);
      pathParameters[name] = value;
    }
    const name = JSON.stringify([path, pathParameters, query]);
    const before = sent.get(name);
    if (before !== undefined) return before;
    if (session.http.budgetLeft('valid') < 1 || sent.size >= most) return undefined;
    const exchange = await session.send(path, { pathParameters, query });
    sent.set(name, exchange);
    return exchange;
  };
  /** The plain request of an endpoint, which the judgements compare with. The run has already sent it. */
  const plain = (path: EndpointPath) => ask({ path, ids: {}, query: plainPairs(path) });

  return {
    asked: (): readonly Exchange[] => [...sent.values()],

    /** What the plain answer of an endpoint and the fixtures show about the target. @throws Untested without a fixture */
    async known(path: EndpointPath | undefined): Promise<Known> {
      const exchange = path && (await plain(path));
      const { records = [] } = (exchange && viewOf(exchange, session.facts)) ?? {};
      const markets = records.flatMap(({ value }) => {
        const market = isObject(value) ? value['market'] : undefined;
        return typeof market === 'string' ? [market] : [];
      });
      const given = session.http.fixtures.exchanges();
      const { path: parameters = {}, query = {} } = path ? endpoint(path) : {};
      const kinds: FixtureKind[] = Object.values(parameters);
      if ('currency_id' in query) kinds.push('currencyIds');
      if ('project_id' in query) kinds.push('projectIds');
      const values = await Promise.all(
        kinds.map(async (kind) => [kind, (await session.fixtures(kind)).ids] as const),
      );
      return {
        // The first response shows the target's clock.
        now: session.http.targetNow(),
        values: {
          ...Object.fromEntries(values),
          exchanges: given.length > 0 ? given : [...new Set(markets)].toSorted(),
        },
      };
    },

    /** The trial of a request; undefined when too few requests are left for it. @throws Untested without a fixture */
    async try(drawn: DrawnRequest): Promise<Trial | undefined> {
      const name = JSON.stringify(drawn);
      const known = tried.get(name);
      if (known !== undefined) return known;
      const beside = await plain(drawn.path);
      if (beside === undefined) return undefined;
      const exchange = await ask(drawn);
      if (exchange === undefined) return undefined;
      const trial = judged(exchange, beside, session.facts);
      tried.set(name, trial);
      return trial;
    },
  };
}

/**
 * Judges an exchange together with the plain one of its endpoint. Findings of that alone are ignored, and so are findings about
 * the limiter, which depend on the whole run.
 */
function judged(exchange: Exchange, plain: Exchange, facts: Facts): Trial {
  const before = new Set(findingsOf(judgeAll([plain], facts)).map(keyOf));
  const both = [...new Set([plain, exchange])].toSorted((a, b) => numberOf(a.id) - numberOf(b.id));
  const judgement = judgeAll(both, facts);
  return {
    exchange,
    findings: findingsOf(judgement).filter((finding) => !before.has(keyOf(finding))),
    isJudged: judgement.requirements.get(OF_PROPERTIES)?.exchanges.has(exchange.id) === true,
  };
}

function findingsOf(judgement: Judgement): Finding[] {
  return [...judgement.requirements]
    .filter(([id]) => requirementOf(id).level !== 'observe' && requirementOf(id).section !== '8')
    .flatMap(([, { findings }]) => findings);
}

const keyOf = ({ requirement, message, pointer, exchange }: Finding): string =>
  JSON.stringify([requirement, message, pointer, exchange]);
