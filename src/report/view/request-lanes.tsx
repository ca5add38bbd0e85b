import type { VNode } from 'preact';
import { formatDuration } from '../labels.ts';
import { requestTimeline } from '../request-timeline.ts';
import type { Lane, Mark, MarkKind, RequestTimeline } from '../request-timeline.ts';
import type { OfResults } from './page.ts';
import { anchor, text } from './parts.tsx';

/** Room for the names of the lanes, and between the lanes, px. */
const LEFT = 96;
const GAP = 22;
const LANE = 66;
/** Height of a lane that needs none: requests which nothing limits. */
const FLAT = 16;
/** Room above the limit, for what came beyond it. */
const ABOVE = 18;
const WIDTH = 1120;
/** A window takes at least so much room; a long run is scrolled. */
const WINDOW = 56;
const MOST_WIDE = 12_000;
/** Lanes drawn; the table has the others. */
const LANES = 16;
/** Marks that each lead to their exchange; of more, only those that matter do, and the others are drawn as one line. */
const LINKED = 1_200;

const WORDS: Readonly<Record<MarkKind, string>> = {
  admitted: 'answered',
  beyond: 'answered beyond the limit',
  refused: 'refused',
  failed: 'failed',
  other: 'error about the request',
};
const LOUD: readonly MarkKind[] = ['beyond', 'refused', 'failed'];

/** A sign of its own for each kind, so that none is told by its colour alone. */
function shapeOf({ kind }: Mark, x: number, y: number): VNode {
  const at = `${x.toFixed(1)} ${y.toFixed(1)}`;
  switch (kind) {
    case 'refused':
      return <path class="m-refused" d={`M${at}m-3.5 -3.5l7 7m0 -7l-7 7`} />;
    case 'failed':
      return <path class="m-failed" d={`M${at}m-4 3l4 -7l4 7z`} />;
    case 'beyond':
      return <path class="m-beyond" d={`M${at}m0 -5l5 5l-5 5l-5 -5z`} />;
    case 'other':
      return <circle class="m-other" cx={x.toFixed(1)} cy={y.toFixed(1)} r="1.6" />;
    default:
      return <circle class="m-admitted" cx={x.toFixed(1)} cy={y.toFixed(1)} r="1.9" />;
  }
}

function wordsOf({ exchange, status, kind, place, endpoint }: Mark): string {
  const answer = status === 0 ? 'no answer' : String(status);
  const nth = place > 0 ? `, ${place} admitted in its window` : '';
  return `${exchange}: ${text(endpoint, 80)}, ${answer}, ${WORDS[kind]}${nth}`;
}

function Linked({ mark, x, y }: { mark: Mark; x: number; y: number }): VNode {
  return (
    <a
      href={`#${anchor('x', mark.exchange)}`}
      aria-label={wordsOf(mark)}
      {...(LOUD.includes(mark.kind) ? {} : { tabindex: -1 })}
    >
      <title>{wordsOf(mark)}</title>
      {shapeOf(mark, x, y)}
    </a>
  );
}

interface Scale {
  readonly x: (at: number) => number;
  readonly limit: number;
  /** True when every mark is drawn as itself. */
  readonly each: boolean;
}

function LaneView({ lane, top, scale }: { lane: Lane; top: number; scale: Scale }): VNode {
  const { x, limit, each } = scale;
  const foot = top + LANE;
  // What is above the limit keeps its room, however far above it is.
  const y = (place: number): number =>
    place <= limit
      ? foot - (place / limit) * (LANE - ABOVE)
      : Math.max(top + 5, top + ABOVE - 7 - (place - limit - 1) * 3);
  const line = y(limit).toFixed(1);
  const loud = lane.marks.filter(({ kind }) => LOUD.includes(kind)).slice(0, LINKED);
  const quiet = lane.marks.filter(({ kind }) => !LOUD.includes(kind));
  const level = (mark: Mark): number => y(mark.kind === 'refused' ? limit + 1 : mark.place);
  return (
    <g>
      <text class="name" x={LEFT - 8} y={foot - 2} text-anchor="end">
        {text(lane.name, 16)}
      </text>
      {lane.bands.map(({ from, to, admitted, refused }) => (
        <rect
          class={admitted > limit ? 'band over' : 'band'}
          x={x(from).toFixed(1)}
          y={top}
          width={Math.max(1, x(to) - x(from)).toFixed(1)}
          height={LANE}
        >
          <title>{`Window of ${lane.name}: ${admitted} admitted, ${refused} refused`}</title>
        </rect>
      ))}
      <line class="limit" x1={LEFT} x2={x(Number.POSITIVE_INFINITY)} y1={line} y2={line} />
      {lane.bands
        .filter(({ admitted }) => admitted > limit)
        .map(({ from, admitted }) => (
          <text class="said failed" x={(x(from) + 4).toFixed(1)} y={top - 4}>
            {`✗ ${admitted} of ${limit} admitted`}
          </text>
        ))}
      {each ? (
        quiet.map((mark) => <Linked mark={mark} x={x(mark.at)} y={level(mark)} />)
      ) : (
        <path
          class="m-line"
          d={quiet.map((mark) => `M${x(mark.at).toFixed(1)} ${level(mark).toFixed(1)}h2`).join('')}
        />
      )}
      {loud.map((mark) => (
        <Linked mark={mark} x={x(mark.at)} y={level(mark)} />
      ))}
    </g>
  );
}

