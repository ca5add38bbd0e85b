import type { VNode } from 'preact';
import { formatDuration } from '../../model/labels.ts';
import type { LoadCourse } from '../../model/load-results.ts';
import { linearScale, timesScale, type Scale } from '../../analysis/load-scale.ts';
import { formatMs, formatRate } from '../../model/load.ts';

/** Sizes of a chart. As wide as a phone, so that its text has the same size everywhere. */
const WIDTH = 380;
const HEIGHT = 150;
const LEFT = 40;
const RIGHT = 98;
const TOP = 26;
const FOOT = TOP + HEIGHT;
/** From one name of a line to the next. */
const LINE = 16;

/** A line of a chart, drawn in the class `line-NAME`. */
type Series = readonly [name: string, values: readonly (number | null)[]];

interface ChartProps {
  readonly course: LoadCourse;
  readonly series: readonly Series[];
  readonly scale: Scale;
  readonly title: string;
  readonly detail: string;
  readonly unit: string;
  /** The content of the chart for screen readers. */
  readonly words: string;
}

const biggest = (values: readonly (number | null)[]): number =>
  values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);

/** Series over time, with their names beside them. Steps without a measurement are gaps. */
function Chart(props: ChartProps): VNode {
  const { course, series, scale, title, detail, unit, words } = props;
  const long = Math.max(1, course.sent.length) * course.stepMs;
  const x = (ms: number): number => LEFT + (ms / long) * (WIDTH - LEFT - RIGHT);
  const y = (value: number): number => FOOT - scale.at(value) * HEIGHT;
  const pathOf = (values: Series[1]): string =>
    values
      .map((value, step) => {
        if (value === null) return '';
        const at = `${x((step + 0.5) * course.stepMs).toFixed(1)} ${y(value).toFixed(1)}`;
        // Two pixels are a dot, for a measurement between two gaps.
        return (values[step - 1] ?? null) === null ? `M${at}h2` : `L${at}`;
      })
      .join('');
  const [time, timeUnit] = long >= 300_000 ? [60_000, 'min'] : [1000, 's'];
  return (
    <figure>
      <figcaption>
        <b>{title}</b> {detail}
      </figcaption>
      <svg class="course" viewBox={`0 0 ${WIDTH} ${FOOT + 22}`} role="img" aria-label={words}>
        <text x={0} y={12}>
          {unit}
        </text>
        {scale.marks.map((mark) => (
          <>
            <path class="mark" d={`M${LEFT} ${y(mark).toFixed(1)}H${WIDTH - RIGHT}`} />
            <text x={LEFT - 6} y={(y(mark) + 4).toFixed(1)} text-anchor="end">
              {mark}
            </text>
          </>
        ))}
        {linearScale(long / time, 6)
          .marks.filter((mark) => mark * time <= long)
          .map((mark, index) => (
            <text
              x={x(mark * time).toFixed(1)}
              y={FOOT + 16}
              text-anchor={index === 0 ? 'start' : 'middle'}
            >
              {`${mark} ${timeUnit}`}
            </text>
          ))}
        {series.map(([name, values], index) => (
          <g class={`line-${name}`}>
            <path d={pathOf(values)} />
            <path d={`M${WIDTH - RIGHT + 8} ${TOP + index * LINE}h18`} />
            <text x={WIDTH - RIGHT + 32} y={TOP + 4 + index * LINE}>
              {name}
            </text>
          </g>
        ))}
      </svg>
    </figure>
  );
}

/** Requests and responses per second over time. */
export function Rate({ course }: { course: LoadCourse }): VNode {
  const { stepMs, sent, answered } = course;
  const perSecond = (counts: readonly number[]): number[] =>
    counts.map((count) => (count * 1000) / stepMs);
  const [sentRate, answeredRate] = [perSecond(sent), perSecond(answered)];
  const [most, back] = [biggest(sentRate), biggest(answeredRate)];
  return (
    <Chart
      course={course}
      series={[
        ['sent', sentRate],
        ['answered', answeredRate],
      ]}
      scale={linearScale(Math.max(most, back))}
      title="Rate"
      detail={`in steps of ${formatDuration(stepMs)}`}
      unit="requests per second"
      words={`Rate over ${formatDuration(sent.length * stepMs)}: at most ${formatRate(most)} requests sent and ${formatRate(back)} answered per second`}
    />
  );
}

/** Latency percentiles over time. */
export function Percentiles({ course }: { course: LoadCourse }): VNode {
  const { p50, p95, p99 } = course;
  // Top down, as the lines are.
  const series = [
    ['p99', p99],
    ['p95', p95],
    ['p50', p50],
  ] as const;
  const scale = timesScale([...p99, ...p95, ...p50].filter((value) => value !== null));
  const ms = (value: number): string => `${formatMs(value)} ms`;
  return (
    <Chart
      course={course}
      series={series}
      scale={scale}
      title="Latency"
      detail="percentiles per step"
      unit={scale.kind === 'linear' ? 'ms' : 'ms, logarithmic'}
      words={`Latency: ${series.map(([name, values]) => `${name} at most ${ms(biggest(values))}`).join(', ')}`}
    />
  );
}
