import type { ComponentChildren, VNode } from 'preact';
import { plural } from '../../text/text.ts';
import { CHANGE_WORDS, changeCount } from '../diff-words.ts';
import { formatDuration } from '../labels.ts';
import type { Results } from '../results.ts';
import { countWords, runBars, turnedSince } from '../run-strip.ts';
import type { RunBar, RunCounts } from '../run-strip.ts';
import type { OfResults } from './page.ts';
import { Bar, clock, List, listed, RequirementLink, text } from './parts.tsx';
import type { BarPart } from './parts.tsx';

/** Runs in the strip, this one included. */
const RUNS = 6;
/** Requirements named for each way to turn. */
const NAMED = 3;

const partsOf = ({ failed, warned, open, observed, passed }: RunCounts): readonly BarPart[] => [
  ['failed', failed],
  ['warned', warned],
  ['open', open],
  ['observed', observed],
  ['passed', passed],
];

/** `21 Nov 03:21`: runs of one target are told apart by day and minute. */
const shortClock = (time: string): string =>
  text(clock(time).replace(/ \d{4} (\d\d:\d\d):\d\d UTC$/, ' $1'), 24);

function Row({ bar }: { bar: RunBar }): VNode {
  const { startedAt, counts, ms, present, profile } = bar;
  return (
    <tr class={present ? 'present' : undefined}>
      <th scope="row">
        <time title={clock(startedAt)}>{shortClock(startedAt)}</time>
        {present && <small>this run</small>}
        {profile !== null && <small>{text(profile, 20)}</small>}
      </th>
      <td>
        {counts === null ? (
          <span class="note">not told</span>
        ) : (
          <Bar label={countWords(counts)} parts={partsOf(counts)} />
        )}
      </td>
      <td class={counts !== null && counts.failed > 0 ? 'num failed' : 'num'}>
        {counts === null ? '' : `${counts.failed > 0 ? '✗ ' : ''}${counts.failed}`}
      </td>
      <td class="num">{Number.isFinite(ms) ? formatDuration(ms) : ''}</td>
    </tr>
  );
}

/** The last runs of the target as bars, one under the other; nothing without an earlier one. */
export function RunStrip({ results }: OfResults): VNode | null {
  const bars = runBars(results, RUNS);
  if (bars.length === 0) return null;
  const more = (results.history?.runs.length ?? 0) + 1 - bars.length;
  return (
    <>
      <table class="strip">
        <thead>
          <tr>
            <th scope="col">run</th>
            <th scope="col">outcomes</th>
            <th scope="col">failed</th>
            <th scope="col">time</th>
          </tr>
        </thead>
        <tbody>
          {bars.map((bar) => (
            <Row bar={bar} />
          ))}
        </tbody>
      </table>
      <p>
        <a href="#history">
          {more > 0
            ? `History by requirement, with ${plural(more, 'more run')}`
            : 'History by requirement'}
        </a>
      </p>
    </>
  );
}

/** What turned since the last run beside this one, each with the way to the history. */
export function turnedLines(results: Results): readonly ComponentChildren[] | null {
  return (
    turnedSince(results)?.map(({ kind, ids }) => [
      <a class={CHANGE_WORDS[kind].tone} href="#history">
        {`${CHANGE_WORDS[kind].icon} ${changeCount(kind, ids.length)}`}
      </a>,
      ' ',
      listed(
        ids.map((id) => <RequirementLink id={id} />),
        NAMED,
        () => ', …',
      ),
    ]) ?? null
  );
}

/** What turned since the last run, when no baseline says more. */
export function TurnedSince({ results }: OfResults): VNode {
  const lines = turnedLines(results) ?? [];
  return lines.length === 0 ? (
    <p>No violation came or went.</p>
  ) : (
    <List name="plainlist" items={lines} />
  );
}
