import { describe, expect, it } from 'vitest';
import type { Answer } from './answer.ts';
import { Inconclusive, Untested } from './outcome.ts';
import { someOf } from './some.ts';

const [one, two] = [{ status: 200 }, { status: 404 }] as unknown as [Answer, Answer];
const throws = (problem: Error) => (): Promise<Answer> => Promise.reject(problem);
const inconclusive = new Inconclusive('no answer');
const untested = new Untested('no fixture');

describe('a batch of requests', () => {
  it('returns the answered requests in order', async () => {
    const some = await someOf([() => Promise.resolve([one, two]), () => Promise.resolve(one)]);
    expect(some).toEqual({ answers: [one, two, one], withheld: undefined });
  });

  it('withholds requests that should have been answered', async () => {
    const answered = (): Promise<Answer> => Promise.resolve(one);
    const some = await someOf([throws(untested), answered, throws(inconclusive)]);
    expect(some).toEqual({ answers: [one], withheld: inconclusive });
    expect(await someOf([throws(untested), answered])).toEqual({ answers: [one] });
  });

  it('gives the reason of the first one when none was answered', async () => {
    await expect(someOf([throws(untested), throws(inconclusive)])).rejects.toBe(untested);
  });

  it('hides no programming error', async () => {
    const mistake = new TypeError('a mistake');
    const asked = someOf([() => Promise.resolve(one), throws(mistake)]);
    await expect(asked).rejects.toBe(mistake);
  });
});
