/** API for the checks of requirements. */
export { answerOf, type Answer } from './answer.ts';
export type { Api, GetOptions, Query } from './api.ts';
export {
  alone,
  check,
  each,
  serial,
  movingClock,
  part,
  type Ask,
  type Check,
  type CheckContext,
} from './check.ts';
export { ifUntested, Inconclusive, Untested } from './outcome.ts';
export { plain, PLAIN_QUERY, plainOf } from './plain.ts';
export { someOf } from './some.ts';
