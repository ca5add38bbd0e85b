/** Codes of {@link WatchError}. */
export type WatchErrorCode =
  'ASSAY_WATCH_LISTEN' | 'ASSAY_WATCH_STORE' | 'ASSAY_WATCH_STATE' | 'ASSAY_WATCH_SETTING';

/** A watch cannot start. The hint says what to do. */
export class WatchError extends Error {
  readonly code: WatchErrorCode;
  readonly hint: string;
  constructor(code: WatchErrorCode, message: string, hint: string) {
    super(message);
    this.name = 'WatchError';
    this.code = code;
    this.hint = hint;
  }
}
