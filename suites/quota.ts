// Traffic for the monthly quota of §8: the key near its end is used up.
import type { Exchange, KeyRole } from '../src/contract/exchange.ts';
import { Untested, type Answer, type CheckContext } from '../src/suite/index.ts';
import { goodRequest, traffic } from './limits.ts';

type Session = CheckContext['session'];

const NEAR_QUOTA: KeyRole = 'nearQuota';

/**
 * All requests that the key near its quota has left, and one more.
 * @throws Untested when the key was used up before
 */
export async function usedUpQuota(session: Session): Promise<Answer[]> {
  const own = (): Exchange[] =>
    session.exchanges.filter(({ role, response }) => role === NEAR_QUOTA && response !== null);
  const left = session.facts.quotaLeft ?? 0;
  const send = await goodRequest(session);
  while (own().length <= left) {
    const { response } = await send({ role: NEAR_QUOTA, fresh: true });
    if (response === null || response.status >= 400) break;
  }
  const [first] = own();
  if ((first?.response?.status ?? 0) >= 400) {
    throw new Untested(
      `keys.nearQuota was refused from its first request on (status ${first?.response?.status}): its quota was used up before the run. Give a key with requests left, and their number`,
    );
  }
  return traffic(session);
}
