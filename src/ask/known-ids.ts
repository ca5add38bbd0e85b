import { endpoint, type EndpointPath, type FixtureKind } from '../spec/endpoints.ts';
import type { Exchange } from '../spec/exchange.ts';
import type { FixtureAnswer } from '../target/discover.ts';
import { byForm } from '../target/file/forms.ts';

/** Endpoints that show whether paths accept an identifier. */
const PROBES: Readonly<Partial<Record<FixtureKind, EndpointPath>>> = {
  currencyIds: '/currencies/{currency_id}',
  etfTickers: '/etfs/{ticker}/history',
  stockTickers: '/crypto-stocks/{stock_ticker}/market-snapshot',
  indexTickers: '/indices/{index_ticker}/market-snapshot',
  sectorNames: '/crypto-stocks/sector/{sector_name}/index',
  macroEvents: '/macro/events/{event}/history',
  projectIds: '/fundraising/projects/{project_id}',
};

/** Most identifiers to try. */
const MOST_TRIED = 3;

/**
 * Identifiers that keep their position: the one in most requests, and the default or the first one of the list.
 */
const KEPT = 2;

/**
 * Fixtures that paths accept. Those of the target file are used as they are. A list endpoint may show other names than
 * paths accept (a ticker instead of a symbol, a display name instead of a slug): the plain request, which a run needs
 * anyway, is sent with up to three candidates until one exists. After the first two identifiers, those of other forms
 * come first, so that a few of them cover each form.
 * @param find the fixtures of a kind
 * @param probe sends the plain request of an endpoint with the given path parameters
 */
export function knownIds(
  find: (kind: FixtureKind) => Promise<FixtureAnswer>,
  probe: (path: EndpointPath, parameters: Readonly<Record<string, string>>) => Promise<Exchange>,
) {
  const known = new Map<FixtureKind, Promise<FixtureAnswer>>();
  /** Identifiers from lists of the target so far, by path parameter. */
  const discovered: Record<string, string[]> = {};
  let discoveries = 0;
  /** Existing fixtures of the kinds requested so far, in the order of the default seed. */
  const shown: Partial<Record<FixtureKind, readonly string[]>> = {};

  const confirm = async (kind: FixtureKind): Promise<FixtureAnswer> => {
    const answer = await find(kind);
    if (answer.ids.length > 0) shown[kind] = answer.listed ?? answer.ids;
    const path = PROBES[kind];
    if (answer.source !== 'discovered' || path === undefined) return answer;
    const [name = ''] = Object.keys(endpoint(path).path);
    const lists = candidates(answer);
    const all = new Set(lists.flat());
    (discovered[name] ??= []).push(...all);
    discoveries += all.size;
    for (const ids of lists) {
      const [id] = ids;
      if (id === undefined) continue;
      const { response } = await probe(path, { [name]: id });
      if (isUnknown(path, response?.status ?? 0)) continue;
      const other = answer.others?.indexOf(ids) ?? -1;
      if (other !== -1) shown[kind] = answer.listedOthers?.[other] ?? ids;
      return answer.drawn === true && id === answer.ids[1]
        ? useDefault(answer)
        : { ...answer, ids };
    }
    return answer;
  };

  return {
    discovered: discovered as Readonly<Record<string, readonly string[]>>,
    shown: shown as Readonly<typeof shown>,
    /** Number of discovered identifiers; it only grows. */
    discoveries: (): number => discoveries,
    /** Fixtures of a kind, best one first. Rejects when a request cannot be sent. */
    async get(kind: FixtureKind): Promise<FixtureAnswer> {
      const confirmed =
        known.get(kind) ??
        confirm(kind).then((answer) => ({ ...answer, ids: byForm(answer.ids, KEPT) }));
      known.set(kind, confirmed);
      confirmed.catch(() => known.delete(kind));
      return confirmed;
    },
  };
}

/** Where parameters are not specified, a 400 may be about any of them. */
function isUnknown(path: EndpointPath, status: number): boolean {
  if (status === 404) return true;
  return endpoint(path).response.kind !== 'unstated' && (status === 400 || status === 422);
}

/** Moves the drawn identifier to the end when paths do not accept it; the default one is used instead. */
function useDefault({ ids, source, reason, exchanges }: FixtureAnswer): FixtureAnswer {
  return { ids: [...ids.slice(1), ...ids.slice(0, 1)], source, reason, exchanges };
}

/** Lists to try in order: other names of the same entries first, then other entries. */
function candidates({ ids, others = [] }: FixtureAnswer): readonly (readonly string[])[] {
  const rotations = ids.slice(1, MOST_TRIED).map((id) => [id, ...ids.filter((one) => one !== id)]);
  const named = others.filter(([first]) => first !== undefined && first !== ids[0]);
  return [ids, ...named, ...rotations].slice(0, MOST_TRIED);
}
