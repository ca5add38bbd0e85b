import { describe, expect, it } from 'vitest';
import { resumeWords } from '../../src/cli/run/resume-words.ts';
import type { RunArguments } from '../../src/cli/run/run-options.ts';
import { resumeStep } from '../../src/report/analysis/rerun.ts';
import { makeResults } from '../report/fixture.ts';

const results = makeResults();
function words(given: Partial<RunArguments>, file?: string): string {
  const step = resumeWords(
    given as RunArguments,
    { ...results, target: { ...results.target, ...(file !== undefined && { file }) } },
    'reports/cut short',
  );
  // One source for the terminal and every report.
  expect(resumeStep({ ...results, resume: step })).toBe(step);
  return `${step.words} ${step.command}`;
}

describe('the resume command', () => {
  it('repeats the options of the run as given', () => {
    const given = {
      environment: 'staging',
      'fail-on': ['must', 'untested'],
      label: ['a=b c', 'd=e'],
    };
    expect(words(given as Partial<RunArguments>, 'targets/staging.yaml')).toMatch(
      / run --environment staging --fail-on must,untested --label 'a=b c' --label d=e --resume 'reports\/cut short'$/,
    );
  });

  it('names the target file that only the environment set', () => {
    expect(words({ waivers: 'w.yaml', quiet: true }, 'targets/staging.yaml')).toMatch(
      / run --target targets\/staging.yaml --waivers w.yaml --quiet --resume /,
    );
  });

  it('repeats no secrets and names the options that held them', () => {
    const text = words({ target: 't.yaml', 'api-key': ['very-secret'], header: ['X-A: hidden'] });
    expect(text).toContain(', adding --api-key and --header again');
    expect(text).not.toMatch(/very-secret|hidden/);
  });
});
