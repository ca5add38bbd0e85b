import type { ComponentChildren, VNode } from 'preact';

/** Room left and above of what is drawn, and below it for the times. */
export const LEFT = 34;
export const TOP = 8;
const BOTTOM = 20;

interface PlotProps {
  readonly name: 'chart' | 'timeline';
  /** What is drawn, for those who move through the page by its parts. */
  readonly title: string;
  /** What the drawing says, for those who cannot see it. */
  readonly words: string;
  readonly caption: ComponentChildren;
  readonly width: number;
  readonly height: number;
  /** As wide as it is drawn; otherwise as wide as the page allows. */
  readonly fixed?: boolean;
  /** What the upper end of the scale stands for; the lower one is 0. */
  readonly most: number;
  readonly children: ComponentChildren;
}

/** A drawing with a scale. It can be scrolled where it does not fit. */
export function Plot(props: PlotProps): VNode {
  const { name, title, words, caption, width, height, fixed = false, most, children } = props;
  const foot = TOP + height;
  const full = foot + BOTTOM;
  return (
    <figure>
      <figcaption>{caption}</figcaption>
      <div class="scroll" tabIndex={0} role="group" aria-label={title}>
        <svg
          class={name}
          {...(fixed ? { width, height: full } : {})}
          viewBox={`0 0 ${width} ${full}`}
          role="img"
          aria-label={words}
        >
          <text x={LEFT - 6} y={TOP + 7} text-anchor="end">
            {most}
          </text>
          <text x={LEFT - 6} y={foot} text-anchor="end">
            0
          </text>
          <line class="axis" x1={LEFT} x2={width} y1={foot} y2={foot} />
          {children}
        </svg>
      </div>
    </figure>
  );
}
