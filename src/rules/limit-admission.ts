import type { Context } from './context.ts';
import type { Judgement, Rule } from './judgement.ts';
import {
  failuresCount,
  isBefore,
  sameWindow,
  step,
  trafficOf,
  type KeyTraffic,
  type RateAnswer,
} from './limit-traffic.ts';
import { place } from './transport.ts';

/** Target's time at which the answer arrived, epoch ms, as well as it is known. */
const arrived = ({ view }: RateAnswer): number => view.now;
/** Time between the sending of one request and the arrival of another answer, ms. */
const span = (a: RateAnswer, b: RateAnswer): number =>
  b.view.now - (a.view.exchange.sentAt + a.view.exchange.skewMs);

/**
 * §8, ruling 13: in one window no more than the limit is admitted. Counted from each answer that announces a reset: what
 * is admitted before that reset, and within one window length, is too much in fixed and in sliding windows alike. A
 * target that announces nothing may have fixed windows of which we do not know the start, so only more than twice the
 * limit within one window length proves something.
 */
const limitEnforced: Rule = {
  name: 'limit-enforced',
  requirements: ['8/limit-enforced'],
  all(views, context, into) {
    const traffic = trafficOf(views, context);
    const failures = failuresCount(traffic) === true;
    for (const { answers } of traffic) {
      const admitted = answers.filter(
        ({ kind }) => kind === 'served' || (kind === 'failed' && failures),
      );
      if (!judgeExcess(admitted, context, into)) judgeEnforced(answers, failures, context, into);
    }
  },
};

function judgeExcess(admitted: readonly RateAnswer[], context: Context, into: Judgement): boolean {
  const { requests, windowMs } = context.limits;
  let until: RateAnswer | undefined;
  for (const [index, first] of admitted.entries()) {
    // One finding a window: the next one starts behind what was found.
    if (until !== undefined && isBefore(first, until)) continue;
    const announced = admitted
      .slice(index)
      .filter((answer) => sameWindow(first, answer) || isWithin(first, answer, windowMs));
    const extra = announced[requests];
    if (extra !== undefined && first.kind === 'served') {
      into.found('8/limit-enforced', extra.view, {
        message: `${announced.length} requests of one key were admitted in one window, counted from ${first.view.exchange.id}`,
        expected: `429 for the request after the ${requests} that the window admits`,
        actual: `status ${extra.view.status} on request ${requests + 1}; announced reset ${first.reset}`,
      });
      until = announced.at(-1);
      continue;
    }
    const most = 2 * requests;
    const late = admitted[index + most];
    if (late !== undefined && span(first, late) < windowMs) {
      into.found('8/limit-enforced', late.view, {
        message: `More than ${most} requests of one key were admitted within ${windowMs} ms, counted from ${first.view.exchange.id}`,
        expected: `at most ${requests} in any window, so at most ${most} where two windows meet`,
        actual: `status ${late.view.status} on request ${most + 1}`,
      });
      until = late;
    }
  }
  return until !== undefined;
}

/** True when both lie in one window of any kind: before the announced end, and closer than one window length. */
function isWithin(first: RateAnswer, answer: RateAnswer, windowMs: number): boolean {
  if (first.reset === null || first.reset > first.latest + windowMs) return false;
  return (
    isBefore(first, answer) &&
    answer.latest < Math.min(first.reset, first.earliest + windowMs)
  );
}

/** A refusal shows that the limit is kept when the window was used up: by the figures, or by our own count. */
function judgeEnforced(
  answers: readonly RateAnswer[],
  failures: boolean,
  { limits: { requests, windowMs } }: Context,
  into: Judgement,
): void {
  for (const [index, refusal] of answers.entries()) {
    if (refusal.kind !== 'limited') continue;
    const before = answers.slice(0, index).filter((answer) => isBefore(answer, refusal));
    const announced = before.some(
      (answer) => answer.remaining === 0 && answer.kind !== 'limited' && sameWindow(answer, refusal),
    );
    const recent = before.filter(
      (answer) =>
        (answer.kind === 'served' || (answer.kind === 'failed' && failures)) &&
        span(answer, refusal) < windowMs,
    );
    if (announced || recent.length >= requests) into.judged('8/limit-enforced', refusal.view);
  }
}

/**
 * A run of requests of one key that starts a window (Remaining is the limit less one) and that leaves nothing out:
 * Remaining goes down by one each time, so nobody else used the key meanwhile.
 */
interface Chain {
  readonly first: RateAnswer;
  /** Requests that were counted. */
  counted: number;
  last: RateAnswer;
  /** The refusal that ended it; null while it goes on. */
  refusal: RateAnswer | null;
}

