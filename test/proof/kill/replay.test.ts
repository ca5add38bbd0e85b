import { describe, expect, it } from 'vitest';
import { createReference, manualClock } from '#src/reference/reference.ts';
import { DEFAULT_FACTS } from '#src/judge/facts.ts';
import { proveTasks } from '../../kept/prove.ts';
import { exchangeOf } from '../../judge/exchanges.ts';
import { redIn, TRADING_DAY } from './catalogue.ts';
import { Replay } from './replay.ts';

const asked = [
  exchangeOf('/etfs', { query: { symbol: 'BTC' } }),
  exchangeOf('/news', { query: { page: '2' } }),
  exchangeOf('/news', { role: 'expired' }),
].map((exchange) => ({ ...exchange, sentAt: TRADING_DAY + 5000 }));
const replay = new Replay(
  asked,
  DEFAULT_FACTS,
  createReference({ clock: manualClock(TRADING_DAY) }),
);

/** Positions of answers that are not the very ones of the clean run. */
const changedBy = (...faults: string[]): number[] =>
  replay
    .answered(faults)
    .exchanges.flatMap((exchange, index) => (exchange === replay.clean[index] ? [] : [index]));

describe('the replay of a clean run', () => {
  it('gives the same object where the answer is the same', () => {
    expect(changedBy()).toEqual([]);
    expect(changedBy('op/ignored/news.page')).toEqual([1]);
    expect(changedBy('op/key/news/expired-admitted')).toEqual([2]);
  });

  it('gives the answer of the faulty server where it is another one', () => {
    const { exchanges } = replay.answered(['op/key/news/expired-admitted']);
    expect(replay.clean[2]?.response?.status).toBe(401);
    expect(exchanges[2]?.response?.status).toBe(200);
    expect(exchanges[2]?.id).toBe(replay.clean[2]?.id);
  });

  it('shows what rules find, and says which faults need a run all the same', async () => {
    const look = (fault: string) => ({
      name: fault,
      faults: [fault],
      variants: [],
      profile: 'smoke' as const,
      validKeys: 1,
      seed: 1,
      replayed: true as const,
    });
    const [plain, counts] = await proveTasks([
      look('op/gone/news/html'),
      look('header-remaining-before'),
    ]);
    expect(plain && redIn(plain)).not.toEqual([]);
    expect(plain?.needsRun).toBeUndefined();
    expect(counts?.needsRun).toContain('admission');
  });
});
