// Traffic for the suite of §8: what the run has seen so far, and the requests that are missing in it.
import { missingSetting, NO_DATA } from '../../contract/cause.ts';
import type { EndpointPath } from '../../contract/endpoints.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { RATE_HEADERS, RATE_WINDOW_MS } from '../../contract/limits.ts';
import type { RequirementId } from '../../contract/requirement-id.ts';
import type { Pin } from '../../http/pacer.ts';
import type { RequestOptions } from '../../http/session.ts';
import type { Judged } from '../../rules/judgement.ts';
import { isRateRefusal } from '../../rules/limit-answers.ts';
import { judgeFor } from '../../requirements/judging.ts';
import { viewOf } from '../../rules/view.ts';
import { answerOf } from '../index.ts';
import { Inconclusive, Untested, type Answer, type CheckContext } from '../index.ts';

type Session = CheckContext['session'];

/** Windows of a run that are spent at most to see one from its beginning to the refusal. */
const MOST_WINDOWS = 2;
/** Requests that are sent at the same moment when one beyond a window was admitted. */
const SIDE_BY_SIDE = 5;
/** Requests beyond a window that the target itself announces. */
const MOST_BEYOND = 1 + SIDE_BY_SIDE;

/** How the windows of a run went that were filled to see a refusal. */
interface Tried {
  windows: number;
  /** True when a window was over before it was used up. */
  slow: boolean;
  /** True when a bucket may have given back what was sent beyond a window while the answers came. */
  givenBack: boolean;
  /** Requests that got no answer, or failed in the server. */
  withheld: number;
  sent: number;
}

const tried = new WeakMap<Session, Tried>();

function triedIn(session: Session): Tried {
  const known = tried.get(session) ?? {
    windows: 0,
    slow: false,
    givenBack: false,
    withheld: 0,
    sent: 0,
  };
  tried.set(session, known);
  return known;
}

/** Endpoints without parameters, asked when the run has no good request yet that could be repeated. */
const CANDIDATES: readonly EndpointPath[] = ['/analyses', '/indices', '/etfs', '/news'];

/** All answers so far that can be judged. */
export function traffic(session: Session): Answer[] {
  return session.exchanges
    .filter((exchange) => viewOf(exchange, session.facts) !== undefined)
    .map((exchange) => answerOf(exchange, session.facts, null));
}

/**
 * What the rules find about a requirement in everything so far, or in what the keys of one role were answered; undefined
 * when there was nothing to judge.
 */
export function judgedSoFar(
  session: Session,
  id: RequirementId,
  role?: Exchange['role'],
): Judged | undefined {
  const exchanges = session.exchanges.filter((one) => role === undefined || one.role === role);
  return judgeFor(id, exchanges, session.context()).requirements.get(id);
}

/** A way to send one good request again. */
type Send = (options: RequestOptions) => Promise<Exchange>;

/** A way to send the request of an exchange again. */
export const again =
  (session: Session, { endpoint, pathParameters, request }: Exchange): Send =>
  (options) =>
    session.send(endpoint ?? request.path, {
      ...options,
      ...(endpoint === null ? {} : { pathParameters }),
      query: request.query,
    });

/**
 * The smallest good request so far, to be sent again where only the limiter matters.
 * @throws Inconclusive when none of the candidates is answered
 */
export async function goodRequest(session: Session): Promise<Send> {
  const known = session.exchanges
    .filter(({ role, response, request }) => {
      return role === 'valid' && response?.status === 200 && request.method === 'GET';
    })
    .toSorted((a, b) => (a.response?.bytes ?? 0) - (b.response?.bytes ?? 0))[0];
  if (known !== undefined) return again(session, known);
  for (const path of CANDIDATES) {
    const { response } = await session.send(path, {});
    if (response?.status === 200) return (options) => session.send(path, options);
  }
  throw new Inconclusive(
    `No request was answered with 200, not even ${CANDIDATES.join(', ')}: the limiter cannot be told from other refusals`,
  );
}

/**
 * Sees to it that a refusal is among the exchanges, and if possible a window from its beginning to the refusal. Costs
 * nothing when the run filled a window on its way; else the rest of a window of the first valid key, or two of them in a
 * whole run: what two windows did not show, because somebody else uses the key or the target is too slow, others will not.
 */
