import { selection, type SuiteInput } from '../ask/input.ts';
import { SuiteSession } from '../ask/session.ts';
import { requirementJudgedBy } from '../requirements/judging.ts';
import { LIMIT_ADMISSION } from '../rules/limit-admission.ts';
import { suiteInput } from './input.ts';

let current: { readonly runId: string; readonly session: SuiteSession } | undefined;

/**
 * The session of the current run; made when the first check needs it. A worker that is used again for another run
 * closes the session of the one before.
 */
export function suiteSession(): SuiteSession {
  const input = suiteInput();
  if (current?.runId !== input.runId) {
    void current?.session.close();
    current = { runId: input.runId, session: new SuiteSession(input, probesLimit(input)) };
  }
  return current.session;
}

/** True when the run asks whether the limit is enforced. */
function probesLimit(input: SuiteInput): boolean {
  const enforced = requirementJudgedBy(LIMIT_ADMISSION.limitEnforced);
  return enforced !== undefined && selection(enforced, 'standard', input) === undefined;
}
