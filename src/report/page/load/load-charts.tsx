import type { ComponentChildren, VNode } from 'preact';
import { formatDuration } from '../../model/labels.ts';
import type { LoadCourse } from '../../model/load-results.ts';
import { apart, linearScale, timesScale, type Scale } from '../../analysis/load-scale.ts';
import { formatMs, formatRate } from '../../model/load.ts';

/** Sizes of a chart. As wide as a phone, so that its text has the same size everywhere. */
const WIDTH = 380;
const HEIGHT = 150;
const LEFT = 40;
const RIGHT = 68;
const TOP = 26;
const FOOT = TOP + HEIGHT;
/** Line height of labels. */
const LINE = 13;

interface FrameProps {
  readonly title: string;
  /** The content of the chart for screen readers. */
  readonly words: string;
  readonly unit: string;
  readonly scale: Scale;
  readonly format: (value: number) => string;
  readonly children: ComponentChildren;
  readonly detail: string;
}

/** The vertical position of a value, from the top. */
const y = (scale: Scale, value: number): number => FOOT - scale.at(value) * HEIGHT;

/** A chart with title, unit and scale. */
function Frame(props: FrameProps): VNode {
  const { title, words, unit, scale, format, children, detail } = props;
  return (
    <figure>
      <figcaption>
        <b>{title}</b> {detail}
      </figcaption>
      <svg class="course" viewBox={`0 0 ${WIDTH} ${FOOT + 22}`} role="img" aria-label={words}>
        <text x={0} y={12}>
          {unit}
        </text>
        {scale.marks.map((mark) => {
          const at = y(scale, mark);
          return (
            <g>
              <path class="mark" d={`M${LEFT} ${at.toFixed(1)}H${WIDTH - RIGHT}`} />
              <text x={LEFT - 6} y={(at + 4).toFixed(1)} text-anchor="end">
                {format(mark)}
              </text>
            </g>
          );
        })}
        {children}
      </svg>
    </figure>
  );
}

/** The largest value; 0 when nothing was measured. */
const biggest = (values: readonly (number | null)[]): number =>
  values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);

/** Positions of the steps, and the time labels below them. */
function timeAxis({ stepMs, sent }: LoadCourse): {
  readonly x: (step: number) => number;
  readonly labels: ComponentChildren;
} {
  const long = Math.max(1, sent.length) * stepMs;
  const minutes = long >= 300_000;
  const unit = minutes ? 60_000 : 1000;
  const scale = linearScale(long / unit, 6);
  const room = WIDTH - LEFT - RIGHT;
  const xOf = (ms: number): number => LEFT + (ms / long) * room;
  return {
    x: (step) => xOf((step + 0.5) * stepMs),
    labels: scale.marks
      .filter((mark) => mark * unit <= long)
      .map((mark, index) => (
        <text
          x={xOf(mark * unit).toFixed(1)}
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

/** Series over time, labelled at their end. Gaps without measurements are bridged by a faint line. */
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
          <title>{`${name}: last value ${last === undefined || last === null ? 'none' : format(last)}`}</title>
          {name}
        </text>
      ))}
    </>
  );
}

/** Requests and responses per second over time. */
export function Rate({ course }: { course: LoadCourse }): VNode {
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
      words={`Rate over ${formatDuration(sent.length * stepMs)}: at most ${formatRate(most ?? 0)} requests sent and ${formatRate(back ?? 0)} answered per second`}
      unit="requests per second"
      scale={scale}
      format={(mark) => String(mark)}
      detail={`in steps of ${formatDuration(stepMs)}`}
    >
      <Lines
        course={course}
        scale={scale}
        series={series}
        format={(value) => `${formatRate(value)} per second`}
      />
    </Frame>
  );
}

/** Latency percentiles over time. */
export function Percentiles({ course }: { course: LoadCourse }): VNode {
  const series = [
    // Top down: the order of labels whose lines end at the same height.
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
      title="Latency"
      words={`Latency: ${series.map(({ name, values }) => `${name} at most ${ms(biggest(values))}`).join(', ')}`}
      unit={scale.kind === 'linear' ? 'ms' : 'ms, logarithmic'}
      scale={scale}
      format={String}
      detail="percentiles per step"
    >
      <Lines course={course} scale={scale} series={series} format={ms} />
    </Frame>
  );
}
