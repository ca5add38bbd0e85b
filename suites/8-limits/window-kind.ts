import { ERRORS_COUNT, UNDECIDED } from '../../src/spec/limits.ts';
import { judgeAll } from '../../src/judge/judge.ts';
import type { View } from '../../src/judge/view.ts';
import { kindOf } from './models.ts';
import {
  failuresCount,
  isBefore,
  pairs,
  refusalsCount,
  step,
  trafficOf,
  type RateAnswer,
} from './traffic.ts';

const QUESTION = 'Kind of window';

/** `8/window-kind`, ruling 13: the kind of limiter that explains the headers. */
export const windowKind = judgeAll((views, context, it) => {
  let undecided: RateAnswer | undefined;
  let told = false;
  const traffic = trafficOf(views, context);
  for (const { answers, granularityMs } of traffic) {
    const announced = answers.filter(({ reset }) => reset !== null);
    const last = announced.at(-1);
    if (last === undefined || announced.length < 2) continue;
    const kind = kindOf(answers, isBefore, context.limits);
    undecided ??= last;
    if (kind === 'unknown') continue;
    told = true;
    const resets = new Set(announced.map(({ reset }) => reset));
    // Shorter windows than promised end at other times, but for all keys at once.
    const isShared = traffic.some(
      (other) => other.answers !== answers && other.answers.some(({ reset }) => resets.has(reset)),
    );
    const aligned =
      announced.every(({ reset }) => (reset ?? 0) % context.limits.windowMs === 0) ||
      (isShared && granularityMs === 0);
    const start = aligned ? 'with the clock' : "with a key's first request";
    it.read(QUESTION, kind === 'fixed' ? `fixed, starting ${start}` : 'sliding', last.view);
  }
  if (!told && undecided !== undefined) it.read(QUESTION, UNDECIDED, undecided.view);
});

/** `8/refused-counted`: whether refusals and errors count against the limit. */
export const refusedCounted = judgeAll((views, context, it) => {
  const all = trafficOf(views, context);
  // Figures that do not even count what was served say nothing of errors. In a sliding window, requests expire meanwhile.
  const countServed = !all.some(
    ({ answers }) =>
      kindOf(answers, isBefore, context.limits) !== 'sliding' &&
      // Beyond the limit, 0 is all that is left to announce.
      pairs(answers).some(
        (two) => two[1].kind === 'served' && two[1].remaining !== 0 && step(two) === 0,
      ),
  );
  let undecided: View | undefined;
  let told = false;
  for (const traffic of all) {
    const { answers, complete } = traffic;
    const refused = complete ? refusalsCount(answers, context.limits.requests) : null;
    const refusal = answers.find(({ kind }) => kind === 'limited');
    if (refused !== null && refusal !== undefined) {
      it.read(
        'Requests refused with 429 count against the limit',
        refused ? 'yes' : 'no',
        refusal.view,
      );
    }
    const counted = failuresCount([traffic]);
    const failed = answers.find(({ kind }) => kind === 'failed');
    if (counted === null || failed === undefined) continue;
    undecided ??= failed.view;
    if (!counted && !countServed) continue;
    told = true;
    it.read(ERRORS_COUNT, counted ? 'yes' : 'no', failed.view);
  }
  if (!told && undecided !== undefined) it.read(ERRORS_COUNT, UNDECIDED, undecided);
});