export async function refusedWindow(session: Session): Promise<Answer[]> {
  const progress = triedIn(session);
  if (!isSettled(session) && isWorthTrying(progress)) {
    const send = await goodRequest(session);
    const pin = await session.http.pin('valid', 0);
    try {
      while (isWorthTrying(progress) && !isSettled(session)) {
        await fill(session, pin, send);
        // A window that the budget did not let us fill says nothing, and whoever asks next is told so, too.
        progress.windows += 1;
      }
    } finally {
      pin.release();
    }
  }
  return traffic(session);
}

const isWorthTrying = ({ windows, slow }: Tried): boolean => windows < MOST_WINDOWS && !slow;

function isSettled(session: Session): boolean {
  const enforced = judgedSoFar(session, '8/limit-enforced');
  if (enforced === undefined) return false;
  return enforced.findings.length > 0 || judgedSoFar(session, '8/limit-not-early') !== undefined;
}

/**
 * Waits for room, then sends as many requests as a window admits, and then beyond them until one is refused. Where windows
 * are announced few do; without announcements only more than two windows could admit proves that there is no limit.
 */
async function fill(session: Session, pin: Pin, send: Send): Promise<void> {
  const { requests, windowMs } = session.facts.limits;
  const progress = triedIn(session);
  let beyond = 0;
  let given = 0;
  let begunAt: number | undefined;
  let count = 0;
  for (let sent = 0; beyond <= requests; sent += 1) {
    // What is believed to be full is what has to be tried.
    const force = given > 0 || (sent > 0 && pin.capacity().available === 0);
    if (!force && sent > requests) {
      progress.slow = true;
      return;
    }
    // Where places come back one by one, a slow target has another one for each request: several come at the same moment.
    const size = beyond > 0 ? SIDE_BY_SIDE : given > 0 ? given + 1 : 1;
    const exchanges = await Promise.all(
      Array.from({ length: size }, () => send({ pin, force, repeat: false })),
    );
    progress.sent += size;
    count += size;
    begunAt ??= exchanges[0]?.sentAt ?? 0;
    const passed = Math.max(...exchanges.map(({ receivedAt }) => receivedAt)) - begunAt;
    progress.givenBack = count <= requests + (passed * requests) / windowMs;
    progress.withheld += exchanges.filter(
      ({ response }) => response === null || response.status >= 500,
    ).length;
    if (exchanges.some(({ response }) => response?.status === 429)) return;
    if (!force) continue;
    const isAnnounced = exchanges[0]?.response?.headers[RATE_HEADERS.reset] !== undefined;
    // A bucket was filled again meanwhile, and says so: what it gives is to be used up first, once.
    const left = Math.min(...exchanges.map(({ response }) => remainingOf(response)));
    given = given === 0 && left > 0 && left < requests ? left : 0;
    if (given === 0) beyond += size;
    if (isSettled(session) || (isAnnounced && beyond >= MOST_BEYOND)) return;
  }
}

/** Requests that an answer says are left; 0 when it does not say. */
function remainingOf(response: Exchange['response']): number {
  return Number(response?.headers[RATE_HEADERS.remaining] ?? 0) || 0;
}

/**
 * Why the limiter could not be judged: the target or the network withheld its answers, or never refused; else the target is
 * too slow for its windows, or somebody else uses the key.
 */
export function unjudged(session: Session): Inconclusive | Untested {
  const { slow, givenBack, withheld, sent } = triedIn(session);
  const { windowMs, requests } = session.facts.limits;
  if (2 * withheld > sent) {
    return new Inconclusive(
      `${withheld} of ${sent} requests got no answer, or failed in the server`,
    );
  }
  if (slow || (givenBack && refusals(session).length === 0)) {
    return new Untested(
      `the target is too slow for ${requests + 1} answers within ${windowMs} ms; limits.windowMs says how long a window is`,
      windowMs === RATE_WINDOW_MS ? NO_DATA : missingSetting('limits.windowMs'),
    );
  }
  if (refusals(session).length === 0) {
    return new Inconclusive(
      'no request was refused by the rate limiter, and no window was seen to its end',
    );
  }
  return new Untested(
    withheld > 0
      ? `no window was seen from its first request to a refusal: ${withheld} of ${sent} requests got no answer, or failed in the server`
      : 'no window was seen from its first request to a refusal; somebody else seems to use the key',
  );
}

