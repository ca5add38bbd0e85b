import { describe, expect, it } from 'vitest';
import { check, run } from '../../index.ts';
import { OptionError } from '../option-error.ts';

/** The error for options that the types forbid. */
async function refusal(call: () => Promise<unknown>): Promise<OptionError> {
  const error: unknown = await call().then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof OptionError) return error;
  throw new Error(`not refused, but ${String(error)}`);
}

describe('options of run()', () => {
  it.each([
    [{ profile: 'quick' }, 'profile takes smoke, standard, full, not "quick".'],
    [{ seed: 1.5 }, 'seed takes a whole number.'],
    [{ maxRequests: 0 }, 'maxRequests takes a whole number above 0.'],
    [{ concurrency: '2' }, 'concurrency takes a whole number above 0.'],
    [{ only: '4.3' }, 'only takes a list.'],
    [
      { only: ['4.3/symbol-enumm'] },
      'only takes ids, prefixes or globs that select a requirement, not "4.3/symbol-enumm".',
    ],
    [{ skip: ['12'] }, 'that select a requirement, not "12".'],
    [{ failOn: ['maybe'] }, 'failOn takes must, should, untested, not "maybe".'],
    [{ formats: ['jnit'] }, 'formats takes html,'],
    [{ output: '' }, 'output takes a string.'],
    [{ signal: 5 }, 'signal takes an AbortSignal.'],
    [{ maxRequest: 5 }, 'run() has no option "maxRequest".'],
    [{ constructor: 5 }, 'run() has no option "constructor".'],
    [null, 'run() takes an options object.'],
  ])('%j is refused with a code and a way out', async (options, message) => {
    const error = await refusal(() => run(options as never));
    expect(error.message).toContain(message);
    expect(error.code).toBe('ASSAY_USAGE');
    expect(error.hint).not.toBe('');
  });

  it('suggests the closest option', async () => {
    expect((await refusal(() => run({ maxRequest: 5 } as never))).hint).toContain('maxRequests?');
    expect((await refusal(() => run({ formats: ['jnit'] } as never))).hint).toContain('junit?');
  });
});

describe('options of check()', () => {
  it('are the judging options and a list of files', async () => {
    const error = await refusal(() => check(['a.har'], { profile: 'smoke' } as never));
    expect(error.message).toBe('check() has no option "profile".');
    expect((await refusal(() => check('a.har' as never))).message).toContain('list of files');
  });
});
