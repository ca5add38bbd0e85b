import { columnsIn, fit, palette, progressBar } from './console.ts';
import { formatDuration } from '../model/labels.ts';
import type { ProgressOptions, ProgressStream } from './progress.ts';

const TICK_MS = 1_000;
const HEARTBEAT_MS = 30_000;

/**
 * Shows elapsed and remaining time for work that reports no progress: a live line on a terminal, a plain line every 30 s
 * elsewhere. Returns a function that stops it and clears the live line; safe to call twice.
 *
 * @param ms the estimated duration
 */
export function showElapsed(
  stream: ProgressStream,
  { isTTY, color, now, ms }: ProgressOptions & { readonly ms: number },
): () => void {
  const paint = palette(color);
  const from = now();
  const text = (): string => {
    const elapsed = now() - from;
    const left = elapsed < ms ? `about ${formatDuration(ms - elapsed)} left` : 'finishing';
    return `${formatDuration(elapsed)} elapsed, ${left}`;
  };
  const draw = (): void => {
    const line = fit(text(), Math.max(10, columnsIn(stream) - 24));
    stream.write(`\r\u001b[2K${paint.cyan(progressBar((now() - from) / ms))} ${line}`);
  };
  const timer = isTTY
    ? setInterval(draw, TICK_MS)
    : setInterval(() => stream.write(`progress: ${text()}\n`), HEARTBEAT_MS);
  timer.unref();
  if (isTTY) draw();
  let shown = isTTY;
  return () => {
    clearInterval(timer);
    if (shown) stream.write('\r\u001b[2K');
    shown = false;
  };
}
