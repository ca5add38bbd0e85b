import type { World } from './world.ts';

/** `world` with some of its members replaced; the others keep working on the world they belong to. */
export function overlaid(world: World, changes: Partial<World>): World {
  const merged: World = Object.create(world, Object.getOwnPropertyDescriptors(changes));
  return merged;
}
