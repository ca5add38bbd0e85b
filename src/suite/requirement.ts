import { test as base, type TestContext } from 'vitest';
import type { CheckContext } from '../ask/check.ts';
import { Api } from '../ask/api.ts';
import { selection } from '../ask/input.ts';
import { Inconclusive, Untested } from '../ask/outcome.ts';
import type { SuiteSession } from '../ask/session.ts';
import { missingSetting, NO_DATA, notSelected, type UntestedCause } from '../contract/cause.ts';
import { MissingKey, SessionError } from '../http/errors.ts';
import type { Requirement } from '../requirements/catalogue.ts';
import { judgeFor, requirementJudgedBy } from '../requirements/judging.ts';
import type { BoundCheck } from './bound-check.ts';
import { suiteSession } from './current-session.ts';
import { suiteInput } from './input.ts';
import { conform, deserves, observed } from './conform.ts';
import { Violation, type CheckMeta } from './outcome.ts';

/** Registers a check. The level of the requirement decides what a violation means. */
export function register(bound: BoundCheck): void {
  const { requirement, check } = bound;
  const title = check.label ?? requirement.title;
  const own = (): CheckMeta => ({
    requirement: requirement.id,
    check: title,
    profile: check.profile ?? 'standard',
  });
  base(`${requirement.id} ${title}`, { meta: { assay: own() } }, async ({ task, skip }) => {
    // Vitest shares the collected meta between reruns of the same instance: start from a clean one.
    const meta = own();
    task.meta.assay = meta;
    await judge(requirement, meta, check, skip);
  });
}

/** Runs the body and turns what it throws into an outcome. */
async function judge(
  facts: Requirement,
  meta: CheckMeta,
  check: BoundCheck['check'],
  skip: TestContext['skip'],
): Promise<void> {
  const excluded = selection(facts.id, meta.profile, suiteInput());
  if (excluded !== undefined) {
    meta.outcome = { kind: 'untested', ...excluded };
    skip(excluded.reason);
  }
  const session = suiteSession();
  meta.exchanges = session.collectInto();
  try {
    await session.requireKeys(facts.needs ?? []);
    meta.outcome = await lookedAt(facts, meta, check, session);
  } catch (error) {
    const ended = outcomeOf(error, facts);
    const { kind, reason } = ended;
    meta.outcome = ended;
    if (error instanceof Violation) meta.findings = error.findings;
    if (kind === 'failed' || kind === 'error') throw error;
    skip(reason);
  } finally {
    meta.session = session.state();
    meta.judged = session.takeJudged();
  }
}

/** Asks, and judges what is answered. What a check finds is thrown. */
async function lookedAt(
  requirement: Requirement,
  meta: CheckMeta,
  check: BoundCheck['check'],
  session: SuiteSession,
): Promise<NonNullable<CheckMeta['outcome']>> {
  const passed = { kind: 'passed', reason: null } as const;
  if ('search' in check) {
    await check.search(session);
    return passed;
  }
  const asked = await check.ask(contextOf(session));
  const { answers, withheld } = 'answers' in asked ? asked : { answers: [asked].flat() };
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

const contextOf = (session: SuiteSession): CheckContext => ({
  api: new Api(session),
  session,
  judged(criterion, role) {
    const id = requirementJudgedBy(criterion);
    if (id === undefined) return undefined;
    const exchanges = session.exchanges.filter((one) => role === undefined || one.role === role);
    return judgeFor(id, exchanges, session.context()).requirements.get(id);
  },
});

/** Why a request was not sent, when that says nothing about the target; `undefined` when it does. */
function causeOf(error: SessionError): UntestedCause | undefined {
  if (error instanceof MissingKey) return missingSetting(error.setting);
  if (error.code === 'ASSAY_BUDGET_EXHAUSTED') return notSelected('budget');
  if (error.code === 'ASSAY_NOT_RECORDED') return notSelected('recording');
  return undefined;
}

function outcomeOf(
  error: unknown,
  facts: Requirement,
): Omit<NonNullable<CheckMeta['outcome']>, 'reason'> & { reason: string } {
  if (error instanceof Violation) {
    return {
      kind: facts.level === 'must' ? 'failed' : 'warned',
      reason: error.findings[0]?.message ?? error.message,
    };
  }
  if (error instanceof Untested) {
    return { kind: 'untested', reason: error.message, cause: error.cause };
  }
  if (error instanceof Inconclusive) return { kind: 'inconclusive', reason: error.message };
  if (error instanceof SessionError) {
    const cause = causeOf(error);
    if (cause === undefined) return { kind: 'inconclusive', reason: error.message };
    return { kind: 'untested', reason: `${error.message} ${error.hint}`, cause };
  }
  return { kind: 'error', reason: error instanceof Error ? error.message : String(error) };
}
