import { createWorld } from '../../src/reference/data/world.ts';
import type { World } from '../../src/reference/world.ts';

/** Data of the reference server, made once for all servers of a process: they do not depend on faults, variants or time. */
export const WORLD: World = createWorld(1);
