/** Names of the scenarios (`src/load/scenarios.ts`). */
export const SCENARIO_NAMES = [
  'smoke',
  'rl-headers',
  'rl-exact',
  'rl-exact-multi',
  'rl-boundary',
  'rl-algorithm',
  'rl-retry-after',
  'rl-isolation',
  'rl-recovery',
  'rl-flood',
  'quota',
  'mix',
  'capacity',
  'spike',
  'soak',
] as const;
export type ScenarioName = (typeof SCENARIO_NAMES)[number];
