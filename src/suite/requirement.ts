import { test as base, type TestContext } from 'vitest';
import { missingSetting, NO_DATA, notSelected, type UntestedCause } from '../contract/cause.ts';
import type { RequirementId } from '../contract/requirement-id.ts';
import { requirementOf, type Requirement } from '../requirements/catalogue.ts';
import { MissingKey, SessionError } from '../http/errors.ts';
import { Api } from './api.ts';
import { selection, suiteInput } from './input.ts';
import { expect } from './matchers.ts';
import { Observer } from './observe.ts';
import { Inconclusive, Untested, Violation, type CheckMeta } from './outcome.ts';
import type { Profile } from './profiles.ts';
import { suiteSession, type SuiteSession } from './session.ts';

/** What the body of a check works with. */
export interface CheckContext {
  readonly api: Api;
  readonly expect: typeof expect;
  /** Records what was seen where the specification is silent. */
  readonly observe: Observer['observe'];
  readonly session: SuiteSession;
}

export interface CheckOptions {
  /** Smallest profile that runs the check; `standard` unless told. */
  readonly profile?: Profile;
}

type Body = (context: CheckContext) => void | Promise<void>;
type RowBody<Row> = (row: Row, context: CheckContext) => void | Promise<void>;

/**
 * A check of a requirement: one Vitest test, bound to the id. The level of the requirement decides what a violation
 * means; the body only asks and judges.
 * @throws RangeError at collection when the catalogue has no such id
 */
export function requirement(id: RequirementId, body: Body, options?: CheckOptions): void;
export function requirement(
  id: RequirementId,
  title: string,
  body: Body,
  options?: CheckOptions,
): void;
export function requirement(
  id: RequirementId,
  titleOrBody: string | Body,
  bodyOrOptions?: Body | CheckOptions,
  maybeOptions?: CheckOptions,
): void {
  const facts = requirementOf(id);
  if (typeof titleOrBody === 'function') {
    register(facts, '', titleOrBody, bodyOrOptions as CheckOptions | undefined);
  } else {
    register(facts, titleOrBody, bodyOrOptions as Body, maybeOptions);
  }
}

/**
 * One check a row. `%s` in the title prints the row as text, `%j` as JSON.
 * Usage: `requirement.for(id, rows)('refuses %j', async (row, { api, expect }) => { … })`.
 */
requirement.for =
  <Row>(id: RequirementId, rows: readonly Row[], options?: CheckOptions) =>
  (title: string, body: RowBody<Row>): void => {
    const facts = requirementOf(id);
    for (const row of rows) {
      const name = title.replace('%j', JSON.stringify(row)).replace('%s', String(row));
      register(facts, name, (context) => body(row, context), options);
    }
  };

function register(facts: Requirement, title: string, body: Body, options: CheckOptions = {}): void {
  const check = title === '' ? facts.title : title;
  const profile = options.profile ?? 'standard';
  const meta: CheckMeta = { requirement: facts.id, check, profile };
  base(`${facts.id} ${check}`, { meta: { assay: meta } }, async ({ task, skip }) => {
    // Vitest shares the collected meta between reruns of the same instance: start from a clean one.
    const own: CheckMeta = { requirement: facts.id, check, profile };
    task.meta.assay = own;
    await judge(facts, own, body, skip);
  });
}

/** Runs the body and turns what it throws into an outcome. */
async function judge(
  facts: Requirement,
  meta: CheckMeta,
  body: Body,
  skip: TestContext['skip'],
): Promise<void> {
  const excluded = selection(facts.id, meta.profile, suiteInput());
  if (excluded !== undefined) {
    meta.outcome = { kind: 'untested', ...excluded };
    skip(excluded.reason);
  }
  const session = suiteSession();
  meta.exchanges = session.collectInto();
  const observer = new Observer(facts.id, session);
  try {
    await session.requireKeys(facts.needs ?? []);
    await body({ api: new Api(session), expect, observe: observer.observe, session });
    meta.readings = observer.readings;
    if (facts.level === 'observe') {
      meta.outcome =
        observer.readings.length > 0
          ? { kind: 'observed', reason: observer.summary() }
          : { kind: 'untested', reason: 'nothing to observe was seen', cause: NO_DATA };
    } else meta.outcome = { kind: 'passed', reason: null };
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
