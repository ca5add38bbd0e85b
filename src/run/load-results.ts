import { loadRequirements } from '../report/model/load.ts';
import type { LoadResult } from '../report/model/load-results.ts';
import type { Failing, Results, RunContext, Verdict } from '../report/model/results.ts';
import { EXIT } from '../spec/exit-codes.ts';
import { summarize } from './verdict.ts';
import { resultsHead } from './version.ts';
import { networkNotes } from '../target/proxy.ts';
import type { Target } from '../target/target.ts';

export interface LoadRunEnd {
  readonly load: readonly LoadResult[];
  /** Merged recordings from other machines have no keys. */
  readonly target: Pick<Target, 'baseUrl' | 'envelope'> & Partial<Pick<Target, 'http' | 'keys'>>;
  readonly reference: boolean;
  /** Fingerprints of the keys in the order of the target file, if known. */
  readonly keys?: Results['target']['keys'];
  readonly startedAt: Date;
  readonly interrupted: boolean;
  readonly context?: RunContext | undefined;
}

/** Results of load scenarios, with the requirements that they could judge. */
export function loadResults(end: LoadRunEnd): Results {
  const { load, target, reference, keys = {}, startedAt, interrupted, context } = end;
  const requirements = loadRequirements(end);
  const { verdict, exitCode } = interrupted
    ? { verdict: 'interrupted' as const, exitCode: EXIT.interrupted }
    : decide(load);
  return {
    ...resultsHead(),
    target: { baseUrl: target.baseUrl, envelope: target.envelope, keys, reference },
    profile: 'load',
    seed: 1,
    startedAt: startedAt.toISOString(),
    endedAt: new Date().toISOString(),
    verdict,
    sentence: [
      ...(interrupted ? ['Interrupted; the results are partial.'] : []),
      ...load.map(({ scenario, reason }) => `${scenario}: ${reason}`),
    ].join(' '),
    exitCode,
    failing: requirements.flatMap(({ id, outcome }): Failing[] =>
      outcome === 'failed' && exitCode === EXIT.load ? [{ id, why: 'violated' }] : [],
    ),
    requests: {
      total: load.reduce((sum, { requests }) => sum + requests.sent, 0),
      byRole: {},
      waitedMs: 0,
    },
    summary: summarize(requirements),
    requirements,
    readings: [],
    notes: [
      'Only load scenarios were run.',
      ...(target.http === undefined
        ? []
        : networkNotes({ baseUrl: target.baseUrl, http: target.http })),
    ],
    exchanges: [],
    load,
    ...(context === undefined ? {} : { context }),
  };
}

function decide(load: readonly LoadResult[]): { verdict: Verdict; exitCode: number } {
  if (load.some(({ outcome }) => outcome === 'failed')) {
    return { verdict: 'violates', exitCode: EXIT.load };
  }
  if (load.length === 0 || load.some(({ outcome }) => outcome === 'inconclusive')) {
    return { verdict: 'incomplete', exitCode: EXIT.incomplete };
  }
  // A scenario judges only a few requirements, so it can never conform.
  return { verdict: 'no-violation', exitCode: EXIT.conforms };
}
