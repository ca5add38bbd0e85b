import { expect as base } from 'vitest';
import type { ErrorName } from '../contract/error-codes.ts';
import type { RequirementId } from '../contract/requirement-id.ts';
import { requirementOf } from '../requirements/catalogue.ts';
import type { Finding } from '../contract/finding.ts';
import { expectationOf, isInvalidRequestStatus } from '../rules/expectation.ts';
import { judgeFor } from '../requirements/judging.ts';
import type { Facts } from '../rules/facts.ts';
import { isWellFormed, viewOf } from '../rules/view.ts';
import { describe, type Answer } from './answer.ts';
import { curlLine } from '../text/curl.ts';
import { Inconclusive, Untested, Violation } from './outcome.ts';
import { suiteSession } from './session.ts';

declare module 'vitest' {
  // The parameter must be named and defaulted as Vitest declares it.
  interface Matchers<T> {
    /**
     * The answer, or the answers together, keep the requirement of this check: its rules find nothing.
     * @throws Inconclusive when no rule finds anything to judge in them
     */
    toConform(): T;
    /**
     * The request had to be refused with this error, and is. The message of a failure says what came instead. Answers
     * that follow the first one show what the request gets otherwise.
     */
    toBeRefused(error: ErrorName | 'invalid' | 'unauthenticated'): T;
  }
}

base.extend({
  toConform(received: Answer | readonly Answer[]) {
    conform(currentRequirement(this.task), answersOf(received));
    return held();
  },
  toBeRefused(
    received: Answer | readonly Answer[],
    error: ErrorName | 'invalid' | 'unauthenticated',
  ) {
    const session = suiteSession();
    const answers = answersOf(received);
    const [refused] = answers;
    if (refused === undefined) throw new TypeError('toBeRefused() needs an answer');
    const view = viewOf(refused.exchange, session.facts);
    const expectation = view && expectationOf(view, session.facts);
    const applies =
      expectation?.kind === 'refused' && expectation.errors.some((one) => one.error === error);
    // A check whose request does not deserve the refusal is a mistake of the suite, never a finding.
    if (!applies) {
      throw new TypeError(
        `${describe(refused.exchange)} does not have to be refused with ${error}`,
      );
    }
    conform(currentRequirement(this.task), answers);
    return held();
  },
});

/** Vitest's `expect` with the matchers of Assay. */
export const expect = base;

const held = () => ({ pass: true, message: () => 'expected a violation, but found none' });

function answersOf(received: Answer | readonly Answer[]): readonly Answer[] {
  return Array.isArray(received) ? (received as readonly Answer[]) : [received as Answer];
}

interface TaskLike {
  readonly meta: { readonly assay?: { readonly requirement: RequirementId } };
}

function currentRequirement(task: unknown): RequirementId {
  const id = (task as TaskLike | undefined)?.meta.assay?.requirement;
  if (id === undefined) throw new TypeError('toConform() works inside a requirement() only');
  return id;
}

function conform(id: RequirementId, answers: readonly Answer[]): void {
  const session = suiteSession();
  const exchanges = answers.map(({ exchange }) => exchange);
  const judgement = judgeFor(id, exchanges, session.context());
  const entry = judgement.requirements.get(id);
  const broken = judgement.broken.get(id);
  if (broken !== undefined && (entry === undefined || entry.findings.length === 0)) {
    throw new Error(broken);
  }
  if (entry === undefined) throw nothingToJudge(answers, session.facts);
  session.judged(exchanges.filter((exchange) => entry.exchanges.has(exchange.id)));
  if (entry.findings.length > 0) {
    throw new Violation(message(id, entry.findings, answers), entry.findings);
  }
}

/**
 * Why nothing could be judged. Thin data is the target's right: an empty but well-formed list, or something that the
 * target does not have. What should have come and did not was withheld.
 */
function nothingToJudge(answers: readonly Answer[], facts: Facts): Inconclusive | Untested {
  const withheld = answers.filter(({ exchange }) => {
    const view = viewOf(exchange, facts);
    if (view === undefined) return true;
    if (view.ok) return !isWellFormed(view);
    // What a purpose-only endpoint wants to be asked is not stated (ruling 16).
    if (view.endpoint?.response.kind === 'unstated' && isInvalidRequestStatus(view.status)) {
      return false;
    }
    const expectation = expectationOf(view, facts);
    if (expectation.kind !== 'success') return false;
    return view.status !== 404 || Object.keys(exchange.pathParameters).length === 0;
  });
  if (withheld.length > 0) {
    const list = withheld.map(({ exchange, status }) => `${describe(exchange)} (${status})`);
    return new Inconclusive(`Nothing to judge in ${list.join(', ')}`);
  }
  const list = answers.map(({ exchange }) => describe(exchange)).join(', ');
  return new Untested(`the target shows nothing of the kind in ${list || 'any answer'}`);
}

/** Three lines a finding, and the request to send again. */
function message(
  id: RequirementId,
  findings: readonly Finding[],
  answers: readonly Answer[],
): string {
  const { title } = requirementOf(id);
  const [first] = findings;
  if (first === undefined) return title;
  const answer = answers.find(({ exchange }) => exchange.id === first.exchange) ?? answers[0];
  const more = findings.length > 1 ? `\n(and ${findings.length - 1} more)` : '';
  const at =
    first.pointer === null ? '' : ` at ${first.pointer === '' ? 'the body' : first.pointer}`;
  return [
    first.message,
    `Requirement: ${id} ${title}`,
    `Expected:    ${first.expected}`,
    `Actual:      ${first.actual}${at}${more}`,
    answer === undefined ? '' : curlLine(answer.exchange),
  ].join('\n');
}
