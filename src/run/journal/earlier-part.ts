import type { Exchange } from '../../spec/exchange.ts';
import type { Results } from '../../report/model/results.ts';
import type { CheckMeta } from '../../suite/outcome.ts';
import { plural } from '../../text/text.ts';
import type { Evidence } from '../assemble.ts';
import { countKnown } from './resume.ts';
import type { RunOptions } from '../run.ts';

/**
 * What the results say about the earlier part of a resumed or replayed run.
 * @returns also the `unasked` exchanges, which no check asked for: they are kept but not judged
 */
export function earlierPart(options: RunOptions, asked: readonly Exchange[]) {
  const { known, recording } = options;
  if (known === undefined) return { unasked: [], notes: [] };
  const ids = new Set(asked.map(({ id }) => id));
  const unasked = known.exchanges.filter(({ id }) => !ids.has(id));
  if (known.mode === 'resume') {
    const counts = countKnown(known);
    const times = options.resumed ?? 1;
    const again = counts.again === 0 ? '' : `, ${plural(counts.again, 'request')} repeated`;
    return {
      unasked,
      part: { resumed: { times, ...counts } },
      notes: [
        `The run was interrupted and resumed ${times === 1 ? 'once' : `${times} times`}: ${plural(counts.known, 'recorded response')} used${again}.`,
      ],
    };
  }
  const recordedAt = (options.startedAt ?? new Date(0)).toISOString();
  const [were, them] = unasked.length === 1 ? ['was', 'it'] : ['were', 'them'];
  const notAsked =
    unasked.length === 0
      ? ''
      : ` ${plural(unasked.length, 'exchange')} in the recording ${were} not judged because no check asked for ${them}.`;
  return {
    unasked,
    part: { replayed: { file: recording ?? '', recordedAt, unasked: unasked.length } },
    notes: [
      `Replay of ${recording ?? ''}, recorded ${recordedAt}; no requests were sent.${notAsked}`,
    ],
  };
}

/**
 * The evidence to judge. With a selection of requirements, a replay still judges all recorded exchanges, like a run: a
 * finding may be in an answer that another check asked for.
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
    // The facts of the recorded run include the unknown identifiers used by checks that are not selected now.
    session: { ...session, facts: recordedFacts },
  };
}

/** End time of the run, or of the recording. */
export function endOf({ known, startedAt }: RunOptions, exchanges: readonly Exchange[]): Date {
  if (known?.mode !== 'replay') return new Date();
  const start = startedAt?.getTime() ?? 0;
  return new Date(exchanges.reduce((end, { receivedAt }) => Math.max(end, receivedAt), start));
}

/** Request counts, including requests of the interrupted part that were not used again. */
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
