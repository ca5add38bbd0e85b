import type { ComponentChildren, VNode } from 'preact';
import { plural } from '../../text/text.ts';
import { formatDuration } from '../labels.ts';
import type { LoadCourse, LoadResult, LoadWindow } from '../load-results.ts';
import { apart, linearScale, timesScale } from '../load-scale.ts';
import type { Scale } from '../load-scale.ts';
import { clockTime, formatMs, formatRate, wrongWords } from '../load-words.ts';
import { clock, List, more, Table, text } from './parts.tsx';

/** Size of a chart. As wide as a phone, so that its letters are as large there as on a desk. */
const WIDTH = 380;
/** Of a chart with more windows than fit a phone. */
const WIDE = 1180;
const HEIGHT = 150;
const LEFT = 40;
const RIGHT = 68;
const TOP = 26;
const FOOT = TOP + HEIGHT;
/** Height of a line of letters. */
const LINE = 13;
/** Bars that fit a phone, and bars wide enough for a number that lies. */
const FEW = 8;
const UPRIGHT = 26;
/** Wrong windows that are written out above the charts. */
const WORDS = 4;
const ROWS = 240;

interface OfLoad {
  readonly load: LoadResult;
}

interface FrameProps {
  readonly title: string;
  /** What the chart says, for those who cannot see it. */
  readonly words: string;
  readonly unit: string;
  readonly scale: Scale;
  readonly format: (value: number) => string;
  readonly width?: number;
  readonly children: ComponentChildren;
  readonly beside?: ComponentChildren;
}

const y = (scale: Scale, value: number): number => FOOT - scale.at(value) * HEIGHT;

/** A chart with its title, its unit and the marks of its scale. */
function Frame(props: FrameProps): VNode {
  const { title, words, unit, scale, format, width = WIDTH, children, beside } = props;
  const drawing = (
    <svg class="course" viewBox={`0 0 ${width} ${FOOT + 22}`} role="img" aria-label={words}>
      <text x={0} y={12}>
        {unit}
      </text>
      {scale.marks.map((mark) => {
        const at = y(scale, mark);
        return (
          <g>
            <path class="mark" d={`M${LEFT} ${at.toFixed(1)}H${width - RIGHT}`} />
            <text x={LEFT - 6} y={(at + 4).toFixed(1)} text-anchor="end">
              {format(mark)}
            </text>
          </g>
        );
      })}
      {children}
    </svg>
  );
  return (
    <figure class={width > WIDTH ? 'wide' : undefined}>
      <figcaption>
        <b>{title}</b> {beside}
      </figcaption>
      {width > WIDTH ? (
        <div class="scroll" tabIndex={0} role="group" aria-label={title}>
          {drawing}
        </div>
      ) : (
        drawing
      )}
    </figure>
  );
}

/** Places of the steps from left to right, and the time below them. */
function timeAxis({ stepMs, sent }: LoadCourse): {
  readonly x: (step: number) => number;
  readonly labels: ComponentChildren;
} {
  const long = Math.max(1, sent.length) * stepMs;
  const minutes = long >= 300_000;
  const unit = minutes ? 60_000 : 1000;
  const scale = linearScale(long / unit, 6);
  const room = WIDTH - LEFT - RIGHT;
  const place = (ms: number): number => LEFT + (ms / long) * room;
  return {
    x: (step) => place((step + 0.5) * stepMs),
    labels: scale.marks
      .filter((mark) => mark * unit <= long)
      .map((mark, index) => (
        <text
          x={place(mark * unit).toFixed(1)}
          y={FOOT + 16}
          text-anchor={index === 0 ? 'start' : 'middle'}
        >
          {`${mark} ${minutes ? 'min' : 's'}`}
        </text>
      )),
  };
}

interface Series {
  readonly name: string;
  /** Class that draws it. */
  readonly line: string;
  readonly values: readonly (number | null)[];
}

type Point = readonly [x: number, y: number];

