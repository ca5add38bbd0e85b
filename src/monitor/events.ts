import type { MonitorHistory } from '../report/model/monitor-history.ts';
import type { Summary } from '../run/verdict.ts';
import type { DeliveryNote } from './notify/deliveries.ts';
import type { PendingRow, RowNews } from './settlement.ts';
import type { RunEntry, VerdictChangeEntry } from './state.ts';
import type { MonitorVerdict } from './status.ts';

/** Budget of a month, requests. */
export type BudgetNow = MonitorHistory['budget'];

/** Event data by type. */
export interface MonitorHappenings {
  /** The first event of a process. */
  readonly started: {
    /** Version of the schema, raised when a member changes its meaning. */
    readonly version: 1;
    readonly tool: { readonly name: 'assay'; readonly version: string };
    readonly target: { readonly baseUrl: string };
    readonly schedule: string;
    readonly profile: string;
    readonly share: number;
    readonly budget: BudgetNow;
    /** Runs until the end of the month: number of full and short ones, and maximum number of requests of each. */
    readonly plan: {
      readonly runs: number;
      readonly whole: number;
      readonly wholeRequests: number;
      readonly shallow: number;
      readonly shallowRequests: number;
    };
    readonly verdict: MonitorVerdict | null;
  };
  readonly begin: {
    readonly kind: RunEntry['kind'];
    readonly folder: string;
    readonly profile: string;
    readonly seed: number;
    readonly maxRequests: number;
    readonly resumed: boolean;
  };
  readonly run: RunEntry & {
    readonly report: string;
    readonly summary: Summary;
    /** The verdict of the monitor after it. */
    readonly standing: MonitorVerdict | null;
    readonly budget: BudgetNow;
  };
  /** A scheduled run is skipped. */
  readonly 'left-out': {
    readonly slot: string;
    /**
     * `used-up`: the month's budget is used up. `pace`: the budget has to last longer. `missed`: no monitor was
     * running.
     */
    readonly why: 'used-up' | 'pace' | 'missed';
    /** Number of skipped runs. */
    readonly count: number;
    /** For `used-up` the start of the next month; null otherwise. */
    readonly until: string | null;
    readonly budget: BudgetNow;
  };
  /** Result of an unsettled row (§4.4 rule 1). */
  readonly settlement: Pick<PendingRow, 'ticker' | 'date'> & {
    readonly state: RowNews;
    readonly deadline: string;
    readonly folder: string;
  };
  readonly turn: VerdictChangeEntry & { readonly text: string; readonly report: string };
  /** An attempt to deliver a notification. */
  readonly delivery: DeliveryNote;
  /** An error that does not end the monitor. */
  readonly warning: { readonly message: string };
  readonly stopped: {
    readonly why: 'signal' | 'once' | 'for';
    readonly runs: number;
    readonly verdict: MonitorVerdict | null;
  };
}

export type MonitorEventType = keyof MonitorHappenings;

/** An event of a monitor; `schemas/tool/monitor-events.json` describes it. */
export type MonitorEvent = {
  readonly [Type in MonitorEventType]: {
    readonly type: Type;
    /** Time of the monitor, ISO 8601. */
    readonly at: string;
  } & { readonly [Name in Type]: MonitorHappenings[Type] };
}[MonitorEventType];

/** Emits an event with the time of the monitor. */
export type Teller = <Type extends MonitorEventType>(
  type: Type,
  content: MonitorHappenings[Type],
) => Promise<void>;
