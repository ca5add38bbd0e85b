// Requests with the restricted key where it has access (§5). A run spreads them, so that none waits for the key's
// window.
import { ENDPOINT_PATHS, endpoint, type EndpointPath } from '../../src/spec/endpoints.ts';
import { plain, Untested, type Answer, type Ask, type CheckContext } from '../../src/ask/index.ts';
import { withKey } from './requests.ts';
import { allowed, mustBeAllowed, notAsked } from '../families/restricted-key-requests.ts';
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
  '/crypto-stocks/sector/{sector_name}/index',
  '/indices/{index_ticker}/market-snapshot',
  '/fundraising/projects/{project_id}',
];

/** The longest list to request as a whole in full. */
const SHORT_LIST = 20;

/** All records of a short list, or `most` of a longer one. */
export const allOr = (most: number) => others((known) => (known <= SHORT_LIST ? known : most));

/**
 * Records not yet requested with a valid key; `wanted` limits their number.
 * @throws Untested if there are none left
 */
export const others = (wanted: (known: number) => number): AskOf =>
  whereAllowed(async (path, context) => {
    const [name = ''] = Object.keys(endpoint(path).path);
    const answers: Answer[] = [];
    for (const id of await notAsked(context, path, wanted)) {
      const options = { role: 'restricted', path: { [name]: id }, anyAnswer: true } as const;
      answers.push(await plain(context.api, path, options));
    }
    if (answers.length === 0)
      throw new Untested(`the run has already requested every known identifier for ${path}`);
    return answers;
  });

/** A currency that does not exist. */
export const unknownCurrencyOf = whereAllowed((path, context) =>
  belowUnknown(path, context, 'restricted'),
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
