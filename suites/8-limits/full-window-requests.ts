// Exhausts windows so that the limiter must refuse (§8).
import { admittedAfterReset, limitEnforced } from './admission.ts';
import { limitNotEarly } from './early.ts';
import { headerReset } from './headers.ts';
import { perKey, perKeyOf } from './per-key.ts';
import { remainingDecrements } from './remaining.ts';
import { retryAfterFits } from './refusal.ts';
import { missingSetting, NO_DATA, notSelected } from '../../src/spec/cause.ts';
import type { Exchange } from '../../src/spec/exchange.ts';
import { RATE_HEADERS, RATE_WINDOW_MS } from '../../src/spec/limits.ts';
import type { BudgetExhausted } from '../../src/http/errors.ts';
import type { Pin } from '../../src/http/pace/pacer.ts';
import type { Judge } from '../../src/judge/judge.ts';
import { isRateRefusal } from './answers.ts';
import { allWindowChanges, isScaledAway, suspectOf, windowLength } from './windows.ts';
import { viewOf, type View } from '../../src/judge/view.ts';
import { perObject } from '../../src/text/remembered.ts';
import { Inconclusive, Untested, type Ask, type CheckContext } from '../../src/ask/index.ts';
import {
  afterEnd,
  again,
  aroundEnd,
  goodOf,
  goodRequest,
  indexOfKey,
  judgeable,
  traffic,
  untilEnd,
  withKey,
  type Send,
} from './requests.ts';

type Session = CheckContext['session'];

/** How many windows a run may spend on observing a complete one. */
const MAX_WINDOWS = 2;
/** Concurrent requests once one beyond the limit was admitted. */
const CONCURRENT = 5;
/** Requests beyond the limit if the target announces its windows. */
const MAX_BEYOND = 1 + CONCURRENT;

/** Progress of the windows filled in a run. */
const triedIn = perObject((_run: Session) => ({
  windows: 0,
  /** True if a window ended before it was used up. */
  slow: false,
  /** True if a bucket may have refilled while answers arrived. */
  givenBack: false,
  /** Requests without an answer or with a server error. */
  withheld: 0,
  sent: 0,
}));

/**
 * Provokes a refusal, if possible after a complete window. Free if the run already filled a window, otherwise the rest
 * of a window of the first valid key, or two windows per run. If those were inconclusive, because another client uses
 * the key or the target is too slow, further ones would be too.
 */
export const refusedWindow: Ask = async (context) => {
  const { session } = context;
  const progress = triedIn(session);
  const isOpen = (): boolean =>
    progress.windows < MAX_WINDOWS && !progress.slow && !isSettled(context);
  if (isOpen()) {
    const send = await goodRequest(session);
    await withKey(session, 'valid', 0, async (pin) => {
      while (isOpen()) {
        await fillWindow(context, pin, send);
        // A window that the budget cut short is inconclusive for every later check as well.
        progress.windows += 1;
      }
    });
  }
  return traffic(session);
};

const isViolated = (judge: Judge, judged: CheckContext['judged']): boolean =>
  (judged(judge)?.findings.length ?? 0) > 0;

/** A window that other keys use as well shows no more. */
function isSettled({ judged }: CheckContext): boolean {
  const enforced = judged(limitEnforced);
  if (enforced === undefined) return false;
  return (
    enforced.findings.length > 0 ||
    judged(limitNotEarly) !== undefined ||
    isViolated(perKey, judged)
  );
}

/**
 * Waits for capacity, fills a window, then exceeds it until a request is refused. A few requests are enough if windows
 * are announced; otherwise only more than two windows' worth proves that there is no limit.
 */
