import type { VNode } from 'preact';
import { plural } from '../../../text/text.ts';
import type { EndpointFacts } from '../../analysis/endpoint-facts.ts';
import { formatDuration } from '../../model/labels.ts';

/** Size of a strip, px, and the room kept free at both ends for the dots there. */
const WIDTH = 224;
const HEIGHT = 26;
const EDGE = 4;
/** Where the dots stand; the number of the median is above them. */
const DOTS = 19;

/** A scale of times that all endpoints share. Logarithmic, since answers take from a millisecond to several seconds. */
export interface TimeScale {
  /** Place of a time on the strip, px. */
  readonly x: (ms: number) => number;
  /** Powers of ten on the scale, ms, ends included. */
  readonly marks: readonly number[];
}

/** A scale from 1 ms to the first power of ten that no answer exceeds, 10 ms at least. */
export function timeScale(facts: readonly EndpointFacts[]): TimeScale {
  const most = Math.max(
    10,
    ...facts.map(({ slowest }) => slowest).filter((ms) => Number.isFinite(ms)),
  );
  const decades = Math.max(1, Math.ceil(Math.log10(most) - 1e-9));
  return {
    x: (ms) => EDGE + (Math.log10(Math.max(1, ms)) / decades) * (WIDTH - 2 * EDGE),
    marks: Array.from({ length: decades + 1 }, (_, power) => 10 ** power),
  };
}

interface LatencyProps {
  readonly facts: Pick<EndpointFacts, 'times' | 'median' | 'slowest'>;
  readonly scale: TimeScale;
}

/** How long each answer of an endpoint took, as a dot, and the median with its number. */
export function Latency({ facts: { times, median, slowest }, scale }: LatencyProps): VNode {
  const [fastest] = times;
  if (fastest === undefined) return <span class="note">no answer</span>;
  // Dots that would lie on each other are one.
  const places = new Set(times.map((ms) => scale.x(ms).toFixed(0)));
  const at = scale.x(median);
  const left = at > WIDTH / 2;
  const words = `${plural(times.length, 'answer')}, median ${formatDuration(median)}, from ${formatDuration(fastest)} to ${formatDuration(slowest)}`;
  return (
    <svg
      class="latency-strip"
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={words}
    >
      <title>{words}</title>
      <path
        class="mark"
        d={scale.marks.map((ms) => `M${scale.x(ms).toFixed(1)} ${DOTS - 6}v12`).join('')}
      />
      {[...places].map((x) => (
        <circle class="dot" cx={x} cy={DOTS} r="2.5" />
      ))}
      <path class="median" d={`M${at.toFixed(1)} 2v${HEIGHT - 2}`} />
      <text x={(left ? at - 4 : at + 4).toFixed(1)} y={10} text-anchor={left ? 'end' : 'start'}>
        {formatDuration(median)}
      </text>
    </svg>
  );
}
