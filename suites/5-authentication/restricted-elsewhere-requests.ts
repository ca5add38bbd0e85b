// Requests with the restricted key where it has access (§5). A run spreads them, so that none waits for the key's
// window.
import {
  ENDPOINT_PATHS,
  endpoint,
  identifierOf,
  type EndpointPath,
} from '../../src/spec/endpoints.ts';
import type { KeyRole } from '../../src/spec/exchange.ts';
import { LEFT_TO_OTHERS } from '../../src/ask/properties.ts';
import {
  ifUntested,
  plain,
  someOf,
  Untested,
  type Answer,
  type Ask,
  type CheckContext,
} from '../../src/ask/index.ts';
import { withKey } from './requests.ts';
import {
  allowed,
  allOrSome,
  mayAsk,
  mustBeAllowed,
  notAsked,
} from '../families/restricted-key-requests.ts';
import {
  belowUnknown,
  INFO,
  malformed,
  OF_CURRENCY,
} from '../7-errors/unknown-currency-requests.ts';
import { unknownResource } from '../7-errors/unknown-resource-requests.ts';

/** How many endpoints to try. */
const MAX_ENDPOINTS = 3;

/**
 * The first endpoints open to the restricted key.
 * @throws Untested if there are none
 */
export const elsewhere: Ask = async (context) => {
  const paths = allowed(context);
  if (paths.length === 0) throw new Untested('keys.restricted.forbidden names every endpoint');
  const answers: Answer[] = [];
  for (const path of paths.slice(0, MAX_ENDPOINTS)) {
    const [answer] = await withKey(path, { role: 'restricted' }, context);
    if (answer !== undefined) answers.push(answer);
  }
  return answers;
};

type AskOf = (path: EndpointPath, context: CheckContext) => Promise<Answer | readonly Answer[]>;

/** Asks only if the restricted key has access and a valid key succeeds. Throws like `mustBeAllowed`. */
const whereAllowed =
  (ask: AskOf): AskOf =>
  async (path, context) => {
    await mustBeAllowed(context, path);
    return ask(path, context);
  };

/** Lists without identifiers, whose parameters are unspecified. */
export const LISTS = ENDPOINT_PATHS.filter(
  (path) => endpoint(path).section === '4.7' && Object.keys(endpoint(path).path).length === 0,
);

/** The plain request of an endpoint. */
export const plainly = whereAllowed((path, { api }) => plain(api, path, { role: 'restricted' }));

/** Endpoints of which valid keys request one or two records. */
export const ONE_RECORD: readonly EndpointPath[] = [
  '/currencies/{currency_id}',
  '/currencies/{currency_id}/market-snapshot',
  '/currencies/{currency_id}/token-economics',
  '/currencies/{currency_id}/klines',
  '/crypto-stocks/{stock_ticker}/market-snapshot',
  '/macro/events/{event}/history',
];

/** The same for endpoints whose other records are requested only in full. */
export const ONE_IN_FULL: readonly EndpointPath[] = [
  '/etfs/{ticker}/history',
  '/etfs/{ticker}/market-snapshot',
  '/crypto-stocks/{stock_ticker}/klines',
  '/crypto-stocks/{stock_ticker}/market-cap',
  '/crypto-stocks/sector/{sector_name}/index',
  '/indices/{index_ticker}/market-snapshot',
  '/indices/{index_ticker}/constituents',
  '/indices/{index_ticker}/klines',
  '/fundraising/projects/{project_id}',
  '/currencies/{currency_id}/fundraising',
  '/currencies/{currency_id}/pairs',
];

/**
 * Records not yet requested with a valid key, with the restricted key.
 * @throws Untested if there are none left
 */
export const others = (wanted: (known: number) => number): AskOf =>
  whereAllowed(async (path, context) => {
    const answers: Answer[] = [];
    for (const id of await notAsked(context, path, wanted)) {
      answers.push(await recordOf(path, id, 'restricted', context));
    }
    if (answers.length === 0)
      throw new Untested(`the run has already requested every known identifier for ${path}`);
    return answers;
  });

const recordOf = (
  path: EndpointPath,
  id: string,
  role: KeyRole,
  { api }: CheckContext,
): Promise<Answer> =>
  plain(api, path, { role, path: { [identifierOf(path).name]: id }, anyAnswer: true });

/** Most records to request with valid keys where the restricted key has no access. */
const MOST_BY_VALID_KEY = 16;
/** Requests to leave for later checks, such as a burst that fills a window and the last lists with a valid key. */
const LEFT = LEFT_TO_OTHERS + 12;

/**
 * The same with valid keys where the restricted key has no access: one record of each endpoint in turn, as far as the
 * budget allows.
 * @throws Untested if there are none, or no requests are left
 */
export const othersElsewhere: Ask = async (context) => {
  const left = context.session.http.budgetLeft('valid') - LEFT;
  const most = Math.max(0, Math.min(left, MOST_BY_VALID_KEY));
  const turns: { at: number; path: EndpointPath; id: string }[] = [];
  for (const path of most > 0 ? [...ONE_RECORD, ...ONE_IN_FULL] : []) {
    if (mayAsk(context, path)) continue;
    const ids = await notAsked(context, path, allOrSome).catch(ifUntested(() => []));
    turns.push(...ids.map((id, at) => ({ at, path, id })));
  }
  const requests = turns.toSorted((a, b) => a.at - b.at).slice(0, most);
  if (requests.length === 0)
    throw new Untested('the restricted key may call every endpoint, or no requests are left');
  return someOf(
    requests.map(
      ({ path, id }) =>
        () =>
          recordOf(path, id, 'valid', context),
    ),
  );
};

/** A currency that does not exist. */
export const unknownCurrencyOf = whereAllowed((path, context) =>
  belowUnknown(context, path, 'restricted'),
);

/** Endpoints below a currency. Valid keys request the info itself with a malformed id. */
export const BELOW_CURRENCY = OF_CURRENCY.filter((path) => path !== INFO);

/** A malformed currency_id. */
export const malformedCurrencyOf = whereAllowed((path, context) =>
  malformed(context, path, 'restricted'),
);

/** An identifier of another kind that does not exist. */
export const unknownOf = whereAllowed((path, context) =>
  unknownResource(context, path, 'restricted'),
);
