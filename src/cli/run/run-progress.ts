import { formatDuration } from '../../report/model/labels.ts';
import type { ProgressPlan, Progress } from '../../report/terminal/progress.ts';
import type { Cost } from '../../run/cost.ts';
import { WAS_INTERRUPTED } from '../../run/collect.ts';
import type { RunListener, RunOptions } from '../../run/run.ts';
import { plural } from '../../text/text.ts';

type Shown = Pick<RunOptions, 'target' | 'known'>;

/** Shows the progress of a run. @param cost planned cost; null when it was not counted */
export function progressListener(
  progress: Progress,
  { target, known }: Shown,
  cost: Cost | null,
): RunListener {
  const windowsAre: ProgressPlan['windowsAre'] =
    known?.mode === 'replay' ? 'irrelevant' : target.clock === undefined ? 'paced' : 'skipped';
  /** Findings so far, while it is not known that the target is the service; null once it is. */
  let held: Parameters<Progress['finding']>[0][] | null = [];
  let isLost = false;
  const tell = (): void => {
    for (const finding of held ?? []) progress.finding(finding);
    held = null;
  };
  return {
    onStart({ requirements }) {
      const { keys, limits } = target;
      progress.start(
        {
          total: requirements,
          requests: cost === null ? null : (cost.requests.valid ?? 0),
          restricted: cost?.requests.restricted ?? 0,
          keys: keys.valid.length,
          limit: limits.requests,
          windowMs: limits.windowMs,
          windowsAre,
        },
        costWords(cost, windowsAre, known),
      );
    },
    onCheck({ meta, outcome }, { requirements }) {
      // Not reached before the interruption, so not done.
      if (outcome.kind === 'inconclusive' && outcome.reason === WAS_INTERRUPTED) return;
      if (outcome.kind === 'failed' || outcome.kind === 'warned') {
        const message = outcome.reason ?? meta.check;
        const finding = { requirement: meta.requirement, outcome: outcome.kind, message };
        if (held === null) progress.finding(finding);
        else held.push(finding);
      }
      if (meta.session?.isThere === true) tell();
      isLost ||= meta.session?.fatal != null;
      progress.update({ done: requirements });
    },
    onEnd() {
      if (!isLost) tell();
    },
    onEvent(event) {
      if (event.type === 'sent') {
        const { valid = 0, restricted = 0 } = event.byRole;
        progress.update({ sent: { valid, restricted } });
      } else if (windowsAre === 'paced') progress.update({ waitingUntil: event.untilMs });
    },
  };
}

/** One line about the cost of a run; null when it is unknown. */
function costWords(
  cost: Cost | null,
  windowsAre: ProgressPlan['windowsAre'],
  known: Shown['known'],
): string | null {
  const moved = windowsAre === 'skipped';
  if (cost === null) {
    return moved ? "no waiting: windows are skipped by advancing the target's clock" : null;
  }
  const requests = plural(cost.requests.valid ?? 0, 'request');
  if (known !== undefined) {
    // How many windows are left depends on those already open.
    const answered = known.exchanges.filter(({ role, response }) => role === 'valid' && response);
    return `${requests} with valid keys, ${answered.length} already answered`;
  }
  return `${requests} with valid keys, ${windowWords(cost, moved)}`;
}

/** Windows and waiting time of a run; `moved`: the target's clock is advanced instead of waiting. */
export function windowWords({ windows, validKeys, busiest, waitMs }: Cost, moved: boolean): string {
  const held = busiest === 'restricted' ? ', limited by the restricted key' : '';
  const isAtOnce = windows <= 1 || (waitMs === 0 && !moved);
  const waiting = moved
    ? "advances the target's clock instead of waiting"
    : `about ${formatDuration(waitMs)}`;
  const of = windows === 0 ? 'no window' : plural(windows, 'window');
  return `${of} with ${plural(validKeys, 'valid key')}${held}: ${isAtOnce ? 'no waiting' : waiting}`;
}
