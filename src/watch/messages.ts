import type { Format } from '../report/formats.ts';
import type { Results } from '../report/model/results.ts';
import type { RunEvent } from '../run/events.ts';
import type { RawExchange } from './raw-exchange.ts';
import type { Snapshot } from './snapshot.ts';
import type { WatchJudgeOptions } from './watch-judge.ts';

/** Start data of the judge thread. */
export interface ThreadOptions extends WatchJudgeOptions {
  readonly formats: readonly Format[];
}

/** From the proxy to the judge. */
export type ToJudge =
  | { readonly type: 'exchanges'; readonly exchanges: readonly RawExchange[] }
  | { readonly type: 'missed'; readonly reason: string; readonly count: number }
  /** Exchanges are missing at this point. */
  | { readonly type: 'gap' }
  | { readonly type: 'snapshot' }
  | { readonly type: 'evidence'; readonly id: string; readonly ask: number }
  | { readonly type: 'report' }
  | { readonly type: 'finish' };

/** An error in another thread. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

/** From the judge to the proxy. */
export type FromJudge =
  | {
      readonly type: 'ready';
      readonly number: number;
      readonly taken: number;
      readonly judged: number;
      readonly takenUp: { readonly exchanges: number; readonly torn: boolean };
    }
  | ({ readonly type: 'refused' } & Failure)
  /** This many exchanges and bytes were processed. */
  | { readonly type: 'done'; readonly exchanges: number; readonly bytes: number }
  | { readonly type: 'event'; readonly event: RunEvent }
  | { readonly type: 'say'; readonly line: string }
  | { readonly type: 'snapshot'; readonly snapshot: Snapshot }
  | { readonly type: 'evidence'; readonly ask: number; readonly text: string | null }
  | { readonly type: 'reported'; readonly files: readonly string[] }
  | {
      readonly type: 'finished';
      readonly results: Results;
      readonly files: readonly string[];
      /** A report could not be written. */
      readonly error: Failure | null;
    };
