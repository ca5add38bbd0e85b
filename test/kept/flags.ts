/** What Node is told for processes that run many short things. */
export const execArgv: readonly string[] = [
  // Most of what tests make is gone at once, but not before the space for what is new is full, and then it is copied: half
  // a test of reports was collection.
  '--max-semi-space-size=64',
  // Little of it runs often enough to be worth optimizing, which by default takes a fifth of the processor time.
  '--interrupt-budget=400000',
];
