import type { KeyRole } from '../../spec/exchange.ts';
import type { KnownAnswers } from './known-answers.ts';
import type { Pin } from '../pace/pacer.ts';

/** A pin on a key whose requests are answered from recorded exchanges. `onRelease` is called once. */
export function recordedPin(
  role: KeyRole,
  keyIndex: number,
  known: KnownAnswers | null,
  onRelease: () => void,
): Pin {
  let held = true;
  return {
    role,
    keyIndex,
    // The last recorded request counts as the one beyond the limit, after which callers check the answers.
    capacity: () => {
      const isLast = (known?.left ?? 0) <= 1;
      return { keyIndex, available: isLast ? 0 : 1, full: isLast, allOurs: false, endsAt: null };
    },
    release: () => {
      if (!held) return;
      held = false;
      onRelease();
    },
  };
}
