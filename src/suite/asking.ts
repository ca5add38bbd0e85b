import type { Ask, CheckContext, Some } from '../ask/check.ts';
import { Api } from '../ask/api.ts';
import { selection, type SuiteInput } from '../ask/input.ts';
import { Inconclusive, Untested } from '../ask/outcome.ts';
import { missingKey, type SuiteSession } from '../ask/session.ts';
import { isLeftOut, missingSetting, notSelected, type UntestedCause } from '../spec/cause.ts';
import { BudgetExhausted, MissingKey, SessionError } from '../http/errors.ts';
import { TargetError } from '../target/errors.ts';
import { judgedAs, type Requirement } from '../requirements/catalogue.ts';
import { judgeFor } from '../requirements/judging.ts';
import type { Context } from '../judge/context.ts';
import type { Facts } from '../judge/facts.ts';
import type { Exchange, KeyRole } from '../spec/exchange.ts';
import type { Finding } from '../spec/finding.ts';
import { groupBy } from '../text/group-by.ts';
import { exclusivityOf, prefetching, type Prefetch } from './prefetch.ts';
import type { BoundCheck } from './checks.ts';
import { Violation, type CheckMeta } from './outcome.ts';

/** The responses of a check, or what a search found. */
export type Asked = Awaited<ReturnType<Ask>> | { readonly found: readonly Finding[] };

/** Why the run skips a check; undefined when it does not. A key that is missing is missing in every profile. */
export function leftOut(
  { requirement, check, profile, whenNamed }: BoundCheck,
  input: SuiteInput,
): ReturnType<typeof selection> {
  if (input.path !== null && !('search' in check))
    return { reason: 'left out by --path', cause: notSelected('only') };
  const out = selection(requirement.id, input.only.length > 0 ? whenNamed : profile, input);
  if (out === undefined || isLeftOut(out)) return out;
  return missingKey(requirement.needs ?? [], input.target) ?? out;
}

/** Prefetches the requests of checks through a session. */
export const prefetchIn = (session: SuiteSession, checks: readonly BoundCheck[]): Prefetch<Asked> =>
  prefetching(checks, session.concurrency, (one, position) =>
    session.asking({ position, asks: exclusivityOf(one) }, () => ask(one, session)),
  );

/** The responses of a check, and why some are missing. */
export const answersIn = (asked: Exclude<Asked, { readonly found: unknown }>): Some =>
  'answers' in asked ? asked : { answers: [asked].flat() };

/** Sends the requests of a check. */
async function ask({ requirement, check }: BoundCheck, session: SuiteSession): Promise<Asked> {
  await session.requireKeys(requirement.needs ?? []);
  if (!('search' in check)) return check.ask(contextOf(session));
  return { found: await check.search(session) };
}

const contextOf = (session: SuiteSession): CheckContext => ({
  api: new Api(session),
  session,
  judged(judge, role) {
    const id = judgedAs(judge);
    if (id === null) return undefined;
    const { context, ofRole } = soFar(session);
    return judgeFor(id, ofRole(role), context).requirements.get(id);
  },
});

/** What a session has seen. */
interface Seen {
  readonly facts: Facts;
  readonly context: Context;
  readonly count: number;
  readonly exchanges: readonly Exchange[];
  /** Those with keys of a role, or all of them. */
  readonly ofRole: (role: KeyRole | undefined) => readonly Exchange[];
}

const seen = new WeakMap<SuiteSession, Seen>();

/** The same until there is more: judgements of §8 remember what they read from the exchanges, and are asked for often. */
function soFar(session: SuiteSession): Seen {
  const { facts, exchanges, http } = session;
  const last = seen.get(session);
  const isSame =
    last?.facts === facts &&
    last.count === http.exchanges.length &&
    last.exchanges.length === exchanges.length &&
    last.exchanges.every((one, index) => one === exchanges[index]);
  if (isSame) return last;
  const all = [...exchanges];
  const byRole = groupBy(all, ({ role }) => role);
  const now: Seen = {
    facts,
    context: session.context(),
    count: http.exchanges.length,
    exchanges: all,
    ofRole: (role) => (role === undefined ? all : (byRole.get(role) ?? [])),
  };
  seen.set(session, now);
  return now;
}

/** Why a request was not sent, when the target is not the reason. */
function causeOf(error: SessionError): UntestedCause | undefined {
  if (error instanceof MissingKey) return missingSetting(error.setting);
  // Failures of the target or the network, and no choice of the user, use up the retries.
  if (error instanceof BudgetExhausted && error.bound !== 'retries')
    return notSelected(error.bound === 'profile' ? 'profile' : 'budget');
  if (error.code === 'ASSAY_NOT_RECORDED') return notSelected('recording');
  return undefined;
}

/** The outcome of a check that threw an error. */
export function outcomeOf(
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
    const { message: reason, cause, hinderedBy } = error;
    return { kind: 'untested', reason, cause, hinderedBy };
  }
  if (error instanceof Inconclusive) {
    const { message: reason, hinderedBy } = error;
    return { kind: 'inconclusive', reason, hinderedBy };
  }
  // The clock of a test target could not be advanced.
  if (error instanceof TargetError) return { kind: 'inconclusive', reason: error.message };
  if (error instanceof SessionError) {
    const cause = causeOf(error);
    if (cause === undefined) return { kind: 'inconclusive', reason: error.message };
    return { kind: 'untested', reason: `${error.message} ${error.hint}`, cause };
  }
  return { kind: 'error', reason: error instanceof Error ? error.message : String(error) };
}
