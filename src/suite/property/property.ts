import { no5xx } from '../../../suites/4-general/requirements.ts';
import { judgedAs } from '../../requirements/catalogue.ts';
import { notSelected } from '../../spec/cause.ts';
import type { Exchange } from '../../spec/exchange.ts';
import type { Finding } from '../../spec/finding.ts';
import type { RequirementId } from '../../spec/requirement-id.ts';
import { curlLine } from '../../text/curl.ts';
import { describe } from '../../ask/answer.ts';
import { Inconclusive, Untested } from '../../ask/outcome.ts';
import type { SuiteSession } from '../../ask/session.ts';
import { DRAWN, LEFT_TO_OTHERS, type DrawnName, type PropertyFacts } from '../../ask/properties.ts';
import { Violation } from '../outcome.ts';
import { readReplay, replayCommand } from './replay.ts';
import type { PropertySession, Trial } from './trials.ts';

/** A finding with its smallest case. */
export interface Counterexample {
  readonly finding: Finding;
  /** The exchange of the finding. */
  readonly exchange: Exchange | undefined;
  /** Number of shrinks. */
  readonly shrinks: number;
  /** Path of the case for the seed. */
  readonly path: string;
}

/** The result of a search. */
export interface SearchResult {
  readonly found: ReadonlyMap<RequirementId, Counterexample>;
  readonly judged: ReadonlyMap<RequirementId, ReadonlySet<Exchange>>;
  /** All exchanges of the search. */
  readonly asked: readonly Exchange[];
}

/** Minimum requests of a search: the first ones add little to the other checks. */
const LEAST = 6;
/** Requests for replaying a case: those of the largest case and the plain ones. */
const REPLAY = 8;

const searches = new WeakMap<PropertySession, Map<DrawnName, Promise<SearchResult>>>();

/**
 * One check of a property: the result of its search for one requirement. The search runs once, for the first check that needs
 * it.
 * @throws Violation with the smallest case and how to replay it, Untested when no case tests the requirement, Inconclusive
 * when requests got no response
 */
export async function checkProperty(
  name: DrawnName,
  requirement: RequirementId,
  session: PropertySession & Pick<SuiteSession, 'judged'>,
): Promise<void> {
  const { found, judged, asked } = await searchOnce(name, session);
  const exchanges = [...(judged.get(requirement) ?? [])];
  session.judged(exchanges);
  const smallest = found.get(requirement);
  if (smallest !== undefined) throw violation(name, requirement, smallest, session.seed);
  const silent = asked.filter(({ response }) => response === null);
  const [first] = silent;
  if (first !== undefined && requirement === judgedAs(no5xx)) {
    throw new Inconclusive(
      `${silent.length} of ${asked.length} requests got no response, the first of them ${describe(first)} (${first.error?.message ?? 'no response'})`,
    );
  }
  if (exchanges.length === 0) {
    throw new Untested(`none of the ${asked.length} generated requests tests this requirement`);
  }
}

/** The search of that name in this run, started by the first caller. */
async function searchOnce(name: DrawnName, session: PropertySession): Promise<SearchResult> {
  const replay = session.path === null ? undefined : readReplay(session.path);
  if (replay !== undefined && replay.property !== name) {
    throw new Untested(`skipped: --path replays a case of ${replay.property}`, notSelected('only'));
  }
  const done = searches.get(session) ?? new Map<DrawnName, Promise<SearchResult>>();
  searches.set(session, done);
  let started = done.get(name);
  if (started === undefined) {
    const requests = replay === undefined ? requestsFor(name, session) : REPLAY;
    done.set(name, (started = search(name, session, requests, replay?.path)));
  }
  return started;
}

const factsOf = (name: DrawnName): PropertyFacts | undefined =>
  DRAWN.find((one) => one.name === name);

/** Requests available for a search. @throws Untested when too few are left */
function requestsFor(name: DrawnName, session: PropertySession): number {
  const wanted = factsOf(name)?.requests ?? 0;
  const requests = Math.min(wanted, session.http.budgetLeft('valid') - LEFT_TO_OTHERS);
  if (requests >= LEAST) return requests;
  throw new Untested('no requests left for a search: raise --max-requests', notSelected('budget'));
}

