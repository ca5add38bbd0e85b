import type { ErrorName } from '../spec/error-codes.ts';
import type { KeyRole } from '../spec/exchange.ts';
import type { Judge } from '../judge/judge.ts';
import type { Judged } from '../judge/judgement.ts';
import type { Answer } from './answer.ts';
import type { Api } from './api.ts';
import type { Inconclusive } from './outcome.ts';
import type { SuiteSession } from './session.ts';

/** Context of a check. */
export interface CheckContext {
  readonly api: Api;
  readonly session: SuiteSession;
  /**
   * Judges all exchanges so far, or those of one role; undefined when there was nothing to judge. For checks that ask
   * alone.
   */
  readonly judged: (judge: Judge, role?: KeyRole) => Judged | undefined;
}

/**
 * Sends the requests of a check. Equal requests are sent once per run.
 * @throws Untested when the target lacks a
 * prerequisite, Inconclusive when it gives no usable answer
 */
export type Ask = (context: CheckContext) => Promise<Answer | readonly Answer[] | Some>;

/** Incomplete answers: they are judged first, then the reason for the missing ones counts. */
export interface Some {
  readonly answers: readonly Answer[];
  readonly withheld?: Inconclusive | undefined;
}

/**
 * When a check asks if it does not ask ahead. `alone`: no other requests in flight, because it judges all traffic of
 * the run, reserves a key, or advances or waits for the clock. `serial`: its requests depend on answers to earlier
 * checks, which must finish first.
 */
export type Exclusivity = 'alone' | 'serial';

/** One check of a requirement: what it asks, and when. The requirement judges the answers. */
export interface Check {
  /** The part of the requirement that it covers; default: the title of the requirement. */
  readonly label?: string;
  /** When it asks; default: ahead, in parallel with the checks before it. */
  readonly asks?: Exclusivity;
  /** The error that the first answer must be. A request that should not cause it is a bug in the check. */
  readonly refused?: ErrorName | 'invalid' | 'unauthenticated';
  /** True when it may advance the clock of a test target by days, so that it must come last. */
  readonly movesClock?: boolean;
  /** True when it compares answers of a list that changes, so that no wait may come in between. */
  readonly atOnce?: boolean;
  readonly ask: Ask;
}

type Options = Pick<Check, 'refused' | 'asks' | 'movesClock' | 'atOnce'>;

/** A check of the whole requirement. */
export const check = (ask: Ask, options: Options = {}): Check => ({ ...options, ask });

/** A check of a part of the requirement. */
export const part = (label: string, ask: Ask, options: Options = {}): Check => ({
  label,
  ...options,
  ask,
});

/** One check per row; `%s` in the label is the row as text, `%j` as JSON. */
export function each<Row>(
  rows: readonly Row[],
  label: string,
  ask: (row: Row, context: CheckContext) => ReturnType<Ask>,
  options: Options = {},
): readonly Check[] {
  return rows.map((row) =>
    part(
      label.replace('%j', JSON.stringify(row)).replace('%s', String(row)),
      (context) => ask(row, context),
      options,
    ),
  );
}

export const movingClock = { movesClock: true } as const;
export const alone = { asks: 'alone' } as const;
export const serial = { asks: 'serial' } as const;
