// In place of the module of the reference server's data: those of a seed are the same for every run, so they are made once.
import { createWorld as create } from '../../dist/src/reference/data/world.js?kept';

const made = new Map();

export function createWorld(seed) {
  const world = made.get(seed) ?? create(seed);
  made.set(seed, world);
  return world;
}
