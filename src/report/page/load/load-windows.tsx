import type { VNode } from 'preact';
import { plural } from '../../../text/text.ts';
import type { LoadResult } from '../../model/load-results.ts';
import { linearScale } from '../../analysis/load-scale.ts';
import { clockTime, wrongWords } from '../../model/load-words.ts';
import { biggest, CHART, Frame, y } from './load-frame.tsx';
import { text } from '../view/parts.tsx';

const { width: WIDTH, left: LEFT, right: RIGHT, foot: FOOT } = CHART;
/** Width of a chart with more windows than fit on a phone. */
const WIDE = 1180;
/** Bars that fit on a phone. */
const FEW = 8;
/** Minimum width of a bar with a number. */
const NUMBERED = 40;

/** Requests admitted per window against the limit, in the order of time. */
export function Bars({ load }: { load: LoadResult }): VNode {
  const windows = load.windows.toSorted((a, b) => a.from - b.from || (a.key < b.key ? -1 : 1));
  const limit = load.limits.requests;
  const wrong = windows.filter((window) => window.wrong !== undefined);
  const width = windows.length > FEW ? WIDE : WIDTH;
  const step = (width - LEFT - RIGHT) / windows.length;
  const wide = Math.min(44, step * 0.7);
  // Leave room above the highest bar for its label.
  const most = Math.max(limit, biggest(windows.map(({ admitted }) => admitted)));
  const scale = linearScale(most * 1.12);
  const every = Math.ceil(58 / step);
  const at = y(scale, limit);
  return (
    <Frame
      title="Admitted per window"
      words={`${plural(windows.length, 'window')}, limit ${limit}: ${
        wrong.length === 0
          ? 'none wrong'
          : wrong
              .map(({ from, admitted }) => `wrong: ${clockTime(from)} admitted ${admitted}`)
              .join('; ')
      }`}
      unit="requests, by time of the first (UTC)"
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
          <text
            class="wrong"
            x={(LEFT + (index + 0.5) * step).toFixed(1)}
            // Keep numbers below the limit clear of its line.
            y={(Math.min(y(scale, admitted), admitted < limit ? at : FOOT) - 5).toFixed(1)}
            text-anchor="middle"
          >
            {step < NUMBERED ? '✗' : `✗ ${admitted}`}
          </text>
        ),
      )}
    </Frame>
  );
}
