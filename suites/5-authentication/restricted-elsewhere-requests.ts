// What the restricted key is asked for where it may call (§5). A run spreads these requests, so that none waits for the
// window of the key.
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

/** Endpoints of those that it may call which are asked with a valid key as well. */
const MOST = 3;

/**
 * The first endpoints that the restricted key may call.
 * @throws Untested when it may call none
 */
export const elsewhere: Ask = async (context) => {
  const paths = allowed(context);
  if (paths.length === 0) throw new Untested('keys.restricted.forbidden names every endpoint');
  const answers: Answer[] = [];
  for (const path of paths.slice(0, MOST)) {
    const [answer] = await withKey(path, { role: 'restricted' }, context);
    if (answer !== undefined) answers.push(answer);
  }
  return answers;
};

type AskOf = (path: EndpointPath, context: CheckContext) => Promise<Answer | readonly Answer[]>;

/** Asks an endpoint only when the restricted key may, and a valid key is answered there. Throws as `mustBeAllowed` does. */
const whereAllowed =
  (ask: AskOf): AskOf =>
  async (path, context) => {
    await mustBeAllowed(context, path);
    return ask(path, context);
  };

/** Lists that no identifier narrows; what their parameters are is not stated. */
export const LISTS = ENDPOINT_PATHS.filter(
  (path) => endpoint(path).section === '4.7' && Object.keys(endpoint(path).path).length === 0,
);

/** The plain request of an endpoint. */
export const plainly = whereAllowed((path, { api }) => plain(api, path, { role: 'restricted' }));

/** Endpoints of which a run asks for one or two records with a valid key. */
export const ONE_RECORD: readonly EndpointPath[] = [
  '/currencies/{currency_id}',
  '/currencies/{currency_id}/market-snapshot',
  '/currencies/{currency_id}/token-economics',
  '/currencies/{currency_id}/klines',
  '/crypto-stocks/{stock_ticker}/market-snapshot',
  '/macro/events/{event}/history',
];

/** The same, where the others are looked at in full only. */
export const ONE_IN_FULL: readonly EndpointPath[] = [
  '/etfs/{ticker}/history',
  '/etfs/{ticker}/market-snapshot',
  '/crypto-stocks/{stock_ticker}/klines',
  '/crypto-stocks/sector/{sector_name}/index',
  '/indices/{index_ticker}/market-snapshot',
  '/fundraising/projects/{project_id}',
];

/** A list that is looked at as a whole in full. */
const SHORT_LIST = 20;

/** All records of a short list, and so many of a longer one. */
export const allOr = (most: number) => others((known) => (known <= SHORT_LIST ? known : most));

/**
 * Records that no valid key asked for, as many as are wanted of those known.
 * @throws Untested when the run asked for all of them
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
      throw new Untested(`the run has already requested everything known for ${path}`);
    return answers;
  });

/** A currency that does not exist. */
export const unknownCurrencyOf = whereAllowed((path, context) =>
  belowUnknown(path, context, 'restricted'),
);

/** Endpoints below a currency. The information itself is asked with a valid key for a malformed one. */
export const BELOW_CURRENCY = OF_CURRENCY.filter((path) => path !== INFO);

/** A currency_id of the wrong form. */
export const malformedCurrencyOf = whereAllowed((path, context) =>
  malformed(context, path, 'restricted'),
);

/** An identifier of another kind that does not exist. */
export const unknownOf = whereAllowed((path, context) =>
  unknownResource(context, path, 'restricted'),
);
