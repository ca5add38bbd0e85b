import { describe, type Answer } from '../ask/answer.ts';
import type { Check } from '../ask/check.ts';
import { Inconclusive, Untested } from '../ask/outcome.ts';
import type { SuiteSession } from '../ask/session.ts';
import { NO_DATA } from '../spec/cause.ts';
import type { Finding } from '../spec/finding.ts';
import type { RequirementId } from '../spec/requirement-id.ts';
import { requirementOf, type Requirement } from '../requirements/catalogue.ts';
import { judgeFor } from '../requirements/judging.ts';
import { expectationOf, isInvalidRequestStatus } from '../judge/expectation.ts';
import type { Facts } from '../judge/facts.ts';
import { summaryOf, type Reading } from '../judge/judgement.ts';
import { hasStatedKind } from '../judge/relations.ts';
import { isBlank } from '../judge/transport.ts';
import { viewOf } from '../judge/view.ts';
import { some } from '../text/text.ts';
import { curlLine } from '../text/curl.ts';
import { Violation } from './outcome.ts';

/** Requests that a reason names. */
const NAMED = 3;

/**
 * Judges the responses by one requirement.
 *
 * @param isOfRun true for the responses of the whole run, none of which is in the way on its own
 * @throws Violation with findings; Inconclusive or Untested when there is nothing to judge
 */
export function conform(
  id: RequirementId,
  answers: readonly Answer[],
  session: SuiteSession,
  isOfRun = false,
): void {
  const exchanges = answers.map(({ exchange }) => exchange);
  const judgement = judgeFor(id, exchanges, session.context());
  const entry = judgement.requirements.get(id);
  const broken = judgement.broken.get(id);
  if (broken !== undefined && (entry === undefined || entry.findings.length === 0)) {
    throw new Error(broken);
  }
  if (entry === undefined) throw nothingToJudge(requirementOf(id), answers, session.facts, isOfRun);
  session.judged(exchanges.filter((exchange) => entry.exchanges.has(exchange.id)));
  if (entry.findings.length > 0) {
    throw new Violation(message(id, entry.findings, answers), entry.findings);
  }
}

/**
 * Asserts that the first request must be refused with this error; the others are its controls.
 * @throws TypeError when it need not be refused: a mistake in the check, not a finding
 */
export function deserves(
  [refused]: readonly Answer[],
  error: NonNullable<Check['refused']>,
  session: SuiteSession,
): void {
  if (refused === undefined) throw new TypeError('a refusal check needs a response');
  const view = viewOf(refused.exchange, session.facts);
  const expectation = view && expectationOf(view, session.facts);
  const applies =
    expectation?.kind === 'refused' && expectation.errors.some((one) => one.error === error);
  if (applies) return;
  throw new TypeError(`${describe(refused.exchange)} need not be refused with ${error}`);
}

/** The readings of a requirement from some responses, and their summary in one line. */
export function observed(
  id: RequirementId,
  answers: readonly Answer[],
  session: SuiteSession,
): { readonly readings: readonly Reading[]; readonly summary: string } {
  const exchanges = answers.map(({ exchange }) => exchange);
  const judgement = judgeFor(id, exchanges, session.context());
  const readings = judgement.readings.filter(({ requirement }) => requirement === id);
  const shown = new Set(readings.map(({ exchange }) => exchange));
  session.judged(exchanges.filter((exchange) => shown.has(exchange.id)));
  return { readings, summary: summaryOf(readings) ?? '' };
}

/**
 * Why nothing could be judged, and what is needed. An empty well-formed list, a missing resource or JSON without content, such
 * as null, makes it untested; a missing or malformed response, or a server error, makes it inconclusive.
 */
export function nothingToJudge(
  { title, shownBy }: Pick<Requirement, 'title' | 'shownBy'>,
  answers: readonly Answer[],
  facts: Facts,
  isOfRun = false,
): Inconclusive | Untested {
  const withheld = answers.filter(({ exchange }) => {
    const view = viewOf(exchange, facts);
    if (view === undefined) return true;
    if (view.ok) return !hasStatedKind(view) && !isBlank(view);
    // The parameters of purpose-only endpoints are not stated (ruling 16).
    if (view.endpoint?.response.kind === 'unstated' && isInvalidRequestStatus(view.status)) {
      return false;
    }
    if (view.status >= 500) return true;
    if (expectationOf(view, facts).kind !== 'success') return false;
    return view.status !== 404 || Object.keys(exchange.pathParameters).length === 0;
  });
  if (withheld.length > 0) {
    const list = withheld.map(({ exchange, status, body }) => {
      const isNoJson = status === 200 && body === undefined;
      return `${describe(exchange)} (${status}${isNoJson ? ', not JSON' : ''})`;
    });
    const hinderedBy = isOfRun ? [] : withheld.map(({ exchange }) => exchange.id);
    return new Inconclusive(`Nothing to judge in ${some(list, NAMED)}`, { hinderedBy });
  }
  const list = answers.map(
    ({ exchange, status }) => `${describe(exchange)}${status >= 400 ? ` (${status})` : ''}`,
  );
  const wanted = shownBy ?? `a response that shows whether this holds: ${title}`;
  const hinderedBy = answers.flatMap(({ exchange }) => {
    const view = viewOf(exchange, facts);
    if (view === undefined || isOfRun) return [];
    const isUsable =
      view.ok && !view.wrapped && !isBlank(view) && expectationOf(view, facts).kind !== 'refused';
    return isUsable ? [] : [exchange.id];
  });
  const reason = `No case to judge in ${some(list, NAMED) || 'any response'}; needs ${wanted}`;
  return new Untested(reason, NO_DATA, { hinderedBy });
}

/** The first finding with its curl command. */
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
