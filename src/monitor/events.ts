import type { Summary } from '../run/verdict.ts';
import { toolVersion } from '../run/version.ts';
import type { DeliveryNote } from './notify/deliveries.ts';
import type { PendingRow } from './settlement.ts';
import type { RunEntry, TurnEntry } from './state.ts';
import type { StandingVerdict } from './standing.ts';

/** Version of `schemas/tool/monitor-events.json`; it rises when a member changes its meaning. */
const VERSION = 1;

/** What a month has been spent of, requests. */
export interface BudgetNow {
  /** `2026-11`, UTC. */
  readonly month: string;
  /** With valid keys, all of them together. */
  readonly used: number;
  readonly limit: number;
  /** With the restricted key; null when the target has none. */
  readonly restricted: { readonly used: number; readonly limit: number } | null;
}

/** What happens in a monitor, by the name of its kind. */
export interface MonitorHappenings {
  /** It begins; the first event of a process. */
  readonly started: {
    readonly version: typeof VERSION;
    readonly tool: { readonly name: 'assay'; readonly version: string };
    readonly target: { readonly baseUrl: string };
    readonly schedule: string;
    readonly profile: string;
    readonly share: number;
    readonly budget: BudgetNow;
    /** Runs until the end of the month: how many whole and short ones, and how many requests each at most. */
    readonly plan: {
      readonly runs: number;
      readonly whole: number;
      readonly wholeRequests: number;
      readonly shallow: number;
      readonly shallowRequests: number;
    };
    readonly verdict: StandingVerdict | null;
  };
  /** A run begins. */
  readonly begin: {
    readonly kind: RunEntry['kind'];
    readonly folder: string;
    readonly profile: string;
    readonly seed: number;
    readonly maxRequests: number;
    /** True when it goes on with one that was interrupted. */
    readonly resumed: boolean;
  };
  /** A run has ended. */
  readonly run: RunEntry & {
    readonly report: string;
    /** Outcomes by level. */
    readonly summary: Summary;
    /** The verdict that stands after it. */
    readonly standing: StandingVerdict | null;
    readonly budget: BudgetNow;
  };
  /** A moment of the schedule passes without a run. */
  readonly 'left-out': {
    readonly slot: string;
    /** `used-up`: nothing worth a run is left this month. `pace`: what is left has to last longer. `missed`: nobody was there. */
    readonly why: 'used-up' | 'pace' | 'missed';
    /** How many moments. */
    readonly count: number;
    /** When it may go on: the begin of the next month for `used-up`; null otherwise. */
    readonly until: string | null;
    readonly budget: BudgetNow;
  };
  /** What became of a row that was seen unsettled (§4.4 rule 1). */
  readonly settlement: Pick<PendingRow, 'ticker' | 'date'> & {
    readonly state: 'waiting' | 'complete' | 'overdue' | 'lost';
    /** When it must be complete, ISO 8601. */
    readonly deadline: string;
    readonly folder: string;
  };
  /** The verdict is another one. */
  readonly turn: TurnEntry & { readonly text: string; readonly report: string };
  /** An attempt to deliver a notification. */
  readonly delivery: Omit<DeliveryNote, 'nextAt'> & { readonly next: string | null };
  /** What could not be done, and does not end the monitor. */
  readonly warning: { readonly message: string };
  /** It ends. */
  readonly stopped: {
    readonly why: 'signal' | 'once' | 'for';
    readonly runs: number;
    readonly verdict: StandingVerdict | null;
  };
}

export type MonitorEventType = keyof MonitorHappenings;

/** Something that happened in a monitor; `schemas/tool/monitor-events.json` describes it. */
export type MonitorEvent = {
  readonly [Type in MonitorEventType]: {
    readonly type: Type;
    /** Time of the monitor, ISO 8601. */
    readonly at: string;
  } & { readonly [Name in Type]: MonitorHappenings[Type] };
}[MonitorEventType];

/** Tells an event at the time of the monitor. */
export type Teller = <Type extends MonitorEventType>(
  type: Type,
  content: MonitorHappenings[Type],
) => Promise<void>;

/** What every first event says. */
export const startedHead = (): Pick<MonitorHappenings['started'], 'version' | 'tool'> => ({
  version: VERSION,
  tool: { name: 'assay', version: toolVersion() },
});

/** An event of a kind. */
export const eventOf = <Type extends MonitorEventType>(
  type: Type,
  at: number,
  content: MonitorHappenings[Type],
): MonitorEvent =>
  ({ type, at: new Date(at).toISOString(), [type]: content }) as unknown as MonitorEvent;