function chainsOf(answers: readonly RateAnswer[], start: number, windowMs: number): Chain[] {
  const chains: Chain[] = [];
  let chain: Chain | undefined;
  for (const answer of answers) {
    if (answer.kind === 'served' && answer.remaining === start && !repeats(chain, answer)) {
      chain = { first: answer, counted: 1, last: answer, refusal: null };
      chains.push(chain);
      continue;
    }
    if (chain === undefined) continue;
    const together = sameWindow(chain.first, answer) || span(chain.first, answer) < windowMs;
    const down =
      chain.last.remaining === null || answer.remaining === null
        ? null
        : chain.last.remaining - answer.remaining;
    if (!together || !isBefore(chain.last, answer)) chain = undefined;
    else if (answer.kind === 'limited') {
      chain.refusal = answer;
      chain = undefined;
    } else if (down === 1 || (down === 0 && answer.kind === 'failed')) {
      chain.counted += down;
      chain.last = answer;
    } else chain = undefined;
  }
  return chains;
}

/** The same figure twice in one window is no new start. */
function repeats(chain: Chain | undefined, answer: RateAnswer): boolean {
  return chain !== undefined && sameWindow(chain.first, answer);
}

/**
 * §8, ruling 13: every request within the limit is admitted. Judged on windows that we saw from their beginning to a
 * refusal, on keys that show no use by others: somebody else's requests look like a limit that is too low. Where all
 * windows of several keys begin with the same lower figure, it is the target that counts from there; on a single key it
 * may be a monitor that asks once a minute.
 */
const limitNotEarly: Rule = {
  name: 'limit-not-early',
  requirements: ['8/limit-not-early'],
  all(views, context, into) {
    const traffic = trafficOf(views, context);
    const { requests, windowMs } = context.limits;
    const start = commonStart(traffic, requests);
    for (const { answers, shared } of traffic) {
      const lower = start < requests - 1;
      for (const { refusal, counted, first } of chainsOf(answers, start, windowMs)) {
        if (refusal === null) continue;
        if (counted >= requests) into.judged('8/limit-not-early', refusal.view);
        else if (!shared) {
          into.found('8/limit-not-early', refusal.view, {
            message: `${place(refusal.view)} was refused after ${counted} requests of its window, counted from ${first.view.exchange.id}${lower ? '; every window of the run begins so' : ''}`,
            expected: `${requests} requests of a key are admitted before the first 429`,
            actual: `status 429 on request ${counted + 1}`,
          });
        }
      }
      judgeUnannounced(answers, requests, windowMs, into);
    }
  },
};

/** The limit less one, or the lower figure with which every window of the run begins. */
function commonStart(traffic: readonly KeyTraffic[], requests: number): number {
  const starts = traffic.flatMap(({ answers }) =>
    answers.filter(
      (answer, index) =>
        answer.kind === 'served' &&
        answer.reset !== null &&
        !answers.slice(0, index).some((earlier) => sameWindow(earlier, answer)),
    ),
  );
  const figure = starts[0]?.remaining ?? requests;
  const same =
    starts.length >= 3 &&
    starts.every(({ remaining }) => remaining === figure) &&
    new Set(starts.map(({ key }) => key)).size > 1;
  return same && figure < requests - 1 ? figure : requests - 1;
}

/** Without figures, as many admitted requests as the limit in the window length before a refusal show that it was in time. */
function judgeUnannounced(
  answers: readonly RateAnswer[],
  requests: number,
  windowMs: number,
  into: Judgement,
): void {
  for (const [index, refusal] of answers.entries()) {
    if (refusal.kind !== 'limited') continue;
    const recent = answers
      .slice(0, index)
      .filter((answer) => answer.kind === 'served' && span(answer, refusal) < windowMs);
    if (recent.length >= requests) into.judged('8/limit-not-early', refusal.view);
  }
}

/**
 * §8: a refused request is admitted after the reset. A refusal after it counts when the target itself announces a new
 * window by then, and the key shows no use by others; a limiter whose clock is a moment behind announces the old one.
 */
