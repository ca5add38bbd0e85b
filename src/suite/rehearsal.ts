import type { SuiteInput } from '../ask/input.ts';
import type { SuiteSession } from '../ask/session.ts';
import { NO_DATA } from '../contract/cause.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { RequirementId } from '../contract/requirement-id.ts';
import type { Requirement } from '../requirements/catalogue.ts';
import { requirementJudgedBy, rulesFor } from '../requirements/judging.ts';
import type { Context } from '../rules/context.ts';
import type { Subject } from '../rules/criterion.ts';
import { Judgement } from '../rules/judgement.ts';
import { inTheirUnit } from '../rules/range-unit.ts';
import { viewOf, type View } from '../rules/view.ts';
import { aheadIn, answersIn, leftOut, outcomeOf, type Asked } from './asking.ts';
import type { BoundCheck } from './bound-check.ts';
import { checksInOrder } from './checks.ts';
import { nothingToJudge } from './conform.ts';
import type { CheckMeta } from './outcome.ts';
import type { SuiteRun } from './suite-run.ts';

/** A check that was rehearsed, and whether it would come to a result. */
export interface Rehearsed {
  readonly meta: CheckMeta;
  readonly outcome: NonNullable<CheckMeta['outcome']>;
}

/**
 * Asks for everything that a run asks for, in the same order, and judges only as far as it takes to know whether there is
 * something to judge. Whoever wants to know what a run sends, and not what it finds, saves most of the time.
 *
 * @param judges false to count requests only: what a check shows has no influence on what the others ask, and half of the
 *   time of a rehearsal is judging. A check that was asked for then counts as passed.
 */
export async function rehearse(run: SuiteRun, judges = true): Promise<readonly Rehearsed[]> {
  const checks = checksInOrder();
  const taken = checks.filter((bound) => leftOut(bound, run.input) === undefined);
  if (taken.length === 0) return checks.map((bound) => notTaken(bound, run.input));
  const { session } = run;
  const ahead = aheadIn(session, taken);
  const rehearsed: Rehearsed[] = [];
  for (const bound of checks) {
    if (leftOut(bound, run.input) !== undefined) {
      rehearsed.push(notTaken(bound, run.input));
      continue;
    }
    let outcome: Rehearsed['outcome'];
    try {
      // One comes out after the other, as in a run.
      const asked = await ahead.of(bound);
      outcome = judges ? wouldShow(bound, asked, session) : { kind: 'passed', reason: null };
    } catch (error) {
      outcome = outcomeOf(error, bound.requirement);
    }
    rehearsed.push({ meta: metaOf(bound), outcome });
  }
  return rehearsed;
}

/**
 * What the rules of a requirement have something to say about in some exchanges: the judgement is broken off at the first
 * word, and never holds more than that.
 */
export function firstWord(
  { id, level }: Requirement,
  exchanges: readonly Exchange[],
  context: Context,
): Judgement {
  const into = new FirstWord(id, level === 'observe');
  const views = inTheirUnit(exchanges.flatMap((exchange) => viewOf(exchange, context) ?? []));
  for (const rule of rulesFor(id)) {
    const steps = [
      ...(rule.each === undefined
        ? []
        : views.map((view) => () => rule.each?.(view, context, into))),
      () => rule.all?.(views, context, into),
    ];
    for (const step of steps) {
      try {
        step();
      } catch (error) {
        if (!into.spoken) into.broke(rule, error, null);
      }
      if (into.spoken) return into;
    }
  }
  return into;
}

/** Thrown to leave a rule. */
const ENOUGH = new Error('there is something to judge');

/** Leaves the rule that says something about a requirement: of one that only observes, when it has read something. */
class FirstWord extends Judgement {
  spoken = false;
  readonly #id: RequirementId;
  readonly #reads: boolean;

  constructor(id: RequirementId, reads: boolean) {
    super(requirementJudgedBy);
    this.#id = id;
    this.#reads = reads;
  }

  override judged(subject: Subject, view: View): void {
    if (this.idOf(subject, view) !== this.#id) return;
    super.judged(subject, view);
    if (!this.#reads) this.#leave();
  }

  override found(...[subject, view, finding]: Parameters<Judgement['found']>): void {
    if (this.idOf(subject, view) !== this.#id) return;
    super.found(subject, view, finding);
    this.#leave();
  }

  override read(...[question, answer, view, subject]: Parameters<Judgement['read']>): void {
    super.read(question, answer, view, subject);
    if (this.idOf(subject ?? null, view) === this.#id) this.#leave();
  }

  override collect(...[question, parts, view, subject]: Parameters<Judgement['collect']>): void {
    super.collect(question, parts, view, subject);
    if (this.idOf(subject ?? null, view) === this.#id) this.#leave();
  }

  #leave(): never {
    this.spoken = true;
    throw ENOUGH;
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
      : { kind: 'untested', reason: 'nothing to observe was seen', cause: NO_DATA };
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
