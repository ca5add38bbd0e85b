/** Faults that the facts allow to make and that nobody can see from outside, each group with the reason. */
export interface Invisible {
  /** Beginning of the ids. */
  readonly ids: readonly `op/${string}`[];
  readonly reason: string;
}

export const INVISIBLE: readonly Invisible[] = [];

/** Why a fault cannot be seen; undefined when it can. */
export function invisibleBecause(id: string): string | undefined {
  return INVISIBLE.find(({ ids }) => ids.some((start) => id === start || id.startsWith(start)))
    ?.reason;
}