const reset: Rule = {
  name: 'limit-reset',
  requirements: ['8/reset'],
  all(views, context, into) {
    const traffic = trafficOf(views, context);
    const pooled = votesOf(traffic, context).shared.length > 0;
    for (const { answers, shared } of traffic) {
      for (const [index, refusal] of answers.entries()) {
        if (refusal.kind !== 'limited') continue;
        const end = endOf(refusal, context);
        const next = answers
          .slice(index + 1)
          .find((answer) => isBefore(refusal, answer) && arrived(answer) >= end);
        const again = answers
          .slice(index + 1)
          .some(
            (answer) =>
              answer.kind === 'limited' && isBefore(refusal, answer) && arrived(answer) < end,
          );
        // A later refusal before the reset has the last word on when the wait ends.
        if (next === undefined || again) continue;
        if (next.kind !== 'limited') into.judged('8/reset', next.view);
        else if (!shared && !pooled && endOf(next, context) > end) {
          into.found('8/reset', next.view, {
            message: `${place(next.view)} was refused after the reset that ${refusal.view.exchange.id} announced`,
            expected: `an answer from ${end} on`,
            actual: `status 429 at about ${arrived(next)}, ${arrived(next) - end} ms after the reset`,
          });
        }
      }
    }
  },
};

/** The announced end of the wait; one window from the refusal on where none is announced that can be one. */
function endOf(refusal: RateAnswer, { limits: { windowMs } }: Context): number {
  const latest = arrived(refusal) + windowMs;
  const { reset: announced } = refusal;
  return announced === null || announced > latest + 2000 ? latest : announced;
}

/** What the traffic of several keys says about their counts, as exchanges that show it. */
interface Votes {
  readonly apart: readonly RateAnswer[];
  readonly shared: readonly RateAnswer[];
}

/** Signs that keys share a count which are needed to say so: one or two may be somebody else's use of a key. */
const MIN_SHARED = 3;

/**
 * §5 rule 1, §8: keys do not influence each other. Judged by the figures of one key around the requests of others, and
 * by its being admitted or refused while another one is refused.
 */
const perKey: Rule = {
  name: 'limit-per-key',
  requirements: ['8/per-key'],
  all(views, context, into) {
    const { apart, shared } = votesOf(trafficOf(views, context), context);
    for (const { view } of apart) into.judged('8/per-key', view);
    const [first] = shared;
    if (first === undefined || shared.length < MIN_SHARED || apart.length > 0) return;
    into.found('8/per-key', first.view, {
      message: `Requests of one key count against another: ${shared.length} answers fit a count that keys share, none fits a count for each key`,
      expected: 'a count of its own for each key',
      actual:
        first.kind === 'limited'
          ? 'status 429 to a key that had not used up its window, right after another one had'
          : `X-RateLimit-Remaining ${first.remaining}, which counts the requests of other keys`,
    });
  },
};

function votesOf(traffic: readonly KeyTraffic[], context: Context): Votes {
  const apart: RateAnswer[] = [];
  const shared: RateAnswer[] = [];
  for (const { key, answers } of traffic) {
    const others = traffic
      .filter((one) => one.key !== key)
      .flatMap((one) => one.answers)
      .toSorted((a, b) => a.view.exchange.sentAt - b.view.exchange.sentAt);
    for (const [index, answer] of answers.entries()) {
      const vote = voteOf(answer, answers.slice(0, index), others, context);
      if (vote === 'apart') apart.push(answer);
      else if (vote === 'shared') shared.push(answer);
    }
  }
  return { apart, shared };
}

function voteOf(
  answer: RateAnswer,
  own: readonly RateAnswer[],
  others: readonly RateAnswer[],
  { limits: { requests, windowMs } }: Context,
): 'apart' | 'shared' | null {
  const blocked = others.some(
    (other) =>
      other.kind === 'limited' &&
      isBefore(other, answer) &&
      other.reset !== null &&
      (sameWindow(other, answer) || answer.latest < other.reset),
  );
  if (answer.kind === 'limited') {
    const used = own.filter((one) => one.kind !== 'limited' && span(one, answer) < windowMs);
    return blocked && used.length < requests / 2 ? 'shared' : null;
  }
  if (blocked) return 'apart';
  if (answer.kind !== 'served' || answer.remaining === null) return null;
  const previous = own.findLast((one) => sameWindow(one, answer));
  const between = others.filter(
    (other) =>
      other.kind === 'served' &&
      sameWindow(other, answer) &&
      isBefore(other, answer) &&
      (previous === undefined || isBefore(previous, other)),
  ).length;
  if (between === 0 || (previous !== undefined && previous.kind !== 'served')) return null;
  const down =
    previous === undefined ? requests - answer.remaining : (step([previous, answer]) ?? 0);
  if (down === 1) return 'apart';
  return down === 1 + between ? 'shared' : null;
}

export const LIMIT_ADMISSION_RULES: readonly Rule[] = [limitEnforced, limitNotEarly, reset, perKey];
