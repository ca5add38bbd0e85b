import type { VNode } from 'preact';
import { formatDuration } from '../../model/labels.ts';
import type { LoadResult } from '../../model/load-results.ts';
import { formatMs, formatRate, wrongWords } from '../../model/load-words.ts';
import { Percentiles, Rate } from './load-course.tsx';
import { Bars, WrongWindows } from './load-windows.tsx';
import { clock, List, Table, text } from '../view/parts.tsx';

const ROWS = 240;

interface OfLoad {
  readonly load: LoadResult;
}

/** The data of the charts. */
function Numbers({ load: { windows, course, limits } }: OfLoad): VNode {
  const steps = course?.sent.slice(0, ROWS).map((_, step) => step) ?? [];
  const ms = (value: number | null | undefined): string =>
    value === null || value === undefined ? '–' : formatMs(value);
  return (
    <details>
      <summary>The charts as tables</summary>
      {windows.length > 0 && (
        <Table
          name="numbers"
          caption="Windows"
          columns={['first request', 'admitted', 'refused', 'key', '']}
          items={windows}
          limit={ROWS}
          row={(window) => [
            clock(window.from),
            window.admitted,
            window.refused,
            <code>{text(window.key, 60)}</code>,
            window.wrong === undefined ? (
              ''
            ) : (
              <b class="failed">{`✗ ${wrongWords(window, limits.requests)}`}</b>
            ),
          ]}
        />
      )}
      {course !== undefined && (
        <Table
          name="numbers"
          caption={`Steps of ${formatDuration(course.stepMs)}; times in ms`}
          columns={['from', 'sent', 'answered', 'p50', 'p95', 'p99']}
          items={steps}
          row={(step) => [
            `+${formatRate((step * course.stepMs) / 1000)} s`,
            course.sent[step] ?? 0,
            course.answered[step] ?? 0,
            ...[course.p50, course.p95, course.p99].map((values) => ms(values[step])),
          ]}
        />
      )}
    </details>
  );
}

/** Windows against the limit, rate and latency over time, and the same as tables. */
export function Charts({ load }: OfLoad): VNode {
  const { windows, course, windowsInAll = windows.length } = load;
  const sampled = (course?.every.admitted ?? 1) > 1;
  const notes = [
    ...(windows.length === 0 ? ['No windows: no request with a key was admitted or refused.'] : []),
    ...(sampled
      ? [
          `1 in ${course?.every.admitted ?? 1} admitted responses was recorded: rates are estimates, and windows cannot be counted.`,
        ]
      : []),
    ...((course?.every.refused ?? 1) > 1
      ? [`1 in ${course?.every.refused ?? 1} refusals was recorded: rates are estimates.`]
      : []),
    ...(windowsInAll > windows.length && !sampled
      ? [`${windows.length} of ${windowsInAll} windows are shown, including the wrong ones.`]
      : []),
    ...(course === undefined ? ['These results contain no time series.'] : []),
  ];
  return (
    <>
      {!sampled && <WrongWindows load={load} />}
      <div class="courses">
        {!sampled && windows.length > 0 && <Bars load={load} />}
        {course !== undefined && <Rate course={course} />}
        {course !== undefined && course.p50.some((value) => value !== null) && (
          <Percentiles course={course} />
        )}
      </div>
      <List
        items={notes.map((note) => (
          <span class="note">{note}</span>
        ))}
      />
      <Numbers load={sampled ? { ...load, windows: [] } : load} />
    </>
  );
}
