/**
 * Choices that the specification leaves open and that affect the core of the server. Each variant sets one of them; choices
 * that only change the response are hooks.
 */
export interface Settings {
  /** Beyond the recent window: truncated, refused, or empty (ruling 5). */
  readonly beyondWindow: 'cut' | 'refuse' | 'empty';
  /** Which end of a range `limit` keeps (ruling 19). */
  readonly limitKeeps: 'newest' | 'oldest';
  /** A range whose end is before its start. */
  readonly invertedRange: 'empty' | 'refuse';
  /** A page beyond the last one: empty, or the last one. */
  readonly beyondLast: 'empty' | 'last';
  /** Which requests count against the rate limit and the quota (ruling 13). */
  readonly counted: 'all' | 'successes';
  /** Response to methods other than GET (ruling 20). */
  readonly methods: 'unknown-endpoint' | 'not-allowed' | 'head-like-get';
  /** What is checked first when several things are wrong (ruling 8): the key, the path, or path and parameters. */
  readonly firstCheck: 'key' | 'path' | 'request';
}

export const DEFAULT_SETTINGS: Settings = {
  beyondWindow: 'cut',
  limitKeeps: 'newest',
  invertedRange: 'empty',
  beyondLast: 'empty',
  counted: 'all',
  methods: 'unknown-endpoint',
  firstCheck: 'key',
};
