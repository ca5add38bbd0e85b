// Uses up the near-quota key (§8).
import type { Exchange, KeyRole } from '../../src/spec/exchange.ts';
import { isInvalidRequestStatus } from '../../src/judge/expectation.ts';
import type { Judge } from '../../src/judge/judge.ts';
import { NEEDS_TIME, NO_DATA } from '../../src/spec/cause.ts';
import {
  Untested,
  type Answer,
  type Ask,
  type CheckContext,
  type Query,
} from '../../src/ask/index.ts';
import { groupBy } from '../../src/text/group-by.ts';
import { newMonth } from './quota.ts';
import { again, goodOf, goodRequest, judgeable, traffic } from './requests.ts';

type Session = CheckContext['session'];

const NEAR_QUOTA: KeyRole = 'nearQuota';
/** How many requests with the near-quota key may fail. */
const MAX_LOST = 2;

/** News that no other request of a run covers, the most informative first, including page 2 at the default size. */
const OTHER_NEWS = [
  { category: 1, language: 'fr', page: 2 },
  { category: 7, language: 'vi' },
  { category: 13, language: 'pt' },
  { category: 4, language: 'tr' },
  { category: 2, language: 'en' },
  { language: 'ja' },
  { language: 'ru' },
  { language: 'es' },
] as const satisfies readonly Query[];

/**
 * Sends all requests that the near-quota key has left, and one more. Every request counts, so these explore news the
 * run has not covered.
 * @throws Untested if the key was already used up
 */
export async function usedUpQuota({ session }: Pick<CheckContext, 'session'>): Promise<Answer[]> {
  const own = (): Exchange[] =>
    session.exchanges.filter(({ role, response }) => role === NEAR_QUOTA && response !== null);
  mustBeOfThisMonth(session.exchanges.slice(-1));
  const left = session.facts.quotaLeft ?? 0;
  const send = await goodRequest(session);
  const others = own().length === 0 ? await otherNews(session) : [];
  let lost = 0;
  let refused = false;
  // Several checks call this; do not repeat the final refusal.
  const most = isRefused(own().at(-1)) ? 0 : left + 1;
  while (counted(own()).length < most && lost <= MAX_LOST) {
    const query = counted(own()).length < left ? others.shift() : undefined;
    const { response } = await (query === undefined
      ? send({ role: NEAR_QUOTA, fresh: true })
      : session.send('/news', { role: NEAR_QUOTA, query }));
    // A lost request proves nothing, and the quota leaves no retries.
    if (response === null || response.status >= 500) lost += 1;
    else if (query !== undefined && isInvalidRequestStatus(response.status)) {
      // The refusal may be due to the quota; a valid key shows whether it is the request.
      await session.send('/news', { query });
      others.length = 0;
    } else if (response.status >= 400) {
      // Before the quota is used up, the window may be what refuses: try again in the next one.
      if (refused || response.status !== 429 || counted(own()).length >= left) break;
      refused = true;
      await session.http.pass(session.facts.limits.windowMs);
    } else refused = false;
  }
  mustBeOfThisMonth(own());
  const [first] = own();
  if ((first?.response?.status ?? 0) >= 400) {
    throw new Untested(
      `keys.nearQuota was refused on its first request (status ${first?.response?.status}): its quota was used up before the run. Set a key with requests left, and set keys.nearQuota.remaining to their number`,
    );
  }
  return traffic(session);
}

/** Once the quota is used up, a request to each group of endpoints, such as `/news` and those below it. */
export const beyondQuota: Ask = async (context) => {
  await usedUpQuota(context);
  const { session } = context;
  const used = session.exchanges.findLast(({ role }) => role === NEAR_QUOTA);
  const groups = groupBy(goodOf(session, 'valid'), ({ endpoint }) => endpoint?.split('/')[1]);
  for (const [one] of isRefused(used) ? groups.values() : []) {
    if (one !== undefined) await again(session, one)({ role: NEAR_QUOTA, fresh: true });
  }
  return traffic(session);
};

/** Like {@link usedUpQuota}, for what only a refusal shows. */
export const refusedByQuota = (judge: Judge): Ask =>
  judgeable(judge, usedUpQuota, ({ session: { exchanges } }) => {
    const isUsed = exchanges.some((one) => one.role === NEAR_QUOTA && isRefused(one));
    return new Untested(
      `the near-quota key was ${isUsed ? 'refused too late to show it' : 'never refused'}`,
      NO_DATA,
    );
  });

function mustBeOfThisMonth(exchanges: readonly Exchange[]): void {
  const month = newMonth(exchanges);
  if (month === undefined) return;
  throw new Untested(
    `it is ${month} at the target, so the near-quota key has a new quota: keys.nearQuota.remaining is the number of another month`,
    NEEDS_TIME,
  );
}

const isRefused = (exchange: Exchange | undefined): boolean => {
  const { status = 0 } = exchange?.response ?? {};
  return status >= 400 && status < 500;
};

/** Requests that may have counted against the quota. */
const counted = (exchanges: readonly Exchange[]): readonly Exchange[] =>
  exchanges.filter(({ response }) => {
    const { status = 500 } = response ?? {};
    return status < 500 && status !== 429;
  });

/** Further news requests, if a valid key gets news at all. */
async function otherNews(session: Session): Promise<[string, string][][]> {
  const { response } = await session.send('/news', {});
  if (response?.status !== 200) return [];
  return OTHER_NEWS.map((query) =>
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
}