const path = (points: readonly Point[]): string =>
  points
    .map(([x, at], index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${at.toFixed(1)}`)
    .join('');

/** Series over time, each named where it ends. Where nothing was measured, a line is only hinted at. */
function Lines({
  course,
  scale,
  series,
  format,
}: {
  course: LoadCourse;
  scale: Scale;
  series: readonly Series[];
  format: (value: number) => string;
}): VNode {
  const { x, labels } = timeAxis(course);
  const drawn = series.map(({ name, line, values }) => {
    const points = values.map((value, step): Point | null =>
      value === null ? null : [x(step), y(scale, value)],
    );
    const measured = points.filter((point) => point !== null);
    const runs: Point[][] = [];
    points.forEach((point, step) => {
      if (point === null) return;
      if (step > 0 && points[step - 1] !== null) runs.at(-1)?.push(point);
      else runs.push([point]);
    });
    return { name, line, measured, runs, last: values.findLast((value) => value !== null) };
  });
  const ends = apart(
    drawn.map(({ measured }) => (measured.at(-1)?.[1] ?? FOOT) + 4),
    LINE,
    [TOP + 4, FOOT + 4],
  );
  return (
    <>
      {labels}
      {drawn.map(({ line, measured, runs }) => (
        <g class={line}>
          {runs.length > 1 && <path class="hint" d={path(measured)} />}
          <path d={runs.map(path).join('')} />
          {runs
            .filter(({ length }) => length === 1)
            .map(([[at, high] = [0, 0]]) => (
              <circle cx={at.toFixed(1)} cy={high.toFixed(1)} r="2" />
            ))}
        </g>
      ))}
      {drawn.map(({ name, line, last }, index) => (
        <text class={line} x={WIDTH - RIGHT + 4} y={(ends[index] ?? FOOT).toFixed(1)}>
          <title>{`${name}: at last ${last === undefined || last === null ? 'nothing' : format(last)}`}</title>
          {name}
        </text>
      ))}
    </>
  );
}

const biggest = (values: readonly (number | null)[]): number =>
  values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);

function Rate({ course }: { course: LoadCourse }): VNode {
  const { stepMs, sent, answered } = course;
  const perSecond = (counts: readonly number[]): number[] =>
    counts.map((count) => (count * 1000) / stepMs);
  const series = [
    { name: 'sent', line: 'line-sent', values: perSecond(sent) },
    { name: 'answered', line: 'line-answered', values: perSecond(answered) },
  ];
  const [most, back] = series.map(({ values }) => biggest(values));
  const scale = linearScale(Math.max(most ?? 0, back ?? 0));
  return (
    <Frame
      title="Rate"
      words={`Rate over ${formatDuration(sent.length * stepMs)}: at most ${formatRate(most ?? 0)} requests sent and ${formatRate(back ?? 0)} answered a second`}
      unit="requests a second"
      scale={scale}
      format={(mark) => String(mark)}
      beside={`by steps of ${formatDuration(stepMs)}`}
    >
      <Lines
        course={course}
        scale={scale}
        series={series}
        format={(value) => `${formatRate(value)} a second`}
      />
    </Frame>
  );
}

function Percentiles({ course }: { course: LoadCourse }): VNode {
  const series = [
    // From above: names whose lines end together stand in this order.
    { name: 'p99', line: 'line-p99', values: course.p99 },
    { name: 'p95', line: 'line-p95', values: course.p95 },
    { name: 'p50', line: 'line-p50', values: course.p50 },
  ];
  const scale = timesScale(
    series.flatMap(({ values }) => values.filter((value) => value !== null)),
  );
  const ms = (value: number): string => `${formatMs(value)} ms`;
  return (
    <Frame
      title="Answer times"
      words={`Times of the answers: ${series.map(({ name, values }) => `${name} at most ${ms(biggest(values))}`).join(', ')}`}
      unit={scale.kind === 'linear' ? 'ms' : 'ms, logarithmic'}
      scale={scale}
      format={String}
      beside="of half, 95 % and 99 % of a step"
    >
      <Lines course={course} scale={scale} series={series} format={ms} />
    </Frame>
  );
}

/** What is written at a wrong bar: the sign of a failure and the number. */
function WrongNumber({
  x,
  top,
  admitted,
  upright,
}: {
  x: number;
  top: number;
  admitted: number;
  upright: boolean;
}): VNode {
  const place = { x: x.toFixed(1), y: top.toFixed(1) };
  const turned = upright
    ? {
        'text-anchor': 'start' as const,
        transform: `rotate(-90 ${place.x} ${place.y})`,
        dx: 3,
        dy: 4,
      }
    : { 'text-anchor': 'middle' as const, dy: -5 };
  return (
    <text class="wrong" {...place} {...turned}>
      {`✗ ${admitted}`}
    </text>
  );
}

/** Bars are in the order of time; those of several keys stand side by side. */
function Bars({ load }: OfLoad): VNode {
  const windows = load.windows.toSorted((a, b) => a.from - b.from || (a.key < b.key ? -1 : 1));
  const limit = load.limits.requests;
  const wrong = windows.filter((window) => window.wrong !== undefined);
  const width = windows.length > FEW ? WIDE : WIDTH;
  const step = (width - LEFT - RIGHT) / windows.length;
  const wide = Math.min(44, step * 0.7);
  const upright = step < UPRIGHT + 14;
  // Room above the highest bar for what is written there.
  const most = Math.max(limit, biggest(windows.map(({ admitted }) => admitted)));
  const scale = linearScale(most * (upright ? 1.3 : 1.12));
  const every = Math.ceil(58 / step);
  const at = y(scale, limit);
  return (
    <Frame
      title="Admitted per window"
      words={`${plural(windows.length, 'window')}, limit ${limit}: ${
        wrong.length === 0
          ? 'none admitted a wrong number'
          : wrong
              .map(
                ({ from, admitted }) => `${clockTime(from)} admitted ${admitted}, which is wrong`,
              )
              .join('; ')
      }`}
      unit="requests, by the time of the first (UTC)"
      scale={scale}
      format={String}
      width={width}
      beside={
        wrong.length === 0
          ? `none wrong, limit ${limit}`
          : [
              <span class="failed">{`✗ ${wrong.length} of ${windows.length} wrong`}</span>,
              `, limit ${limit}`,
            ]
      }
    >
      {windows.map((window, index) => {
        const { from, key, admitted, refused } = window;
        const middle = LEFT + (index + 0.5) * step;
        const top = y(scale, admitted);
        const bad = window.wrong !== undefined;
        return (
          <g>
            <title>{`${clockTime(from)} ${text(key, 60)}: ${admitted} admitted, ${refused} refused; ${wrongWords(window, limit)}`}</title>
            <rect
              class={bad ? 'failed' : 'right'}
              x={(middle - wide / 2).toFixed(1)}
              y={top.toFixed(1)}
              width={wide.toFixed(1)}
              height={Math.max(0, FOOT - top).toFixed(1)}
            />
            {index % every === 0 && (
              <text x={middle.toFixed(1)} y={FOOT + 16} text-anchor="middle">
                {clockTime(from)}
              </text>
            )}
          </g>
        );
      })}
      <path class="limit" d={`M${LEFT} ${at.toFixed(1)}H${width - RIGHT}`} />
      <text class="limit-name" x={width - RIGHT + 4} y={(at + 4).toFixed(1)}>
        {`limit ${limit}`}
      </text>
      {windows.map(({ admitted, wrong: bad }, index) =>
        bad === undefined ? null : (
          <WrongNumber
            x={LEFT + (index + 0.5) * step}
            // A number below the limit would be crossed by its line.
            top={Math.min(y(scale, admitted), admitted < limit ? at : FOOT)}
            admitted={admitted}
            upright={upright}
          />
        ),
      )}
    </Frame>
  );
}

/** The wrong windows in words, so that nobody has to read them off a bar. */
function WrongWindows({ load }: OfLoad): VNode {
  const wrong = load.windows.filter((window: LoadWindow) => window.wrong !== undefined);
  return (
    <>
      <List
        name="plainlist wrong-windows"
        items={wrong
          .slice(0, WORDS)
          .map((window) => [
            <b class="failed">{`✗ ${window.admitted} admitted`}</b>,
            ` at ${clockTime(window.from)} UTC, ${wrongWords(window, load.limits.requests)}; ${window.refused} refused, key `,
            <code>{text(window.key, 60)}</code>,
          ])}
      />
      {more(wrong.length - WORDS, 'in the table below')}
    </>
  );
}

/** The numbers behind the charts. */
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

/** Windows against the limit, rate and answer times over time, and the same as tables. */
export function Charts({ load }: OfLoad): VNode {
  const { windows, course, windowsInAll = windows.length } = load;
  const sampled = (course?.every.admitted ?? 1) > 1;
  const notes = [
    ...(windows.length === 0 ? ['No windows: no request was admitted or refused with a key.'] : []),
    ...(sampled
      ? [
          `One admitted answer in ${course?.every.admitted ?? 1} was recorded: rates are estimates, and windows cannot be counted.`,
        ]
      : []),
    ...((course?.every.refused ?? 1) > 1
      ? [`One refusal in ${course?.every.refused ?? 1} was recorded: rates are estimates.`]
      : []),
    ...(windowsInAll > windows.length && !sampled
      ? [`${windows.length} of ${windowsInAll} windows are shown, the wrong ones first of all.`]
      : []),
    ...(course === undefined ? ['No course over time: these results hold none.'] : []),
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
