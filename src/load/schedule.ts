/** Times of bursts. Pure, and shared by the scripts and the judge. All times are epoch ms of the local clock. */

/** Safe distance of a burst from the edge of a window, ms. */
export function margin(windowMs: number): number {
  return Math.min(400, Math.max(60, windowMs / 10));
}

/** The first time not before `earliest` that is `offset` after an edge of a window. */
export function afterEdge(
  freshAt: number,
  windowMs: number,
  earliest: number,
  offset: number,
): number {
  const first = freshAt + offset;
  if (first >= earliest) return first;
  return first + Math.ceil((earliest - first) / windowMs) * windowMs;
}

/**
 * Times of `count` bursts, each in a separate window for every kind of window: one with fixed edges (each burst is well
 * after an edge and well before the next), and one that starts with a request or slides (each burst is more than a
 * window after the previous one).
 */
export function burstTimes(
  freshAt: number,
  windowMs: number,
  count: number,
  earliest: number,
): number[] {
  const offset = margin(windowMs);
  const gap = Math.min(600, Math.max(40, windowMs / 8));
  const times: number[] = [];
  let at = afterEdge(freshAt, windowMs, earliest, offset);
  for (let index = 0; index < count; index += 1) {
    times.push(at);
    at += windowMs + gap;
    const phase = (at - freshAt) % windowMs;
    if (phase > windowMs * 0.6 || phase < offset) {
      at = afterEdge(freshAt, windowMs, at, offset);
    }
  }
  return times;
}

/** Distance of bursts from the edge between them, ms. */
export function edgeDistance(windowMs: number): number {
  return Math.min(500, Math.max(100, windowMs / 25));
}
