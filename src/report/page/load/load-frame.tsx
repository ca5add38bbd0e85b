import type { ComponentChildren, VNode } from 'preact';
import type { Scale } from '../../analysis/load-scale.ts';

/** Sizes of a chart. As wide as a phone, so that its text has the same size everywhere. */
export const CHART = { width: 380, height: 150, left: 40, right: 68, top: 26, foot: 176 } as const;

interface FrameProps {
  readonly title: string;
  /** The content of the chart for screen readers. */
  readonly words: string;
  readonly unit: string;
  readonly scale: Scale;
  readonly format: (value: number) => string;
  readonly width?: number;
  readonly children: ComponentChildren;
  readonly beside?: ComponentChildren;
}

/** The vertical position of a value, from the top. */
export const y = (scale: Scale, value: number): number =>
  CHART.foot - scale.at(value) * CHART.height;

/** A chart with title, unit and scale. */
export function Frame(props: FrameProps): VNode {
  const { title, words, unit, scale, format, width = CHART.width, children, beside } = props;
  const drawing = (
    <svg class="course" viewBox={`0 0 ${width} ${CHART.foot + 22}`} role="img" aria-label={words}>
      <text x={0} y={12}>
        {unit}
      </text>
      {scale.marks.map((mark) => {
        const at = y(scale, mark);
        return (
          <g>
            <path class="mark" d={`M${CHART.left} ${at.toFixed(1)}H${width - CHART.right}`} />
            <text x={CHART.left - 6} y={(at + 4).toFixed(1)} text-anchor="end">
              {format(mark)}
            </text>
          </g>
        );
      })}
      {children}
    </svg>
  );
  return (
    <figure class={width > CHART.width ? 'wide' : undefined}>
      <figcaption>
        <b>{title}</b> {beside}
      </figcaption>
      {width > CHART.width ? (
        <div class="scroll" tabIndex={0} role="group" aria-label={title}>
          {drawing}
        </div>
      ) : (
        drawing
      )}
    </figure>
  );
}

/** The largest value; 0 when nothing was measured. */
export const biggest = (values: readonly (number | null)[]): number =>
  values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);
