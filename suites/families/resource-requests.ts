// Requests that show resources (§2): plain ones, and further ones where the first may be empty.
import { identifierOf, type EndpointPath } from '../../src/spec/endpoints.ts';
import {
  plain,
  someOf,
  Untested,
  type Answer,
  type Ask,
  type CheckContext,
} from '../../src/ask/index.ts';
import { valuesAt } from '../../src/judge/values-at.ts';
import { PAIRS, currencyWithPairs, pairsSeen } from '../4.1-currencies/requests.ts';

type Api = CheckContext['api'];

const FUNDRAISING = '/currencies/{currency_id}/fundraising';

/** How many currencies to try until one has fundraising rounds. */
const MAX_CURRENCIES = 4;

/** Fundraising of the first currency with rounds, and of those tried before. */
async function fundraising(api: Api): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const id of (await api.fixtures('currencyIds', FUNDRAISING)).slice(0, MAX_CURRENCIES)) {
    const answer = await plain(api, FUNDRAISING, { path: { currency_id: id } });
    answers.push(answer);
    if (hasRounds(answer)) break;
  }
  return answers;
}

const hasRounds = ({ records }: Answer): boolean =>
  records.some((record) => valuesAt(record, '/fundraising_rounds/*').length > 0);

/** Plain answers of several endpoints. One that fails does not keep the others from being judged. */
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
 * The plain answer for the fixture at index `at`.
 * @throws Untested if there are fewer fixtures
 */
export const atPosition =
  (path: EndpointPath) =>
  async (at: number, { api }: Pick<CheckContext, 'api'>): Promise<Answer> => {
    const { name, kind } = identifierOf(path);
    const id = (await api.fixtures(kind, path))[at];
    if (id === undefined)
      throw new Untested(`needs ${at + 1} identifiers: add more to fixtures.${kind}`);
    return plain(api, path, { path: { [name]: id } });
  };

/** The plain answer for a currency, with its pairs and its symbol. */
export const withPairs =
  (path: EndpointPath): Ask =>
  async ({ api }) => {
    const { path: currency, seen } = await currencyWithPairs(api);
    const asked = new Set<EndpointPath>([path, '/currencies/{currency_id}']);
    const answers = [...asked].map((one) => plain(api, one, { path: currency }));
    return [...(await Promise.all(answers)), ...seen];
  };
