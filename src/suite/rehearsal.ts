import type { SuiteInput } from '../ask/input.ts';
import type { SuiteSession } from '../ask/session.ts';
import { NO_DATA } from '../spec/cause.ts';
import type { Exchange } from '../spec/exchange.ts';
import type { Requirement } from '../requirements/catalogue.ts';
import { judgeViews } from '../requirements/judging.ts';
import type { Context } from '../judge/context.ts';
import { Judgement } from '../judge/judgement.ts';
import { inTheirUnit } from '../judge/range-unit.ts';
import { viewOf } from '../judge/view.ts';
import { prefetchIn, answersIn, leftOut, outcomeOf, type Asked } from './asking.ts';
import type { BoundCheck } from './bound-check.ts';
import { checksInOrder } from './checks.ts';
import { nothingToJudge } from './conform.ts';
import type { CheckMeta } from './outcome.ts';
import type { SuiteRun } from './suite-run.ts';

/** A dry-run check and its expected outcome. */
export interface Rehearsed {
  readonly meta: CheckMeta;
  readonly outcome: NonNullable<CheckMeta['outcome']>;
}

/**
 * Sends all requests of a run in the same order, but judges only whether there is something to judge, which saves most of the
 * time.
 *
 * @param judges false to count requests only, in half the time; all checks then count as passed
 */
export async function rehearse(run: SuiteRun, judges = true): Promise<readonly Rehearsed[]> {
  const checks = checksInOrder();
  const taken = checks.filter((bound) => leftOut(bound, run.input) === undefined);
  if (taken.length === 0) return checks.map((bound) => notTaken(bound, run.input));
  const { session } = run;
  const prefetch = prefetchIn(session, taken);
  const rehearsed: Rehearsed[] = [];
  for (const bound of checks) {
    if (leftOut(bound, run.input) !== undefined) {
      rehearsed.push(notTaken(bound, run.input));
      continue;
    }
    let outcome: Rehearsed['outcome'];
    try {
      // In order, as in a run.
      const asked = await prefetch.of(bound);
      outcome = judges ? wouldShow(bound, asked, session) : { kind: 'passed', reason: null };
    } catch (error) {
      outcome = outcomeOf(error, bound.requirement);
    }
    rehearsed.push({ meta: metaOf(bound), outcome });
  }
  return rehearsed;
}

/** Judges until there is something to judge, and stops there. */
export function firstWord(
  requirement: Requirement,
  exchanges: readonly Exchange[],
  context: Context,
): Judgement {
  const into = new FirstWord(requirement.level === 'observe');
  const views = inTheirUnit(exchanges.flatMap((exchange) => viewOf(exchange, context) ?? []));
  judgeViews(requirement, views, context, into);
  return into;
}

/** Aborts at the first judged exchange, or for observations at the first reading. */
class FirstWord extends Judgement {
  readonly #reads: boolean;
  #spoken = false;

  constructor(reads: boolean) {
    super();
    this.#reads = reads;
  }

  override judged(...[id, view]: Parameters<Judgement['judged']>): void {
    super.judged(id, view);
    if (!this.#reads) this.#leave();
  }

  override found(...[id, view, finding]: Parameters<Judgement['found']>): void {
    super.found(id, view, finding);
    this.#leave();
  }

  override read(...[question, answer, view, id]: Parameters<Judgement['read']>): void {
    super.read(question, answer, view, id);
    if (id !== null) this.#leave();
  }

  override collect(...[question, parts, view, id]: Parameters<Judgement['collect']>): void {
    super.collect(question, parts, view, id);
    if (id !== null) this.#leave();
  }

  override broke(...[id, error, view]: Parameters<Judgement['broke']>): void {
    if (!this.#spoken) super.broke(id, error, view);
  }

  #leave(): never {
    this.#spoken = true;
    throw new Error('there is something to judge');
  }
}

function wouldShow(
  { requirement, check }: BoundCheck,
  asked: Asked,
  session: SuiteSession,
): Rehearsed['outcome'] {
  const passed = { kind: 'passed', reason: null } as const;
  if (asked === null || 'search' in check) return passed;
  const { answers, withheld } = answersIn(asked);
  const exchanges = answers.map(({ exchange }) => exchange);
  const { requirements, readings, broken } = firstWord(requirement, exchanges, session.context());
  if (requirement.level === 'observe') {
    return readings.some(({ requirement: id }) => id === requirement.id)
      ? { kind: 'observed', reason: '' }
      : { kind: 'untested', reason: 'nothing to observe', cause: NO_DATA };
  }
  const defect = broken.get(requirement.id);
  if (defect !== undefined) throw new Error(defect);
  if (!requirements.has(requirement.id)) {
    throw nothingToJudge(requirement, answers, session.facts);
  }
  if (withheld !== undefined) throw withheld;
  return passed;
}

const metaOf = ({ requirement, check, profile }: BoundCheck): CheckMeta => ({
  requirement: requirement.id,
  check: check.label ?? requirement.title,
  profile,
});

function notTaken(bound: BoundCheck, input: SuiteInput): Rehearsed {
  return {
    meta: metaOf(bound),
    outcome: { kind: 'untested', reason: '', ...leftOut(bound, input) },
  };
}