/** The seed of one search; different for each, because equal seeds would draw the same kinds of cases. */
function seedFor(name: string, seed: number): number {
  let hash = seed;
  for (let index = 0; index < name.length; index += 1) {
    hash = Math.imul(hash ^ name.charCodeAt(index), 0x01_00_01_93);
  }
  return hash | 0;
}

/**
 * Draws and judges cases until the requests are spent; later cases pass unsent. A violation is shrunk to the smallest case
 * that violates the same requirement. The same cases are then drawn again, from the cache, ignoring known violations.
 * @param path replays only this case
 * @throws Untested without a needed fixture, SessionError when nothing more can be sent
 */
export async function search(
  name: DrawnName,
  session: PropertySession,
  requests: number,
  path?: string,
): Promise<SearchResult> {
  // Loaded on demand: other profiles collect these checks but do not search.
  const [fc, { casesOf }, { Trials }] = await Promise.all([
    import('fast-check'),
    import('./cases.ts'),
    import('./trials.ts'),
  ]);
  const trials = new Trials(session, requests);
  const cases = casesOf(name, await trials.known(factsOf(name)?.endpoints[0]));
  const found = new Map<RequirementId, Counterexample>();
  const judged = new Map<RequirementId, Set<Exchange>>();
  const known = new Set<string>();
  const stop: { error?: unknown } = {};
  for (;;) {
    let smallest: { readonly finding: Finding; readonly trial: Trial } | undefined;
    const property = fc.asyncProperty(cases, async (drawn) => {
      // An error while sending is not a finding: it ends the search and must not be shrunk.
      if ('error' in stop) return;
      const trial = await trials.try(drawn).catch((error: unknown) => void (stop.error = error));
      if (trial === undefined) return;
      for (const [id, exchanges] of trial.judged) {
        judged.set(id, new Set([...(judged.get(id) ?? []), ...exchanges]));
      }
      const finding = trial.findings.find(
        (one) =>
          !known.has(violationKey(one)) &&
          (smallest === undefined || one.requirement === smallest.finding.requirement),
      );
      if (finding === undefined) return;
      smallest = { finding, trial };
      throw new Error(finding.message);
    });
    const { failed, numShrinks, counterexamplePath } = await fc.check(property, {
      seed: seedFor(name, session.seed),
      ...(path === undefined ? { numRuns: RUNS } : { path, numRuns: 1, endOnFailure: true }),
    });
    if ('error' in stop) throw stop.error;
    if (!failed || smallest === undefined) break;
    const { trial } = smallest;
    // A case may violate several requirements.
    for (const finding of trial.findings) {
      known.add(violationKey(finding));
      if (found.has(finding.requirement)) continue;
      const exchange = trial.asked.find(({ id }) => id === finding.exchange) ?? trial.asked.at(-1);
      const counterexample = { finding, exchange, path: counterexamplePath ?? '0' };
      found.set(finding.requirement, { ...counterexample, shrinks: numShrinks });
    }
    if (path !== undefined) break;
  }
  return { found, judged, asked: trials.asked };
}

/** Cases per search: more than its requests allow. */
const RUNS = 100;

/** Findings with the same requirement and endpoint are the same violation. */
const violationKey = ({ requirement, endpoint }: Finding): string =>
  `${requirement} ${endpoint ?? ''}`;

/** The violation of a counterexample, with the command that replays it. */
function violation(
  property: string,
  requirement: RequirementId,
  counterexample: Counterexample,
  seed: number,
): Violation {
  const { finding, exchange, shrinks, path } = counterexample;
  const replay = `${property}:${path}`;
  const shown: Finding = { ...finding, replay };
  const request = exchange === undefined ? [] : [describe(exchange), curlLine(exchange)];
  const lines = [
    finding.message,
    `Expected:    ${finding.expected}`,
    `Actual:      ${finding.actual}`,
    `Found with generated requests; shrinking steps: ${shrinks}.`,
    ...request,
    `replay: ${replayCommand(replay, requirement, seed)}`,
  ];
  return new Violation(lines.join('\n'), [shown]);
}
