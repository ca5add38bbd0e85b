import type { LimiterKind } from './limiter.ts';

/**
 * Choices that the specification leaves to an implementation and that the core of the server must know about. Each
 * variant sets one of them; choices that only change what an answer looks like are hooks instead.
 */
export interface Settings {
  /** Beyond the recent window: only the part inside is served, the request is refused, or nothing is found (ruling 5). */
  readonly beyondWindow: 'cut' | 'refuse' | 'empty';
  /** Which end of a range `limit` keeps (ruling 19). */
  readonly limitKeeps: 'newest' | 'oldest';
  /** A range whose end lies before its start. */
  readonly invertedRange: 'empty' | 'refuse';
  /** What a page beyond the last one holds: nothing, or what the last one does. */
  readonly beyondLast: 'empty' | 'last';
  readonly limiter: LimiterKind;
  /** Which answers count against the rate limit and the quota (ruling 13). */
  readonly counted: 'all' | 'successes';
  /** What methods other than GET get (ruling 20). */
  readonly methods: 'unknown-endpoint' | 'not-allowed' | 'head-like-get';
  /** What is looked at first when several things are wrong (ruling 8): the key, the path, or path and parameters. */
  readonly firstCheck: 'key' | 'path' | 'request';
  /** What a key without access to an endpoint hears when its parameters are wrong, too (ruling 8). */
  readonly accessCheck: 'before-parameters' | 'after-parameters';
  /** Form of a currency_id; the specification names a malformed one (§7) and leaves the form open. */
  readonly currencyIdForm: RegExp;
}

export const DEFAULT_SETTINGS: Settings = {
  beyondWindow: 'cut',
  limitKeeps: 'newest',
  invertedRange: 'empty',
  beyondLast: 'empty',
  limiter: 'fixed',
  counted: 'all',
  methods: 'unknown-endpoint',
  firstCheck: 'key',
  accessCheck: 'before-parameters',
  currencyIdForm: /^\d{1,20}$/,
};