async function fillWindow(context: CheckContext, pin: Pin, send: Send): Promise<void> {
  const { session } = context;
  const { requests, windowMs } = session.facts.limits;
  const progress = triedIn(session);
  let beyond = 0;
  let given = 0;
  let begunAt: number | undefined;
  let count = 0;
  let passed = 0;
  let left = 0;
  for (let sent = 0; beyond <= requests; sent += 1) {
    // Send even if the window should be full: that is what is being tested. A slow target's may only seem to be.
    const seemsFull = sent > 0 && pin.capacity().available === 0;
    const force = given > 0 || (seemsFull && (passed < windowMs || left === 0));
    if (!force && sent > requests) {
      progress.slow = true;
      return;
    }
    // A bucket refills a slot per request if the target is slow, so send several at once.
    const size = beyond > 0 ? CONCURRENT : given > 0 ? given + 1 : 1;
    const exchanges = await Promise.all(
      Array.from({ length: size }, () => send({ pin, force, repeat: false })),
    );
    progress.sent += size;
    count += size;
    begunAt ??= exchanges[0]?.sentAt ?? 0;
    passed = Math.max(...exchanges.map(({ receivedAt }) => receivedAt)) - begunAt;
    progress.givenBack = count <= requests + (passed * requests) / windowMs;
    progress.withheld += exchanges.filter(
      ({ response }) => response === null || response.status >= 500,
    ).length;
    if (exchanges.some(({ response }) => response?.status === 429)) return;
    left = Math.min(...exchanges.map(({ response }) => remainingOf(response)));
    if (!force) continue;
    const isAnnounced = exchanges[0]?.response?.headers[RATE_HEADERS.reset] !== undefined;
    // A bucket refilled meanwhile and announces it: use that up first, once.
    given = given === 0 && left > 0 && left < requests ? left : 0;
    if (given === 0) beyond += size;
    if (isSettled(context) || (isAnnounced && beyond >= MAX_BEYOND)) return;
  }
}

/** Remaining requests announced; 0 if not announced. */
const remainingOf = (response: Exchange['response']): number =>
  Number(response?.headers[RATE_HEADERS.remaining] ?? 0) || 0;

const LONGER = 'give the target longer windows, and set limits.windowMs to their length';
const UNREFUSED = 'the rate limiter sent no 429 to a valid key';

/** What keeps the rest of the limiter from being judged. */
const HINDERED_BY = { hinderedBy: ['8/limit-enforced', '8/header-reset', '8/per-key'] };

/** Violations that explain why no refusal shows more. */
const HINDRANCES = [
  [limitNotEarly, '8/limit-not-early', 'keys were refused before they had used up the limit'],
  [perKey, '8/per-key', 'requests with other keys count, so no refusal shows the limit of one'],
  [remainingDecrements, '8/remaining-decrements', 'X-RateLimit-Remaining does not count requests'],
  [headerReset, '8/header-reset', 'the announced resets do not show when windows end'],
] as const;

function hindrance({ judged }: Pick<CheckContext, 'judged'>): Untested | undefined {
  const [, id, reason] = HINDRANCES.find(([judge]) => isViolated(judge, judged)) ?? [];
  return id && new Untested(reason, NO_DATA, { hinderedBy: [id] });
}

/** Why the limiter could not be judged: missing answers, no refusal, or windows that ended too soon. */
function whyUnjudged(context: CheckContext): Inconclusive | Untested {
  const { session, judged } = context;
  const { slow, givenBack, withheld, sent } = triedIn(session);
  const { windowMs, requests } = session.facts.limits;
  const lost = `${withheld} of ${sent} requests got no answer or a server error`;
  if (2 * withheld > sent) return new Inconclusive(lost);
  const isRefused = refusals(session).length > 0;
  if (!isRefused && isViolated(limitEnforced, judged)) {
    // Later requests may be refused and judged.
    return new Untested(UNREFUSED, NO_DATA, HINDERED_BY);
  }
  if (slow || (givenBack && !isRefused)) {
    const reason = `windows of ${windowMs} ms ended before ${requests + 1} requests were answered`;
    if (windowMs === RATE_WINDOW_MS) return new Untested(reason, NO_DATA, HINDERED_BY);
    return new Untested(`${reason}: ${LONGER}`, missingSetting('limits.windowMs'));
  }
  if (!isRefused) return new Inconclusive(UNREFUSED, HINDERED_BY);
  const reason = 'no window was observed from its first request to a refusal';
  return (
    hindrance(context) ??
    new Untested(withheld > 0 ? `${reason}: ${lost}` : reason, NO_DATA, HINDERED_BY)
  );
}

