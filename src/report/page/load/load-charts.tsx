import type { VNode } from 'preact';
import type { LoadResult } from '../../model/load-results.ts';
import { wrongWords } from '../../model/load-words.ts';
import { Percentiles, Rate } from './load-course.tsx';
import { Bars } from './load-windows.tsx';
import { clock, List, Table, text } from '../view/parts.tsx';

const ROWS = 240;

interface OfLoad {
  readonly load: LoadResult;
}

/** The windows as a table. */
function Windows({ load: { windows, limits } }: OfLoad): VNode {
  return (
    <details>
      <summary>The windows as a table</summary>
      <Table
        name="numbers"
        columns={['first request', 'admitted', 'refused', 'key', '']}
        items={windows}
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
        limit={ROWS}
      />
    </details>
  );
}

/** Windows against the limit, rate and latency over time. */
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
      {!sampled && windows.length > 0 && <Windows load={load} />}
    </>
  );
}
