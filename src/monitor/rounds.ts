import { EXIT } from '../spec/exit-codes.ts';
import { leftOutBy } from '../ask/patterns.ts';
import { seedOfDay } from '../target/rotate.ts';
import { monthEndOf } from './account.ts';
import { LOOK_REQUESTS } from './budget.ts';
import { SHALLOW_REQUESTS } from './pace.ts';
import type { MonitorHappenings } from './events.ts';
import type { Ended, RunBook } from './run-book.ts';
import { dueRows } from './settlement.ts';
import { T1_REQUIREMENT, undecided } from './status.ts';

const FOLLOW_UP = { whole: false, slot: null, ticker: null } as const;

/** Does due work: scheduled runs and follow-ups. */
export class Rounds {
  readonly book: RunBook;

  constructor(book: RunBook) {
    this.book = book;
  }

  /**
   * A scheduled run, and follow-ups on violations that it did not decide.
   * @returns the exit code of the run; that of a run without a verdict if the budget is used up
   */
  async scheduled(slot: number, now: number): Promise<number> {
    const { store, settings, budget } = this.book.options;
    await this.#tellMissed(slot);
    const { state } = store;
    const allowance = budget.allowance(state, now);
    if (allowance.kind === 'none') {
      await store.update((old) => ({ ...old, slot }));
      await this.#tellLeftOut(slot, now, allowance.why);
      await this.book.keep(now);
      return allowance.why === 'pace' ? EXIT.conforms : EXIT.incomplete;
    }
    const whole = allowance.kind === 'whole';
    const ended = await this.book.run({
      kind: 'scheduled',
      whole,
      slot,
      profile: whole ? settings.profile : 'smoke',
      seed: settings.seed ?? seedOfDay(now),
      only: settings.only,
      skip: settings.skip,
      ticker: null,
      valid: allowance.requests,
      restricted: budget.restricted(state, now, whole),
    });
    if (ended === null) {
      // It failed temporarily; the next scheduled run is soon enough.
      if (!settings.signal.aborted) await store.update((old) => ({ ...old, slot }));
      return EXIT.incomplete;
    }
    const { results } = ended;
    if (['conforms', 'no-violation', 'violates'].includes(results.verdict))
      await this.#confirm(ended);
    return results.exitCode;
  }

  /** Follows up on rows that should be complete by now. */
  async looks(now: number): Promise<void> {
    const { store, settings, budget } = this.book.options;
    if (leftOutBy(T1_REQUIREMENT, settings) !== undefined) return;
    const tickers = new Set(dueRows(store.state.pending, now).map(({ ticker }) => ticker));
    for (const ticker of tickers) {
      const valid = budget.forLook(store.state, now, LOOK_REQUESTS);
      if (settings.signal.aborted || valid < 1) return;
      await this.book.run({
        ...FOLLOW_UP,
        kind: 'settlement',
        profile: 'standard',
        seed: settings.seed ?? seedOfDay(now),
        only: [T1_REQUIREMENT],
        skip: [],
        ticker,
        valid,
        restricted: 0,
      });
    }
  }

  /** A short run with the seed that found a violation, because only a pass with it counts as a fix. */
  async #confirm({ entry, results }: Ended): Promise<void> {
    const { store, settings, budget, clock } = this.book.options;
    const { requirements } = results;
    const open = undecided(store.state.standing, { seed: entry.seed, requirements });
    for (const seed of new Set(open.map((one) => one.seed))) {
      const { state } = store;
      const now = await clock.now();
      const valid = budget.forLook(state, now, SHALLOW_REQUESTS);
      if (settings.signal.aborted || valid < 1) return;
      await this.book.run({
        ...FOLLOW_UP,
        kind: 'confirmation',
        profile: settings.profile,
        seed,
        only: open.filter((one) => one.seed === seed).map(({ id }) => id),
        skip: settings.skip,
        valid,
        restricted: budget.restricted(state, now, false),
      });
    }
  }

  async #tellMissed(slot: number): Promise<void> {
    const { store, settings, clock } = this.book.options;
    const { slot: last } = store.state;
    if (last === null || settings.once) return;
    const missed = settings.schedule.count(last, slot) - 1;
    if (missed > 0) await this.#tellLeftOut(slot, await clock.now(), 'missed', missed);
  }

  async #tellLeftOut(
    slot: number,
    now: number,
    why: MonitorHappenings['left-out']['why'],
    count = 1,
  ): Promise<void> {
    const { store, tell, budget } = this.book.options;
    await tell('left-out', {
      slot: new Date(slot).toISOString(),
      why,
      count,
      until: why === 'used-up' ? new Date(monthEndOf(now)).toISOString() : null,
      budget: budget.spent(store.state, now),
    });
  }
}
