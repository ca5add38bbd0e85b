import type { ErrorName } from '../spec/error-codes.ts';
import type { KeyRole } from '../spec/exchange.ts';
import type { Judge } from '../judge/judge.ts';
import type { Judged } from '../judge/judgement.ts';
import type { Answer } from './answer.ts';
import type { Api } from './api.ts';
import type { Moment } from './moment.ts';
import type { Inconclusive } from './outcome.ts';
import type { SuiteSession } from './session.ts';

/** What a check asks with. */
export interface CheckContext {
  readonly api: Api;
  readonly session: SuiteSession;
  /**
   * What the requirement of a judgement finds in everything so far, or in what the keys of one role were
   * answered; undefined when there was nothing to judge. For checks that are alone.
   */
  readonly judged: (judge: Judge, role?: KeyRole) => Judged | undefined;
}

/**
 * Asks for what a requirement is judged by. Requests that are equal are sent once in a run, whoever asks for them.
 * @throws Untested when the target has not what it takes, Inconclusive when it withholds what it should have shown
 */
export type Ask = (context: CheckContext) => Promise<Answer | readonly Answer[] | Some>;

/** Answers of which some are missing: what kept them back counts after what the others say. */
export interface Some {
  readonly answers: readonly Answer[];
  readonly withheld?: Inconclusive | undefined;
}

/** One way to see whether a requirement is kept: what is asked, and when. Its answers are judged by the requirement. */
export interface Check {
  /** Which part of the requirement it looks at; the title of the requirement by default. */
  readonly label?: string;
  /** When it asks; ahead of its turn by default, together with the checks before it. */
  readonly asks?: Moment;
  /** The error that the first answer has to be. A request that does not deserve it is a mistake of the check. */
  readonly refused?: ErrorName | 'invalid' | 'unauthenticated';
  /** True when it may move the clock of a test target by days: everything else comes before it. */
  readonly movesClock?: boolean;
  /** True when its answers are compared with each other and the list moves: nothing that waits may come in between. */
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

/** One check a row; `%s` in the label is the row as text, `%j` as JSON. */
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
export const inTurn = { asks: 'in turn' } as const;
