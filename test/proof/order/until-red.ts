import type { Facts } from '#src/judge/facts.ts';
import { startEmbedded } from '#src/run/embedded.ts';
import type { Exchange } from '#src/spec/exchange.ts';
import { TRADING_DAY } from '../kill/catalogue.ts';
import { runSuitesOn } from '../kill/runner.ts';
import { firstRed } from './matrix.ts';

/** Requests with a valid key after which a tool showed a defect (null when it never did), and all that it sent. */
export interface Look {
  readonly after: number | null;
  readonly sent: number;
}

/** A full run: a defect is shown as soon as what was answered so far breaks a must. */
export async function runUntilRed(faults: readonly string[], seed: number): Promise<Look> {
  const { target, close } = await startEmbedded({
    faults,
    seed: 1,
    validKeys: 2,
    now: TRADING_DAY,
  });
  try {
    const results = await runSuitesOn(target, { profile: 'full', seed });
    const exchanges = results.exchanges.toSorted((a, b) => a.sentAt - b.sentAt);
    const sentIn = (part: readonly Exchange[]) =>
      part.filter(({ role }) => role === 'valid').length;
    const sent = sentIn(exchanges);
    if (results.exitCode !== 1) return { after: null, sent };
    const red = firstRed(exchanges, results.facts as Facts) ?? exchanges.length;
    return { after: sentIn(exchanges.slice(0, red)), sent };
  } finally {
    await close();
  }
}
