import type { Hooks } from '../conduct/hooks.ts';

/** A deliberate violation of the specification, made as a stranger would make a mistake. */
export interface Defect extends Hooks {
  readonly id: string;
  /** What is wrong, in one sentence. */
  readonly text: string;
  readonly level: 'must' | 'should';
  /** Plain ones show wherever one looks; subtle ones on one page, value, record or moment only. */
  readonly sort: 'plain' | 'subtle';
}