/**
 * Requires that the limiter can be judged afterwards; a filled window is usually enough.
 * @throws Inconclusive or Untested with the reason of `unjudged`
 */
export const limited = (judge: Judge, ask: Ask = refusedWindow): Ask =>
  judgeable(
    judge,
    // Violations may use up what the profile allows.
    (context) =>
      ask(context).catch((error: unknown) => {
        const { bound } = error as Partial<BudgetExhausted>;
        const isUsedUp = bound === 'profile' || bound === 'retries';
        throw (isUsedUp ? hindrance(context) : undefined) ?? error;
      }),
    whyUnjudged,
  );

/**
 * A refusal whose retry_after can be compared with a reset.
 * @throws Untested if there is none
 */
export const retryAfterAndReset: Ask = judgeable(
  retryAfterFits,
  refusedWindow,
  () => new Untested('no refusal has both a numeric retry_after and a reset to compare it with'),
);

/** Refusals of valid keys by the limiter. */
function refusals(session: Session): Exchange[] {
  const context = session.context();
  return session.exchanges.filter((exchange) => {
    const view = viewOf(exchange, context);
    return exchange.role === 'valid' && view !== undefined && isRateRefusal(view, context);
  });
}

/**
 * Sends a full window and one more request at once, then another one late in the window, which must also be refused, and
 * one after it.
 */
export const burst: Ask = async ({ session }) => {
  const send = await goodRequest(session);
  // A key whose limit was not seen, if there is one.
  const refused = new Set(refusals(session).map(({ key }) => key));
  const keys = session.http.keyRing.fingerprints().valid ?? [];
  const unseen = keys.findIndex((key) => !refused.has(key));
  await withKey(session, 'valid', Math.max(0, unseen), async (pin) => {
    // Earlier requests in the window could hide one too many.
    await session.http.pass(untilEnd(pin));
    await send({ pin, repeat: false });
    const { requests: length } = session.facts.limits;
    await Promise.all(Array.from({ length }, () => send({ pin, force: true, repeat: false })));
    await aroundEnd(session, pin, send, send);
  });
  return traffic(session);
};

/**
 * Uses up a later window of the restricted key, at no cost to the valid keys, exceeds it by one request, tries another endpoint shortly before the window
 * ends, which must also be refused, and goes on after it.
 * @returns all answers to the restricted key in this run
 * @throws Untested without such a key, without a good request to repeat, or if no window was used up
 */
export const restrictedWindow: Ask = async (context) => {
  const { session, judged } = context;
  await session.requireKeys(['restricted-key']);
  const good = goodOf(session, 'restricted');
  const [first] = good;
  const other = good.find(({ endpoint }) => endpoint?.startsWith('/news') === true) ?? good.at(-1);
  if (first === undefined || other === undefined) {
    throw new Untested('no request with the restricted key was answered with 200');
  }
  const send = again(session, first);
  const isUsedUp = (): boolean => judged(limitEnforced, 'restricted') !== undefined;
  for (let windows = 0; windows === 0 || (windows < MAX_WINDOWS && !isUsedUp()); windows += 1) {
    await withKey(session, 'restricted', 0, async (pin) => {
      // A window may end before it is used up: the next try begins with one, and with no requests that still count.
      if (windows > 0) await session.http.pass(untilEnd(pin) + session.facts.limits.windowMs);
      let refused = false;
      for (let sent = 0; sent <= session.facts.limits.requests && !refused; sent += 1) {
        const { full, allOurs } = pin.capacity();
        // What is announced may lag behind what was sent.
        const force = full || allOurs;
        refused = (await send({ pin, force, repeat: false })).response?.status === 429;
        if (full) break;
      }
      if (refused) await aroundEnd(session, pin, send, again(session, other));
    });
  }
  if (!isUsedUp()) {
    const { windowMs } = session.facts.limits;
    const unused = 'the restricted key did not use up a whole window';
    throw (
      hindrance(context) ??
      (windowMs === RATE_WINDOW_MS
        ? new Untested(unused, notSelected('profile', 'full'))
        : new Untested(
            `${unused} of ${windowMs} ms: ${LONGER}`,
            missingSetting('limits.windowMs'),
            HINDERED_BY,
          ))
    );
  }
  return traffic(session).filter(({ exchange }) => exchange.role === 'restricted');
};

