import { describe, expect, it, vi } from 'vitest';
import { exitCodeOf, Interrupted, interruptible } from './interrupt.ts';

describe('a command', () => {
  it.each([
    ['its own', () => Promise.resolve(1), 1],
    ['2 for its options', () => Promise.reject(new RangeError('no')), 2],
    ['130 for Ctrl-C', () => Promise.reject(new Interrupted('interrupted')), 130],
    ['4 for everything else', () => Promise.reject(new Error('broken')), 4],
  ])('ends with %s', async (_, command, code) => {
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    try {
      expect(await exitCodeOf(command)).toBe(code);
      expect(said).toHaveBeenCalledTimes(code === 1 ? 0 : 1);
    } finally {
      said.mockRestore();
    }
  });
});

describe('work', () => {
  const listeners = (): number => process.listenerCount('SIGTERM');

  it('is told of Ctrl-C, and whatever it then throws is an interruption', async () => {
    const before = listeners();
    const stopped = interruptible(
      (signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('a child was ended')));
        }),
    );
    // The listener itself: a signal would reach the whole test.
    (process.listeners('SIGTERM').at(-1) as () => void)();
    await expect(stopped).rejects.toBeInstanceOf(Interrupted);
    expect(listeners()).toBe(before);
  });

  it('gives what it came to, and throws what went wrong', async () => {
    expect(await interruptible(() => Promise.resolve('done'))).toBe('done');
    await expect(interruptible(() => Promise.reject(new RangeError('no')))).rejects.toThrow('no');
  });
});
