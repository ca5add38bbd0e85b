// Uses the traffic of the run so far, and adds the requests still missing (§8).
import { refusedCounted } from './windows.ts';
import type { EndpointPath } from '../../src/spec/endpoints.ts';
import type { Exchange, KeyRole } from '../../src/spec/exchange.ts';
import { RATE_HEADERS } from '../../src/spec/limits.ts';
import type { Pin } from '../../src/http/pace/pacer.ts';
import type { RequestOptions } from '../../src/http/session-options.ts';
import type { Judge } from '../../src/judge/judge.ts';
import { viewOf } from '../../src/judge/view.ts';
import {
  answerOf,
  Inconclusive,
  Untested,
  type Answer,
  type Ask,
  type CheckContext,
} from '../../src/ask/index.ts';

type Session = CheckContext['session'];

/** Endpoints without parameters to try if the run has no good request to repeat. */
const CANDIDATES: readonly EndpointPath[] = ['/analyses', '/indices', '/etfs', '/news'];

/** All judgeable answers so far. */
export function traffic(session: Session): Answer[] {
  return session.exchanges
    .filter((exchange) => viewOf(exchange, session.facts) !== undefined)
    .map((exchange) => answerOf(exchange, session.facts, null));
}

/** All judgeable answers so far; sends a request only if none succeeded yet. */
export const soFar: Ask = async ({ session }) => {
  await goodRequest(session);
  return traffic(session);
};

/**
 * Requires that the traffic so far can be judged after asking.
 * @throws the result of `nothing` otherwise
 */
export const judgeable =
  (judge: Judge, ask: Ask, nothing: (context: CheckContext) => Inconclusive | Untested): Ask =>
  async (context) => {
    const answers = await ask(context);
    if (context.judged(judge) === undefined) throw nothing(context);
    return answers;
  };

/** Repeats a good request. */
export type Send = (options: RequestOptions) => Promise<Exchange>;

/** Repeats the request of an exchange. */
export const again =
  (session: Session, { endpoint, pathParameters, request }: Exchange): Send =>
  (options) =>
    session.send(endpoint ?? request.path, {
      ...options,
      ...(endpoint === null ? {} : { pathParameters }),
      query: request.query,
    });

/** Good requests with keys of a role so far, the smallest first. */
export const goodOf = ({ exchanges }: Session, role: KeyRole): readonly Exchange[] =>
  exchanges
    .filter((one) => one.role === role && one.response?.status === 200 && isGet(one))
    .toSorted((a, b) => (a.response?.bytes ?? 0) - (b.response?.bytes ?? 0));

const isGet = ({ request }: Exchange): boolean => request.method === 'GET';

/**
 * The smallest good request so far, for repeating where only the limiter matters.
 * @throws Inconclusive if no candidate succeeds
 */
export async function goodRequest(session: Session, role: KeyRole = 'valid'): Promise<Send> {
  const [known] = goodOf(session, role);
  if (known !== undefined) return again(session, known);
  for (const path of CANDIDATES) {
    const { response } = await session.send(path, {});
    if (response?.status === 200) return (options) => session.send(path, options);
  }
  throw new Inconclusive(
    `No request was answered with 200, not even ${CANDIDATES.join(', ')}: refusals of the rate limiter cannot be distinguished from others`,
  );
}

/** Index of the key of an exchange within its role. */
export function indexOfKey({ http }: Session, exchange: Exchange | undefined): number {
  const keys = http.keyRing.fingerprints()[exchange?.role ?? 'valid'] ?? [];
  return Math.max(0, keys.indexOf(exchange?.key ?? ''));
}

/** Work with a key that nothing else uses meanwhile. */
export async function withKey(
  session: Session,
  role: KeyRole,
  keyIndex: number,
  work: (pin: Pin) => Promise<void>,
): Promise<void> {
  const pin = await session.http.pin(role, keyIndex);
  await work(pin).finally(() => pin.release());
}

