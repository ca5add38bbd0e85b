import { HintedError } from '../text/hinted-error.ts';

/** A watch cannot start. */
export class WatchError extends HintedError<
  'ASSAY_WATCH_LISTEN' | 'ASSAY_WATCH_STORE' | 'ASSAY_WATCH_STATE' | 'ASSAY_WATCH_SETTING'
> {}
