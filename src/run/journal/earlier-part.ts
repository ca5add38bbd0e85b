import type { Exchange } from '../../spec/exchange.ts';
import type { ReplayedRun, ResumedRun, Results } from '../../report/model/results.ts';
import type { CheckMeta } from '../../suite/outcome.ts';
import { plural } from '../../text/text.ts';
import type { Evidence } from '../assemble.ts';
import { countKnown } from './resume.ts';
import type { RunOptions } from '../run.ts';

/** What the results say about the part of a run that lies before it. */
export interface EarlierPart {
  /** Recorded exchanges that no check asked for: they stay on record and are not judged. */
  readonly unasked: readonly Exchange[];
  readonly resumed?: ResumedRun;
  readonly replayed?: ReplayedRun;
  readonly notes: readonly string[];
}

/** Compares what is known of an earlier run with what the checks asked for. */
export function earlierPart(options: RunOptions, asked: readonly Exchange[]): EarlierPart {
  const { known, recording } = options;
  if (known === undefined) return { unasked: [], notes: [] };
  const ids = new Set(asked.map(({ id }) => id));
  const unasked = known.exchanges.filter(({ id }) => !ids.has(id));
  if (known.mode === 'resume') {
    const counts = countKnown(known);
    const times = options.resumed ?? 1;
    const again = counts.again === 0 ? '' : `, ${counts.again} were asked again`;
    return {
      unasked,
      resumed: { times, ...counts },
      notes: [
        `The run was interrupted and taken up again ${times === 1 ? 'once' : `${times} times`}: ${plural(counts.known, 'answer')} of before were used${again}.`,
      ],
    };
  }
  const recordedAt = (options.startedAt ?? new Date(0)).toISOString();
  const notAsked =
    unasked.length === 0
      ? ''
      : ` ${plural(unasked.length, 'exchange')} in it ${unasked.length === 1 ? 'was' : 'were'} asked for by no check and not judged.`;
  return {
    unasked,
    replayed: { file: recording ?? '', recordedAt, unasked: unasked.length },
    notes: [
      `Nothing was sent: the recording ${recording ?? ''} of ${recordedAt} was judged again.${notAsked}`,
    ],
  };
}

/**
 * What is judged. A part of a recording is judged on all of it: in a run, the rules look at every answer, whoever asked for
 * it, and a finding in the answer to another check would otherwise be lost.
 */
export function evidenceOf(
  { known, recordedFacts, only, skip }: RunOptions,
  { checks, exchanges, session }: Evidence,
): Evidence {
  const isPart = only.length + skip.length > 0;
  if (known?.mode !== 'replay' || !isPart || recordedFacts === undefined || session === undefined) {
    return { checks, exchanges, session };
  }
  return {
    checks,
    exchanges: known.exchanges.filter(({ purpose }) => purpose !== 'interrupted'),
    // Checks that were left out would have said what they asked for with identifiers that do not exist.
    session: { ...session, facts: recordedFacts },
  };
}

/** End of the run; that of the recording when one was judged. */
export function endOf({ known, startedAt }: RunOptions, exchanges: readonly Exchange[]): Date {
  if (known?.mode !== 'replay') return new Date();
  const start = startedAt?.getTime() ?? 0;
  return new Date(exchanges.reduce((end, { receivedAt }) => Math.max(end, receivedAt), start));
}

/** Requests of the run; those of an interrupted part that nobody asked for again were sent all the same. */
export function withUnasked(
  session: CheckMeta['session'],
  unasked: readonly Exchange[],
): Results['requests'] {
  const byRole = { ...session?.byRole };
  for (const { role } of unasked) byRole[role] = (byRole[role] ?? 0) + 1;
  return {
    total: (session?.total ?? 0) + unasked.length,
    byRole,
    waitedMs: session?.waitedMs ?? 0,
  };
}