/** A request with a previously refused key after its window. */
export const afterReset: Ask = async (context) => {
  const { session, judged } = context;
  await refusedWindow(context);
  if (judged(admittedAfterReset) === undefined && refusals(session).length > 0) {
    const send = await goodRequest(session);
    await send({ fresh: true, keyIndex: indexOfKey(session, refusals(session).at(-1)) });
  }
  return traffic(session);
};

const viewsOf = ({ exchanges, facts }: Session): readonly View[] =>
  exchanges.flatMap((exchange) => viewOf(exchange, facts) ?? []);

/**
 * A used-up key in its next window. If that window came too soon, uses most of it up and looks past its end as well,
 * since a single case may be a restarted limiter.
 * @throws Untested if windows are not announced or do not start afresh
 */
export const inTwoWindows: Ask = judgeable(
  windowLength,
  async (context) => {
    const { session, judged } = context;
    const isKnown = (): boolean => judged(windowLength) !== undefined;
    if (!isKnown()) await afterReset(context);
    const suspect = isKnown() ? undefined : suspectOf(viewsOf(session), session.context());
    if (suspect !== undefined) {
      const send = await goodRequest(session, suspect.role);
      await withKey(session, suspect.role, indexOfKey(session, suspect), async (pin) => {
        const { requests } = session.facts.limits;
        for (let sent = 0, left = requests; sent < requests && left >= requests / 2; sent += 1) {
          left = remainingOf((await send({ pin, repeat: false })).response);
        }
        await afterEnd(session, pin, send);
      });
    }
    return traffic(session);
  },
  ({ session, judged }) => {
    const known = hindrance({ judged });
    if (known !== undefined) return known;
    const [views, facts] = [viewsOf(session), session.context()];
    if (isScaledAway(views, facts)) {
      return new Untested(
        `announced resets that may be a second off do not show how long a window of ${facts.limits.windowMs} ms is: ${LONGER}`,
        missingSetting('limits.windowMs'),
      );
    }
    return new Untested(
      allWindowChanges(views, facts).every(({ prompt }) => prompt !== false)
        ? 'no response announced a new window after a key had used up its limit'
        : 'the first response in each new window came too late to show how long the window was',
    );
  },
);

/**
 * Alternates between two keys until it shows whether these share a count.
 * @throws Untested if inconclusive
 */
export const twoKeys: Ask = judgeable(
  perKey,
  async (context) => {
    const { session, judged } = context;
    await refusedWindow(context);
    const send = await goodRequest(session);
    const bothKeys = perKeyOf(session.http.keyRing.fingerprints().valid?.slice(0, 2) ?? []);
    await session.http.together(async () => {
      for (const keyIndex of [1, 0, 1, 0, 0, 1, 1, 0]) {
        if (judged(bothKeys) !== undefined) break;
        await send({ fresh: true, keyIndex });
      }
    });
    return traffic(session);
  },
  () =>
    new Untested(
      'no answer shows whether keys are counted separately: that needs X-RateLimit-Remaining and a right X-RateLimit-Reset, or an answer right after another key was refused',
    ),
);
