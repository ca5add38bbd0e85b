// Traffic of §8: what the run has seen so far, and the requests that are missing in it.
import { refusedCounted } from './window-kind.ts';
import type { EndpointPath } from '../../src/spec/endpoints.ts';
import type { Exchange } from '../../src/spec/exchange.ts';
import { RATE_HEADERS } from '../../src/spec/limits.ts';
import type { Pin } from '../../src/http/pace/pacer.ts';
import type { RequestOptions } from '../../src/http/session.ts';
import type { Judge } from '../../src/judge/judge.ts';
import { viewOf } from '../../src/judge/view.ts';
import { answerOf, Inconclusive, Untested } from '../../src/ask/index.ts';
import type { Answer, Ask, CheckContext } from '../../src/ask/index.ts';

type Session = CheckContext['session'];

/** Endpoints without parameters, asked when the run has no good request yet that could be repeated. */
const CANDIDATES: readonly EndpointPath[] = ['/analyses', '/indices', '/etfs', '/news'];

/** All answers so far that can be judged. */
export function traffic(session: Session): Answer[] {
  return session.exchanges
    .filter((exchange) => viewOf(exchange, session.facts) !== undefined)
    .map((exchange) => answerOf(exchange, session.facts, null));
}

/** All answers so far that can be judged; nothing is asked for their sake. */
export const soFar: Ask = ({ session }) => Promise.resolve(traffic(session));

/**
 * Asks, and sees to it that something in all answers so far can be judged.
 * @throws what `nothing` gives when nothing can
 */
export const judgeable =
  (judge: Judge, ask: Ask, nothing: (session: Session) => Inconclusive | Untested): Ask =>
  async (context) => {
    const answers = await ask(context);
    if (context.judged(judge) === undefined) throw nothing(context.session);
    return answers;
  };

/** A way to send one good request again. */
export type Send = (options: RequestOptions) => Promise<Exchange>;

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
    `No request was answered with 200, not even ${CANDIDATES.join(', ')}: refusals of the rate limiter cannot be distinguished from others`,
  );
}

/** Time to the announced end of the key's window, ms; 0 when none is announced. */
export function untilEnd(pin: Pin): number {
  const { endsAt } = pin.capacity();
  return endsAt === null ? 0 : Math.max(0, endsAt - Date.now());
}

/** Good answers that show whether a target announces its windows. */
const ENOUGH = 2;

/**
 * At least two answers of one key that carry the header.
 * @throws Untested when the target sends the header with refusals only, or not at all
 */
export const answersWith =
  (name: keyof typeof RATE_HEADERS): Ask =>
  async ({ session }) => {
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
      throw new Untested(`no answer has ${RATE_HEADERS[name]}, which is required on refusals only`);
    }
    return traffic(session);
  };

/**
 * Answers with the header that can be compared. Figures that come with single refusals only cannot be compared
 * with each other.
 * @throws Untested when there are no two of them
 */
export const comparable = (name: keyof typeof RATE_HEADERS, judge: Judge): Ask =>
  judgeable(
    judge,
    answersWith(name),
    () =>
      new Untested(
        'no two answers are known to belong to one window: the header is required on refusals only, and rounded resets need a clock that agrees with `Date`',
      ),
  );

/** An error of a key whose other answers carry the figures, between two successes. */
export const failedRequest: Ask = async ({ session, judged }) => {
  if (judged(refusedCounted) === undefined) {
    const send = await goodRequest(session);
    await session.http.together(async () => {
      await send({ fresh: true, keyIndex: 0 });
      await session.send('/etfs/summary-history', { fresh: true, keyIndex: 0 });
      await send({ fresh: true, keyIndex: 0 });
    });
  }
  return traffic(session);
};
