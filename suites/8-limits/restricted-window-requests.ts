// A later window of the restricted key: whether the limit still holds costs the valid keys nothing.
import { limitEnforced } from './admission.ts';
import { Untested, type Ask } from '../../src/ask/index.ts';
import { again, traffic, untilEnd } from './requests.ts';

/** Part of a window that is left when the restricted key asks again in vain. */
const NEARLY_OVER = 0.12;

/**
 * The rest of a window of the restricted key, one request beyond it, and another one of another endpoint when the window
 * is nearly over: that has to be refused as well. It is a later window of its key, and costs the valid keys nothing.
 * @returns what the restricted key was answered in the whole run
 * @throws Untested without such a key, when there is no answer of it to ask for again, and when no window was used up
 */
export const restrictedWindow: Ask = async ({ session, judged }) => {
  await session.requireKeys(['restricted-key']);
  const good = session.exchanges
    .filter(({ role, response }) => role === 'restricted' && response?.status === 200)
    .toSorted((a, b) => (a.response?.bytes ?? 0) - (b.response?.bytes ?? 0));
  const [first] = good;
  const other = good.find(({ endpoint }) => endpoint?.startsWith('/news') === true) ?? good.at(-1);
  if (first === undefined || other === undefined) {
    throw new Untested('no request of the restricted key was answered with 200');
  }
  const pin = await session.http.pin('restricted', 0);
  try {
    const { requests, windowMs } = session.facts.limits;
    let refused = false;
    for (let sent = 0; sent <= requests && !refused; sent += 1) {
      const force = pin.capacity().full;
      const { response } = await again(session, first)({ pin, force, repeat: false });
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
  if (judged(limitEnforced, 'restricted') === undefined) {
    throw new Untested('the restricted key did not use up a whole window');
  }
  return traffic(session).filter(({ exchange }) => exchange.role === 'restricted');
};
