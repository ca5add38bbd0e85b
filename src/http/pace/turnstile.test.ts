import { describe, expect, it } from 'vitest';
import { Turnstile } from './turnstile.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A turnstile with variable capacity, and the callers admitted so far. */
function entrance(capacity: number) {
  const state = { capacity, at: 0 };
  const entered: number[] = [];
  const turnstile = new Turnstile(
    () => state.capacity,
    () => state.at,
  );
  const come = async (position: number): Promise<() => void> => {
    state.at = position;
    const release = await turnstile.enter();
    entered.push(position);
    return release;
  };
  return { state, entered, turnstile, come };
}

describe('a turnstile', () => {
  it('admits up to its capacity, and the next one when one leaves', async () => {
    const { entered, come } = entrance(2);
    const [first] = [come(1), come(2), come(3)];
    await turn();
    expect(entered).toEqual([1, 2]);
    const release = await first;
    release?.();
    release?.();
    await turn();
    expect(entered).toEqual([1, 2, 3]);
  });

  it('admits in the order of the run, not of arrival', async () => {
    const { entered, come } = entrance(1);
    const first = come(5);
    void come(9);
    void come(7);
    void come(8);
    (await first)();
    await turn();
    expect(entered).toEqual([5, 7]);
  });

  it('readmits the one that was just answered first', async () => {
    const { entered, come } = entrance(1);
    const release = await come(1);
    void come(2);
    release();
    // The same turn of the event loop, like a follow-up of an answer.
    void come(1);
    await turn();
    expect(entered).toEqual([1, 1]);
  });

  it('reacts to a new capacity and reports when it is empty', async () => {
    const { state, entered, turnstile, come } = entrance(0);
    const waiting = come(1);
    await turn();
    expect(entered).toEqual([]);
    state.capacity = 1;
    turnstile.look();
    const release = await waiting;
    let empty = false;
    const emptied = turnstile.empty().then(() => (empty = true));
    await turn();
    expect(empty).toBe(false);
    release();
    await emptied;
    expect(empty).toBe(true);
  });
});
