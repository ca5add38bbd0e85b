import { test as base, type TestContext } from '@vitest/runner';
import type { SuiteSession } from '../ask/session.ts';
import { NO_DATA } from '../spec/cause.ts';
import type { Ahead } from './ahead.ts';
import { aheadIn, answersIn, leftOut, outcomeOf, type Asked } from './asking.ts';
import { nameOf, type BoundCheck } from './bound-check.ts';
import { conform, deserves, observed } from './conform.ts';
import { Violation, type CheckMeta } from './outcome.ts';
import type { SuiteRun } from './suite-run.ts';

/** What asks ahead of its turn, for each file that tests were registered in. */
const aheadOf = new WeakMap<object, Ahead<Asked>>();

/**
 * Registers checks of a run, one test each, in the order in which they come out. The level of a requirement decides what a
 * violation means.
 */
export function register(checks: readonly BoundCheck[], run: SuiteRun): void {
  const named = new Map(checks.map((bound) => [nameOf(bound), bound]));
  for (const [name, bound] of named) {
    const { requirement, check, profile } = bound;
    const own = (): CheckMeta => ({
      requirement: requirement.id,
      check: check.label ?? requirement.title,
      profile,
    });
    base(name, { meta: { assay: own() } }, async (context) => {
      // Vitest shares the collected meta between reruns of the same instance: start from a clean one.
      const meta = own();
      context.task.meta.assay = meta;
      await judge(bound, meta, context, { run, named });
    });
  }
}

/** Where a test belongs: its run, and all checks that were registered with it, by the names of their tests. */
interface Registered {
  readonly run: SuiteRun;
  readonly named: ReadonlyMap<string, BoundCheck>;
}

/** Runs the body and turns what it throws into an outcome. */
async function judge(
  bound: BoundCheck,
  meta: CheckMeta,
  context: TestContext,
  registered: Registered,
): Promise<void> {
  const { requirement: facts } = bound;
  const excluded = leftOut(bound, registered.run.input);
  if (excluded !== undefined) {
    meta.outcome = { kind: 'untested', ...excluded };
    context.skip(excluded.reason);
  }
  const { session } = registered.run;
  try {
    const asked = await askedBy(bound, context, registered);
    meta.outcome = lookedAt(bound, meta, asked, session);
  } catch (error) {
    const ended = outcomeOf(error, facts);
    const { kind, reason } = ended;
    meta.outcome = ended;
    if (error instanceof Violation) meta.findings = error.findings;
    if (kind === 'failed' || kind === 'error') throw error;
    context.skip(reason);
  } finally {
    meta.session = session.state();
    meta.judged = session.takeJudged();
  }
}

/** What a check asks for, together with others where it can. */
function askedBy(
  bound: BoundCheck,
  { task: { file }, signal }: TestContext,
  { run, named }: Registered,
): Promise<Asked> {
  const { session } = run;
  let ahead = aheadOf.get(file);
  if (ahead === undefined) {
    // Whatever is not run, such as by -t in an editor, asks for nothing.
    const checks = file.tasks.flatMap(({ mode, name }) => {
      const one = mode === 'skip' ? undefined : named.get(name);
      return one === undefined || leftOut(one, run.input) !== undefined ? [] : [one];
    });
    ahead = aheadIn(session, checks);
    aheadOf.set(file, ahead);
  }
  signal.addEventListener('abort', () => ahead.stop(), { once: true });
  return ahead.of(bound);
}

/** Judges what is answered. What a check finds is thrown. */
function lookedAt(
  { requirement, check }: BoundCheck,
  meta: CheckMeta,
  asked: Asked,
  session: SuiteSession,
): NonNullable<CheckMeta['outcome']> {
  const passed = { kind: 'passed', reason: null } as const;
  if (asked === null || 'search' in check) return passed;
  const { answers, withheld } = answersIn(asked);
  if (requirement.level === 'observe') {
    const { readings, summary } = observed(requirement.id, answers, session);
    meta.readings = readings;
    return readings.length > 0
      ? { kind: 'observed', reason: summary }
      : { kind: 'untested', reason: 'nothing to observe was seen', cause: NO_DATA };
  }
  if (check.refused !== undefined) deserves(answers, check.refused, session);
  conform(requirement.id, answers, session);
  if (withheld !== undefined) throw withheld;
  return passed;
}
