import type { World } from './world.ts';

/** `world` with some members replaced; the others still use the original world. */
export function overlaid(world: World, changes: Partial<World>): World {
  const merged: World = Object.create(world, Object.getOwnPropertyDescriptors(changes));
  return merged;
}
