import { expect, it } from 'vitest';
import { Slots } from './slots.ts';

it('never runs more than there is room for, and lets heavy work through in its turn', async () => {
  const slots = new Slots(3);
  let running = 0;
  let most = 0;
  const order: string[] = [];
  const work = (name: string, weight: number) => (): Promise<void> =>
    slots.use(weight, async () => {
      running += weight;
      most = Math.max(most, running);
      order.push(name);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= weight;
    });
  const jobs = [work('a', 1), work('b', 1), work('heavy', 3), work('c', 1), work('d', 2)];
  await Promise.all(jobs.map((job) => job()));
  expect(most).toBe(3);
  expect(order).toEqual(['a', 'b', 'heavy', 'c', 'd']);
});

it('gives its slots back when the work fails', async () => {
  const slots = new Slots(1);
  await expect(slots.use(9, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(slots.use(1, () => Promise.resolve(7))).resolves.toBe(7);
});
