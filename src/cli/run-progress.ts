import type { Progress } from '../report/progress.ts';
import type { RunListener } from '../run/run.ts';
import { PROFILE_BOUNDS, type Profile } from '../ask/profiles.ts';
import type { Target } from '../target/target.ts';

/** Shows how a run goes on. */
export function progressListener(
  progress: Progress,
  profile: Profile,
  maxRequests: number | null,
  { keys, limits }: Target,
): RunListener {
  let started = false;
  const state = {
    done: 0,
    total: 0,
    requests: 0,
    waitingUntil: null as number | null,
    currentTitle: null as string | null,
    findings: 0,
  };
  const update = (): void => {
    if (!started) {
      started = true;
      progress.start({
        total: state.total,
        // Repeats after failures come on top.
        requests: maxRequests ?? PROFILE_BOUNDS[profile].total,
        keys: keys.valid.length,
        limit: limits.requests,
        windowMs: limits.windowMs,
      });
    }
    progress.update({ ...state });
  };
  return {
    onCheck({ meta, outcome }, { requirements, of }) {
      state.done = requirements;
      state.total = of;
      state.requests = meta.session?.byRole.valid ?? state.requests;
      state.waitingUntil = null;
      state.currentTitle = `${meta.requirement} ${meta.check}`;
      if (outcome.kind === 'failed' || outcome.kind === 'warned') {
        state.findings += 1;
        progress.finding({
          requirement: meta.requirement,
          outcome: outcome.kind,
          message: outcome.reason ?? meta.check,
        });
      }
      update();
    },
    onEvent(event) {
      if (event.type !== 'wait') return;
      state.waitingUntil = event.untilMs;
      update();
    },
  };
}
