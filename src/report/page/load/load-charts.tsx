import type { VNode } from 'preact';
import { formatDuration } from '../../model/labels.ts';
import type { LoadCourse } from '../../model/load-results.ts';
import { formatMs, formatRate } from '../../model/load.ts';

/** A line of a chart, drawn in the class `line-NAME`. */
type Series = readonly [name: string, values: readonly (number | null)[]];

interface ChartProps {
  readonly title: string;
  readonly unit: string;
  readonly series: readonly Series[];
  /** Length of the time axis, ms. */
  readonly ms: number;
  readonly format: (value: number) => string;
}

const WIDTH = 380;
const HEIGHT = 120;

/** Larger values are clamped: anyone may write a results file. */
const MOST = 1e12;

const biggest = (values: readonly (number | null)[]): number =>
  values.reduce<number>((most, value) => Math.min(MOST, Math.max(most, value ?? 0)), 0);

/** Series over time, from 0 to their largest value. Steps without a measurement are gaps. */
function Chart({ title, unit, series, ms, format }: ChartProps): VNode {
  const most = Math.max(...series.map(([, values]) => biggest(values)));
  const pathOf = (values: Series[1]): string =>
    values
      .map((value, step) => {
        if (value === null) return '';
        const x = ((step + 0.5) / values.length) * WIDTH;
        const y = HEIGHT * (1 - Math.min(MOST, value) / (most || 1));
        // Two pixels are a dot, for a measurement between two gaps.
        const isFirst = (values[step - 1] ?? null) === null;
        return `${isFirst ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}${isFirst ? 'h2' : ''}`;
      })
      .join('');
  const lines = series.map(([name, values]) => (
    <li>
      <svg class="course line" viewBox="0 0 18 4" aria-hidden="true">
        <path class={`line-${name}`} d="M0 2h18" />
      </svg>{' '}
      {`${name} at most ${format(biggest(values))} ${unit}`}
    </li>
  ));
  return (
    <figure>
      <svg class="course" viewBox={`0 -2 ${WIDTH} ${HEIGHT + 4}`} role="img" aria-label={title}>
        {series.map(([name, values]) => (
          <path class={`line-${name}`} d={pathOf(values)} />
        ))}
      </svg>
      <figcaption>
        <b>{title}</b> {`over ${formatDuration(ms)}`}
        <ul class="key">{lines}</ul>
      </figcaption>
    </figure>
  );
}

/** Rate and latency over time. */
export function CourseCharts({ course }: { readonly course: LoadCourse }): VNode {
  const { stepMs, sent, answered, p50, p95, p99 } = course;
  const perSecond = (counts: readonly number[]): number[] =>
    counts.map((count) => (count * 1000) / stepMs);
  const ms = sent.length * stepMs;
  const rates: readonly Series[] = [
    ['sent', perSecond(sent)],
    ['answered', perSecond(answered)],
  ];
  const times: readonly Series[] = [
    ['p50', p50],
    ['p95', p95],
    ['p99', p99],
  ];
  return (
    <div class="courses">
      <Chart title="Rate" unit="per second" series={rates} ms={ms} format={formatRate} />
      {p50.some((value) => value !== null) && (
        <Chart title="Latency" unit="ms" series={times} ms={ms} format={formatMs} />
      )}
    </div>
  );
}