/** Refusals of valid keys by the limiter. */
function refusals(session: Session): Exchange[] {
  const context = session.context();
  return session.exchanges.filter((exchange) => {
    const view = viewOf(exchange, context);
    return exchange.role === 'valid' && view !== undefined && isRateRefusal(view, context);
  });
}

/**
 * Sends as many requests at the same moment as a fresh window admits, and one more; then one in the second half of the
 * window, which has to be refused as well.
 */
export async function burst(session: Session): Promise<void> {
  const send = await goodRequest(session);
  const pin = await session.http.pin('valid', 0);
  try {
    // What the run used before might hide one request too many.
    await session.http.pass(untilEnd(pin));
    await send({ pin, repeat: false });
    const more = { pin, force: true, repeat: false };
    const { requests } = session.facts.limits;
    await Promise.all(Array.from({ length: requests }, () => send(more)));
    await session.http.pass(untilEnd(pin) * 0.75);
    await send(more);
  } finally {
    pin.release();
  }
}

/** Time to the announced end of the key's window, ms; 0 when none is announced. */
export function untilEnd(pin: Pin): number {
  const { endsAt } = pin.capacity();
  return endsAt === null ? 0 : Math.max(0, endsAt - Date.now());
}

/** A request on a key that was refused before, once its window is over. */
export async function afterReset(session: Session): Promise<Answer[]> {
  await refusedWindow(session);
  if (judgedSoFar(session, '8/reset') === undefined && refusals(session).length > 0) {
    const send = await goodRequest(session);
    await send({ fresh: true, keyIndex: refusedKey(session) });
  }
  return traffic(session);
}

/** Index of the valid key that was refused last. */
function refusedKey(session: Session): number {
  const keys = session.http.keyRing.fingerprints().valid ?? [];
  return Math.max(0, keys.indexOf(refusals(session).at(-1)?.key ?? ''));
}

/** Requests of two keys in turn, until it shows whether they share a count. */
export async function twoKeys(session: Session): Promise<Answer[]> {
  await refusedWindow(session);
  const send = await goodRequest(session);
  const turns = [1, 0, 1, 0, 0, 1, 1, 0];
  await session.http.together(async () => {
    for (const keyIndex of turns) {
      if (judgedSoFar(session, '8/per-key') !== undefined) break;
      await send({ fresh: true, keyIndex });
    }
  });
  return traffic(session);
}

/** Good answers that show whether a target announces its windows. */
const ENOUGH = 2;

/**
 * At least two answers of one key that carry the header.
 * @throws Untested when the target sends the header with refusals only, or not at all
 */
export async function answersWith(
  session: Session,
  name: keyof typeof RATE_HEADERS,
): Promise<Answer[]> {
  const having = (): Exchange[] =>
    session.exchanges.filter(
      ({ role, response }) =>
        role === 'valid' && response?.headers[RATE_HEADERS[name]] !== undefined,
    );
  // A target whose good answers do not carry it will not begin to.
  const good = session.exchanges.filter(
    ({ role, response }) => role === 'valid' && response?.status === 200,
  );
  if (having().length < 2 && good.length < ENOUGH) {
    const send = await goodRequest(session);
    await session.http.together(async () => {
      for (let sent = 0; sent < 2; sent += 1) await send({ fresh: true, keyIndex: 0 });
    });
  }
  if (having().length === 0) {
    throw new Untested(`no answer carries ${RATE_HEADERS[name]}, which only refusals have to`);
  }
  return traffic(session);
}

/** An error of a key whose other answers carry the figures, between two successes. */
export async function failedRequest(session: Session): Promise<Answer[]> {
  if (judgedSoFar(session, '8/refused-counted') === undefined) {
    const send = await goodRequest(session);
    await session.http.together(async () => {
      await send({ fresh: true, keyIndex: 0 });
      await session.send('/etfs/summary-history', { fresh: true, keyIndex: 0 });
      await send({ fresh: true, keyIndex: 0 });
    });
  }
  return traffic(session);
}
