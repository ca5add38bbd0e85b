// Tests a later window with the restricted key, at no cost to the valid keys.
import { limitEnforced } from './admission.ts';
import { Untested, type Ask } from '../../src/ask/index.ts';
import { again, traffic, untilEnd } from './requests.ts';

/** Share of the window left when the restricted key tries again. */
const NEARLY_OVER = 0.12;

/**
 * Uses up a window of the restricted key, exceeds it by one request, and tries another endpoint shortly before the
 * window ends, which must also be refused.
 * @returns all answers to the restricted key in this run
 * @throws Untested without such a key, without a good request to repeat, or if no window was used up
 */
export const restrictedWindow: Ask = async ({ session, judged }) => {
  await session.requireKeys(['restricted-key']);
  const good = session.exchanges
    .filter(({ role, response }) => role === 'restricted' && response?.status === 200)
    .toSorted((a, b) => (a.response?.bytes ?? 0) - (b.response?.bytes ?? 0));
  const [first] = good;
  const other = good.find(({ endpoint }) => endpoint?.startsWith('/news') === true) ?? good.at(-1);
  if (first === undefined || other === undefined) {
    throw new Untested('no request with the restricted key was answered with 200');
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
    // Independent of the time left, so that a replay sends the same requests.
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
