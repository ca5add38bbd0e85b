import { POINTS, type Curve } from './curve.ts';

/** A budget at which a tool does not show more faults than another one that shows any. */
export interface Behind {
  /** The other tool. */
  readonly peer: string;
  /** Requests with a valid key; null for all that each of them sends. */
  readonly point: number | null;
  /** Faults that the tool shows there. */
  readonly shown: number;
  /** Faults that the other one shows there. */
  readonly byPeer: number;
}

/** Where the first of some curves of the same faults is not ahead of each other one, which may be at none. */
export function behindIn([first, ...others]: readonly Curve[]): readonly Behind[] {
  if (first === undefined) return [];
  return others.flatMap((peer) =>
    [...POINTS.keys(), null].flatMap((index): Behind[] => {
      const at = ({ shown, all }: Curve): number => (index === null ? all : (shown[index] ?? 0));
      const [shown, byPeer] = [at(first), at(peer)];
      const point = index === null ? null : (POINTS[index] ?? null);
      return byPeer > 0 && shown <= byPeer ? [{ peer: peer.tool, point, shown, byPeer }] : [];
    }),
  );
}

/** Where Assay is not ahead on some samples, each with the curves of the same faults: a part of a sentence for each. */
export const behindTexts = (samples: readonly (readonly Curve[])[]): readonly string[] =>
  samples.flatMap((curves) =>
    behindIn(curves).map(
      ({ peer, point, shown, byPeer }) =>
        `of ${curves[0]?.faults ?? 0} faults, ${point === null ? 'in the end' : `after ${point} requests`}, Assay shows ${shown}, and ${peer} ${byPeer}`,
    ),
  );
