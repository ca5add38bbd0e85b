// What to do about a requirement that was not judged: the violation that is in the way, where there is one.
import { describe, expect, it } from 'vitest';
import { gapsOf } from '../../src/report/analysis/outline.ts';
import { renderCtrf } from '../../src/report/formats/ctrf.ts';
import { renderJUnit } from '../../src/report/formats/junit.ts';
import { renderMarkdown } from '../../src/report/formats/markdown.ts';
import type { Results } from '../../src/report/model/results.ts';
import { assay } from '../cli/assay.ts';
import { makeRequirement, makeResults } from '../report/fixture.ts';
import { served } from '../cli/served.ts';
import { readRun, resultsOf, resultsWith } from './real-runs.ts';

const adviceFor = (results: Results, id: string): string =>
  gapsOf(results).find(({ requirements }) => requirements.some((one) => one.id === id))?.next
    .words ?? '';

it('what an interrupted run did not judge carries the command that resumes it', () => {
  const results: Results = {
    ...makeResults(),
    verdict: 'interrupted',
    requirements: [
      makeRequirement('4.3/order', 'passed'),
      makeRequirement('4.3/weekends', 'inconclusive', { reason: 'the run was interrupted' }),
    ],
  };
  for (const render of [renderMarkdown, renderJUnit, renderCtrf])
    expect(render(results), render.name).toMatch(/Resume the run[^]*--resume FOLDER/);
  expect(renderJUnit(results)).toMatch(/<skipped message="[^"]*--resume FOLDER"/);
});

describe('the next step of what was not judged', () => {
  it('is to fix the violation that is in the way', async () => {
    const faults = ['limit-one-more', 'summary-dot-us-refused', 'error-status-422'];
    const results = await resultsWith(faults, ['--only', '8,4.3']);
    expect(adviceFor(results, '8/limit-not-early')).toBe('Fix 8/limit-enforced, then run:');
    for (const id of ['4.3/unlisted', '4.3/unlisted-message'])
      expect(adviceFor(results, id), id).toBe('Fix 4.3/listed, then run:');
    for (const id of ['4.3/symbol-message', '4.3/symbol-constraint'])
      expect(adviceFor(results, id), id).toBe('Fix 4.3/symbol-enum, then run:');
  });

  it('is to set another key where that one is used up', async () => {
    const server = await served({ faults: [] });
    try {
      const words = ['-t', server.target, '--only', '8/quota'];
      await resultsOf(words);
      expect(adviceFor(await resultsOf(words), '8/quota')).toMatch(/^Set keys\.nearQuota /);
    } finally {
      await server.stop();
    }
  });

  it('is to ask more where a small profile showed nothing', async () => {
    const results = await resultsWith([], ['--profile', 'smoke']);
    expect(adviceFor(results, '4.3/limit-exact')).toMatch(/^Run the full profile, /);
  });

  it('is no recording where none shows it', async () => {
    const server = await served({ faults: [] });
    try {
      await assay(['run', '-t', server.target, '--only', '5', '-o', 'to-check', '--format', 'har']);
      const ended = await assay([
        'check',
        'to-check/exchanges.har',
        '-o',
        'checked',
        '--format',
        'html,junit,ctrf,md,sarif',
      ]);
      const { results } = readRun('checked', ended);
      expect(adviceFor(results, '5/header-case')).toContain('use assay run');
      expect(adviceFor(results, '4.3/holidays')).toMatch(/^Record traffic/);
    } finally {
      await server.stop();
    }
  });
});
