import { describe, expect, it } from 'vitest';
import { resumeWords } from '../../src/cli/run/resume-words.ts';
import type { RunArguments } from '../../src/cli/run/run-options.ts';
import { makeResults } from '../report/fixture.ts';

const results = makeResults();
const words = (given: Partial<RunArguments>, file?: string): string =>
  resumeWords(
    given as RunArguments,
    { ...results, target: { ...results.target, ...(file !== undefined && { file }) } },
    'reports/cut short',
  );

describe('the command that takes a run up', () => {
  it('repeats what the run was judged by, as it was given', () => {
    const given = {
      environment: 'staging',
      'fail-on': ['must', 'untested'],
      label: ['a=b c', 'd=e'],
    };
    expect(words(given as Partial<RunArguments>, 'targets/staging.yaml')).toMatch(
      / run --environment staging --fail-on must,untested --label 'a=b c' --label d=e --resume 'reports\/cut short'$/,
    );
  });

  it('names the target file where only the environment of the process named it', () => {
    expect(words({ waivers: 'w.yaml', quiet: true }, 'targets/staging.yaml')).toMatch(
      / run --target targets\/staging.yaml --waivers w.yaml --quiet --resume /,
    );
  });

  it('repeats no secret, and says which options held some', () => {
    const text = words({ target: 't.yaml', 'api-key': ['very-secret'], header: ['X-A: hidden'] });
    expect(text).toContain(', adding --api-key and --header again');
    expect(text).not.toMatch(/very-secret|hidden/);
  });
});