/** Time until the announced end of the key's window, ms; 0 if not announced. */
export function untilEnd(pin: Pin): number {
  const { endsAt } = pin.capacity();
  return endsAt === null ? 0 : Math.max(0, endsAt - Date.now());
}

/** Share of a window by which its end may be announced too early, or shortly before which a refused key tries again. */
const AFTER_END = 0.05;
const BEFORE_END = 0.12;

/** A request with a used-up key right after the announced end of its window. Of one that is not announced, a window later. */
export async function afterEnd({ http, facts }: Session, pin: Pin, send: Send): Promise<void> {
  const left = untilEnd(pin);
  await http.pass(left + facts.limits.windowMs * AFTER_END);
  await send({ pin, force: left > 0, repeat: false });
}

/**
 * Tries a refused key shortly before its window ends, which must be refused as well, and after that. What is sent does
 * not depend on the time left, so that a replay sends the same.
 */
export async function aroundEnd(session: Session, pin: Pin, send: Send, late: Send): Promise<void> {
  const { windowMs } = session.facts.limits;
  await session.http.pass(Math.max(0, untilEnd(pin) - windowMs * BEFORE_END));
  await late({ pin, force: true, repeat: false });
  await afterEnd(session, pin, send);
}

/** Successes that show whether a target announces its windows. */
const ENOUGH = 2;

/**
 * At least two answers of one key with the header.
 * @throws Untested if the target sends the header only on refusals, or never
 */
export const answersWith =
  (name: keyof typeof RATE_HEADERS): Ask =>
  async ({ session }) => {
    const having = (): Exchange[] =>
      session.exchanges.filter(
        ({ role, response }) =>
          role === 'valid' && response?.headers[RATE_HEADERS[name]] !== undefined,
      );
    // A target that omits it on successes will not start sending it.
    if (having().length < ENOUGH && goodOf(session, 'valid').length < ENOUGH) {
      const send = await goodRequest(session);
      await session.http.together(async () => {
        for (let sent = 0; sent < ENOUGH; sent += 1) await send({ fresh: true, keyIndex: 0 });
      });
    }
    if (having().length === 0) {
      throw new Untested(`no answer has ${RATE_HEADERS[name]}, which is required only on refusals`);
    }
    return traffic(session);
  };

/**
 * Answers with the header that can be compared with each other.
 * @throws Untested if there are no two, such as with headers only on single refusals
 */
export const comparable = (
  name: keyof typeof RATE_HEADERS,
  judge: Judge,
  ask: Ask = answersWith(name),
): Ask =>
  judgeable(
    judge,
    ask,
    () =>
      new Untested(
        `no two answers can be assigned to the same window: ${RATE_HEADERS[name]} is required only on refusals, and resets that move back, or are rounded by another clock than that of \`Date\`, do not distinguish windows`,
      ),
  );

/** A request between two others with the same key, which show how it was counted. */
const between = (session: Session, good: Send, send: Send): Promise<void> =>
  session.http.together(async () => {
    for (const one of [good, send, good]) await one({ fresh: true, keyIndex: 0 });
  });

/** A 4xx between two successes of a key. */
export const failedRequest: Ask = async ({ session, judged }) => {
  if (judged(refusedCounted) === undefined) {
    const failing: Send = (options) => session.send('/etfs/summary-history', options);
    await between(session, await goodRequest(session), failing);
  }
  return traffic(session);
};

/** Requests whose answers have no X-RateLimit-Remaining, although others do, between two that have it. */
export const silentRequests: Ask = async ({ session }) => {
  const isTold = ({ response }: Exchange): boolean =>
    response?.headers[RATE_HEADERS.remaining] !== undefined;
  const good = goodOf(session, 'valid');
  const told = good.find(isTold);
  const silent = good.find((one) => !isTold(one));
  if (told !== undefined && silent !== undefined) {
    await between(session, again(session, told), again(session, silent));
  }
  return traffic(session);
};
