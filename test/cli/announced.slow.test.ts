// The numbers of the plan before and after a run, for every kind of target.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assay } from './assay.ts';
import { served, type Served } from './served.ts';

let server: Served;
beforeAll(async () => {
  server = await served();
});
afterAll(() => server.stop());

/** Requests with valid keys and windows in the output of `assay plan`. */
async function planned(args: readonly string[]): Promise<{ valid: number; windows: string }> {
  const { stdout } = await assay(['plan', ...args]);
  return {
    valid: Number(/(\d+) requests? with key role valid/.exec(stdout)?.[1] ?? 0),
    windows: /^rate limit: (.+)$/m.exec(stdout)?.[1] ?? 'none',
  };
}

describe('a run', () => {
  it.each([
    ['the embedded server', () => ['--only', '2.1']],
    ['a target', () => ['--target', server.target, '--only', '2.1']],
    [
      'a target, with keys of its own',
      () => ['--target', server.target, '-k', server.validKeys[0] ?? '', '--only', '4.3,5'],
    ],
  ])('announces and sends what its plan says: %s', async (_, argsOf) => {
    const args = argsOf();
    const plan = await planned(args);
    expect(plan.valid).toBeGreaterThan(0);
    const { text } = await assay(['run', ...args]);
    expect(text).toMatch(
      new RegExp(
        `^\\d+ requirements: ${plan.valid} requests? with valid keys, ${plan.windows}$`,
        'm',
      ),
    );
    expect(text).toContain(`sent ${plan.valid} requests with valid keys, as planned`);
    expect(text).not.toContain('at most');
  });

  it('shows neither requests to send nor time left for a recording', async () => {
    await assay(['run', '--only', '2.1', '--output', 'recorded']);
    const { text } = await assay(['run', '--replay', 'recorded/results.json']);
    expect(text).toMatch(/^14 requirements$/m);
    // The report below describes the windows of the recorded run.
    const [progress = ''] = text.split('NO VIOLATION FOUND');
    expect(progress).not.toMatch(/ left(?:,|$)|window|planned|^sent /m);
  });
});
