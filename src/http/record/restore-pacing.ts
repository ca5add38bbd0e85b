import type { KeyRing } from '../../target/keys.ts';
import type { KnownRun } from './known-answers.ts';
import type { Pacer } from '../pace/pacer.ts';
import { settlementOf } from '../sender.ts';
import { isPaced } from '../session-options.ts';
import type { SkewEstimate } from '../pace/skew.ts';

/** Assumed latency of an interrupted request, ms. */
const UNSEEN_MS = 1000;

export interface RestoreOptions {
  readonly pacer: Pacer;
  readonly skew: SkewEstimate;
  readonly ring: KeyRing;
  /** False when the clock control reports exact times. */
  readonly readDates: boolean;
}

/**
 * Restores rate-limit windows and clock skew from an earlier part of the run. Otherwise a run resumed within a minute
 * would get 429s.
 */
export function restorePacing(run: KnownRun, options: RestoreOptions): void {
  const { pacer, skew, ring, readDates } = options;
  const keys = ring.fingerprints();
  // The run's clock includes advances.
  const inOrder = run.exchanges
    .map((exchange) => ({ exchange, advanced: run.advancedAt[exchange.id] ?? 0 }))
    .toSorted((a, b) => a.exchange.receivedAt + a.advanced - (b.exchange.receivedAt + b.advanced));
  if (readDates) {
    for (const { exchange, advanced } of inOrder) {
      const date = exchange.response?.headers['date'];
      skew.observe(date, exchange.sentAt + advanced, exchange.receivedAt + advanced);
    }
  }
  for (const { exchange, advanced } of inOrder) {
    const { role, key, sentAt, receivedAt, error } = exchange;
    if (!isPaced(role) || key === null) continue;
    const index = (keys[role] ?? []).indexOf(key);
    const seenAt = error?.kind === 'aborted' ? sentAt + UNSEEN_MS : receivedAt;
    pacer.remember(role, index, sentAt + advanced, {
      at: seenAt + advanced,
      settlement: settlementOf(exchange),
    });
  }
}
