// What a run asks to see resources (§2): plain answers, and more where the first one may have nothing to show.
import { endpoint, type EndpointPath } from '../../src/spec/endpoints.ts';
import {
  plain,
  someOf,
  Untested,
  type Answer,
  type Ask,
  type CheckContext,
} from '../../src/ask/index.ts';
import { besideItsPairs, PAIRS, pairsSeen } from '../4.1-currencies/requests.ts';

type Api = CheckContext['api'];

const FUNDRAISING = '/currencies/{currency_id}/fundraising';

/** How many currencies are asked until one has fundraising rounds. */
const MOST_CURRENCIES = 4;

/** The fundraising of a currency that has rounds, and of those that were asked before it. */
async function fundraising(api: Api): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const id of (await api.fixtures('currencyIds', FUNDRAISING)).slice(0, MOST_CURRENCIES)) {
    const answer = await plain(api, FUNDRAISING, { path: { currency_id: id } });
    answers.push(answer);
    if (hasRounds(answer)) break;
  }
  return answers;
}

function hasRounds({ records }: Answer): boolean {
  const rounds = (records[0]?.value as Partial<Record<string, unknown>> | undefined)?.[
    'fundraising_rounds'
  ];
  return Array.isArray(rounds) && rounds.length > 0;
}

/** What some endpoints show. Those that withhold their answers do not keep the others from being judged. */
export const shownAt =
  (...paths: readonly EndpointPath[]): Ask =>
  ({ api }) =>
    someOf(
      paths.map((path) => (): Promise<Answer | readonly Answer[]> => {
        if (path === FUNDRAISING) return fundraising(api);
        return path === PAIRS ? pairsSeen(api) : plain(api, path);
      }),
    );

/**
 * What an endpoint shows of the fixture at a place of the list, from 0.
 * @throws Untested when the list is shorter
 */
export const atPlace =
  (path: EndpointPath) =>
  async (at: number, { api }: Pick<CheckContext, 'api'>): Promise<Answer> => {
    const [[name, kind] = []] = Object.entries(endpoint(path).path);
    if (name === undefined || kind === undefined) throw new TypeError(`${path} has no fixture`);
    const id = (await api.fixtures(kind, path))[at];
    if (id === undefined)
      throw new Untested(`needs ${at + 1} identifiers: add to fixtures.${kind}`);
    return plain(api, path, { path: { [name]: id } });
  };

/** What an endpoint shows of a currency, and pairs of it. */
export const besidePairs =
  (path: EndpointPath): Ask =>
  async ({ api }) => {
    const { path: currency, seen } = await besideItsPairs(api);
    return [await plain(api, path, { path: currency }), ...seen];
  };
