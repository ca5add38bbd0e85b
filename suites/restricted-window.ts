// A later window of the restricted key: whether the limit still holds costs the valid keys nothing.
import { endpoint as endpointAt, type EndpointPath } from '../src/contract/endpoints.ts';
import type { Exchange } from '../src/contract/exchange.ts';
import { Untested, type Answer, type CheckContext } from '../src/suite/index.ts';
import { again, traffic, untilEnd } from './limits.ts';
import { allowed, notAsked } from './restricted-key.ts';

/** Part of a window that is left when the restricted key asks again in vain. */
const NEARLY_OVER = 0.12;

/** Records that a run sees one or two of, and how many others the rest of a window is spent on. */
const OTHER_RECORDS: readonly (readonly [EndpointPath, number])[] = [
  ['/currencies/{currency_id}/market-snapshot', 3],
  ['/currencies/{currency_id}/klines', 2],
  ['/currencies/{currency_id}/token-economics', 2],
  ['/currencies/{currency_id}/fundraising', 2],
  ['/currencies/{currency_id}/pairs', 2],
  ['/crypto-stocks/{stock_ticker}/klines', 2],
  ['/etfs/{ticker}/history', 2],
];

/**
 * The rest of a window of the restricted key, one request beyond it, and another one of another endpoint when the window
 * is nearly over: that has to be refused as well. It is a later window of its key, and costs the valid keys nothing.
 * Whatever the rest asks for is counted, so it asks for records that the run has not seen yet.
 * @returns what the restricted key was answered in the whole run
 * @throws Untested without such a key, and when there is no answer of it to ask for again
 */
export async function restrictedWindow(context: CheckContext): Promise<Answer[]> {
  const { session } = context;
  await session.requireKeys(['restricted-key']);
  const good = session.exchanges
    .filter(({ role, response }) => role === 'restricted' && response?.status === 200)
    .toSorted((a, b) => (a.response?.bytes ?? 0) - (b.response?.bytes ?? 0));
  const [first] = good;
  const other = good.find(({ endpoint }) => endpoint?.startsWith('/news') === true) ?? good.at(-1);
  if (first === undefined || other === undefined) {
    throw new Untested('no request of the restricted key was answered with 200');
  }
  const others = await otherRecords(context);
  const pin = await session.http.pin('restricted', 0);
  try {
    const { requests, windowMs } = session.facts.limits;
    let refused = false;
    for (let sent = 0; sent <= requests && !refused; sent += 1) {
      const force = pin.capacity().available === 0;
      // What has to be refused is a request that was good before.
      const next = (force ? undefined : others.shift()) ?? first;
      const { response } = await again(session, next)({ pin, force, repeat: false });
      refused = response?.status === 429;
      if (force) break;
    }
    // Asked whatever time it is, so that a recorded run is asked for the same.
    if (refused) {
      await session.http.pass(Math.max(0, untilEnd(pin) - windowMs * NEARLY_OVER));
      await again(session, other)({ pin, force: true, repeat: false });
    }
  } finally {
    pin.release();
  }
  return traffic(session).filter(({ exchange }) => exchange.role === 'restricted');
}

/** Good requests of valid keys, each for a record that no key has asked for. */
async function otherRecords(context: CheckContext): Promise<Exchange[]> {
  const { exchanges } = context.session;
  const allowedPaths = allowed(context);
  const found: Exchange[] = [];
  for (const [path, most] of OTHER_RECORDS) {
    const known = exchanges.find(
      ({ endpoint, role, response }) =>
        endpoint === path && role === 'valid' && response?.status === 200,
    );
    const [name] = Object.keys(endpointAt(path).path);
    if (known === undefined || name === undefined || !allowedPaths.includes(path)) continue;
    for (const id of await notAsked(context, path, most)) {
      found.push({ ...known, pathParameters: { [name]: id } });
    }
  }
  return found;
}