/** Marks of time along the foot: as many as are read without crowding. */
function Ticks({
  timeline,
  scale,
  y,
}: {
  timeline: RequestTimeline;
  scale: Scale;
  y: number;
}): VNode {
  const length = timeline.to - timeline.from;
  const steps = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600].map(
    (seconds) => seconds * 1000,
  );
  const wide = scale.x(timeline.to) - LEFT;
  const step = steps.find((one) => (one / Math.max(1, length)) * wide >= 90) ?? 7_200_000;
  const count = Math.min(200, Math.floor(length / step) + 1);
  return (
    <g>
      {Array.from({ length: count }, (_, index) => {
        const at = scale.x(timeline.from + index * step).toFixed(1);
        return (
          <>
            <line class="edge" x1={at} x2={at} y1={y} y2={y + 4} />
            <text x={at} y={y + 15}>
              {index === 0 ? 'start' : `+${formatDuration(index * step)}`}
            </text>
          </>
        );
      })}
    </g>
  );
}

/** The requests of a run, true to time: a lane for each key, its windows, and what became of each request. */
export function RequestLanes({ results }: OfResults): VNode | null {
  const timeline = requestTimeline(results);
  const { from, to, others, waits, limit } = timeline;
  const lanes = timeline.lanes.slice(0, LANES);
  if (lanes.length === 0) return null;
  const windows = Math.max(...lanes.map(({ bands }) => bands.length));
  const width = Math.min(MOST_WIDE, Math.max(WIDTH, LEFT + windows * WINDOW));
  const length = Math.max(1, to - from);
  const share = (at: number): number => Math.min(1, Math.max(0, (at - from) / length));
  const drawn = lanes.reduce((sum, { marks }) => sum + marks.length, others.length);
  const scale: Scale = {
    x: (at) => LEFT + share(at) * (width - LEFT - 8),
    limit,
    each: drawn <= LINKED,
  };
  const foot = 16 + lanes.length * (LANE + GAP) + (others.length > 0 ? FLAT + 8 : 0);
  const over = timeline.lanes.flatMap(({ bands }) => bands).filter((one) => one.admitted > limit);
  const words = `${results.exchanges.length} requests on ${timeline.lanes.length} keys with windows over ${formatDuration(length)}; windows with more than ${limit} admitted: ${over.length}`;
  return (
    <figure>
      <figcaption>{`${words}.`}</figcaption>
      <ul class="key" aria-label="Signs">
        {(['admitted', 'beyond', 'refused', 'failed', 'other'] as const).map((kind) => (
          <li>
            <svg class="lanes" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
              {shapeOf({ kind } as Mark, 6, 6)}
            </svg>
            {` ${WORDS[kind]}`}
          </li>
        ))}
        <li>
          <span class="swatch waited" aria-hidden="true" /> nothing sent
        </li>
      </ul>
      <div class="scroll" tabIndex={0} role="group" aria-label="Timeline of requests">
        <svg
          class="lanes"
          width={width}
          height={foot + 22}
          viewBox={`0 0 ${width} ${foot + 22}`}
          role="group"
          aria-label={words}
        >
          {waits.map((wait) => {
            const [begin, end] = [scale.x(wait.from), scale.x(wait.to)];
            return (
              <>
                <rect
                  class="waited"
                  x={begin.toFixed(1)}
                  y={0}
                  width={Math.max(0.5, end - begin).toFixed(1)}
                  height={foot}
                />
                {end - begin >= 40 && (
                  <text class="soft" x={((begin + end) / 2).toFixed(1)} y={11} text-anchor="middle">
                    {formatDuration(wait.to - wait.from)}
                  </text>
                )}
              </>
            );
          })}
          {lanes.map((lane, index) => (
            <LaneView lane={lane} top={16 + index * (LANE + GAP)} scale={scale} />
          ))}
          {others.length > 0 && (
            <g>
              <text class="name" x={LEFT - 8} y={foot - 8} text-anchor="end">
                other keys
              </text>
              {scale.each ? (
                others.map((mark) => <Linked mark={mark} x={scale.x(mark.at)} y={foot - 12} />)
              ) : (
                <path
                  class="m-line"
                  d={others.map(({ at }) => `M${scale.x(at).toFixed(1)} ${foot - 16}v8`).join('')}
                />
              )}
            </g>
          )}
          <Ticks timeline={timeline} scale={scale} y={foot} />
        </svg>
      </div>
      {timeline.lanes.length > lanes.length && (
        <p class="note">{`${timeline.lanes.length - lanes.length} more keys are in the table.`}</p>
      )}
    </figure>
  );
}
