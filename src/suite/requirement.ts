import { test as base, type TestContext } from '@vitest/runner';
import type { SuiteSession } from '../ask/session.ts';
import { NO_DATA } from '../spec/cause.ts';
import type { Prefetch } from './prefetch.ts';
import { prefetchIn, answersIn, leftOut, outcomeOf, type Asked } from './asking.ts';
import { nameOf, type BoundCheck } from './checks.ts';
import { conform, deserves, observed } from './conform.ts';
import { Violation, type CheckMeta } from './outcome.ts';
import type { SuiteRun } from './suite-run.ts';

/** Prefetching, by test file. */
const prefetches = new WeakMap<object, Prefetch<Asked>>();

/** Registers the checks of a run as tests, in their order. */
export function register(checks: readonly BoundCheck[], run: SuiteRun): void {
  const named = new Map(checks.map((bound) => [nameOf(bound), bound]));
  for (const [name, bound] of named) {
    base(name, { meta: { assay: metaOf(bound) } }, async (context) => {
      // Vitest shares the collected meta between reruns: start clean.
      const meta = metaOf(bound);
      context.task.meta.assay = meta;
      await judge(bound, meta, context, { run, named });
    });
  }
}

export const metaOf = ({ requirement, check, profile }: BoundCheck): CheckMeta => ({
  requirement: requirement.id,
  check: check.label ?? requirement.title,
  profile,
});

/** A run with its checks by test name. */
interface Registered {
  readonly run: SuiteRun;
  readonly named: ReadonlyMap<string, BoundCheck>;
}

/** Runs a check and converts errors into its outcome. */
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
    meta.outcome = judgeAsked(bound, meta, asked, session);
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

/** The responses of a check, prefetched if possible. */
function askedBy(
  bound: BoundCheck,
  { task: { file }, signal }: TestContext,
  { run, named }: Registered,
): Promise<Asked> {
  const { session } = run;
  let prefetch = prefetches.get(file);
  if (prefetch === undefined) {
    // Tests excluded with -t in an editor send nothing.
    const checks = file.tasks.flatMap(({ mode, name }) => {
      const one = mode === 'skip' ? undefined : named.get(name);
      return one === undefined || leftOut(one, run.input) !== undefined ? [] : [one];
    });
    prefetch = prefetchIn(session, checks);
    prefetches.set(file, prefetch);
  }
  signal.addEventListener('abort', () => prefetch.stop(), { once: true });
  return prefetch.of(bound);
}

/** Judges the responses. Throws findings. */
export function judgeAsked(
  { requirement, check }: BoundCheck,
  meta: CheckMeta,
  asked: Asked,
  session: SuiteSession,
): NonNullable<CheckMeta['outcome']> {
  const passed = { kind: 'passed', reason: null } as const;
  if ('found' in asked) {
    meta.findings = asked.found;
    return passed;
  }
  if ('search' in check) return passed;
  const { answers, withheld } = answersIn(asked);
  if (requirement.level === 'observe') {
    const { readings, summary } = observed(requirement.id, answers, session);
    meta.readings = readings;
    if (readings.length > 0) return { kind: 'observed', reason: summary };
    const { shownBy } = requirement;
    const needs = shownBy === undefined ? '' : `; needs ${shownBy}`;
    return { kind: 'untested', reason: `nothing to observe${needs}`, cause: NO_DATA };
  }
  if (check.refused !== undefined) deserves(answers, check.refused, session);
  conform(requirement.id, answers, session, check.asks === 'alone');
  if (withheld !== undefined) throw withheld;
  return passed;
}
