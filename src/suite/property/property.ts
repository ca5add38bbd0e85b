import * as fc from 'fast-check';
import { notSelected } from '../../spec/cause.ts';
import type { Exchange } from '../../spec/exchange.ts';
import type { Finding } from '../../spec/finding.ts';
import type { RequirementId } from '../../spec/requirement-id.ts';
import { OF_PROPERTIES } from '../../requirements/catalogue.ts';
import { curlLine } from '../../text/curl.ts';
import { describe } from '../../ask/answer.ts';
import { Inconclusive, Untested } from '../../ask/outcome.ts';
import type { SuiteSession } from '../../ask/session.ts';
import { DRAWN, LEFT_TO_OTHERS, pathOf, type DrawnName } from '../../ask/properties.ts';
import { Violation } from '../outcome.ts';
import { readReplay, replayCommand } from './replay.ts';
import { requestsOf } from './cases.ts';
import { trials, type PropertySession, type Trial } from './trials.ts';

/** A finding with its smallest case. */
export interface Counterexample {
  readonly finding: Finding;
  /** The exchange of the finding. */
  readonly exchange: Exchange;
  /** Number of shrinks. */
  readonly shrinks: number;
  /** Path of the case for the seed. */
  readonly path: string;
}

/** The result of a search. */
export interface SearchResult {
  readonly found: ReadonlyMap<RequirementId, Counterexample>;
  /** Exchanges that show whether the requirement of properties holds. */
  readonly judged: ReadonlySet<Exchange>;
  /** All exchanges of the search. */
  readonly asked: readonly Exchange[];
}

/** Minimum requests of a search: the first ones add little to the other checks. */
const LEAST = 6;
/** Requests for replaying a case: its own and the plain one. */
const REPLAY = 2;

/**
 * The check of a property: generated requests get no server error.
 * @returns findings about other requirements, each with the smallest case
 * @throws Violation with the smallest case and how to replay it, Inconclusive when requests got no response, Untested when too
 * few requests are left
 */
export async function checkProperty(
  name: DrawnName,
  session: PropertySession & Pick<SuiteSession, 'judged'>,
): Promise<readonly Finding[]> {
  const replay = session.path === null ? undefined : readReplay(session.path);
  if (replay !== undefined && replay.property !== name) {
    throw new Untested(`skipped: --path replays a case of ${replay.property}`, notSelected('only'));
  }
  const requests = replay === undefined ? requestsFor(name, session) : REPLAY;
  const { found, judged, asked } = await search(name, session, requests, replay?.path);
  session.judged([...judged]);
  const findings = [...found.values()].map(({ finding, path }): Finding => ({
    ...finding,
    replay: `${name}:${path}`,
  }));
  const crash = found.get(OF_PROPERTIES);
  if (crash !== undefined) throw new Violation(wordsOf(name, crash, session.seed), findings);
  const silent = asked.filter(({ response }) => response === null);
  const [first] = silent;
  if (first !== undefined) {
    throw new Inconclusive(
      `${silent.length} of ${asked.length} requests got no response, the first of them ${describe(first)} (${first.error?.message ?? 'no response'})`,
    );
  }
  return findings;
}

/** Requests available for a search. @throws Untested when too few are left */
function requestsFor(name: DrawnName, session: PropertySession): number {
  const wanted = DRAWN.find((one) => one.name === name)?.requests ?? 0;
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
 * Draws and judges requests until they are spent; later cases pass unsent. A violation is shrunk to the smallest case that
 * violates the same requirement. The same cases are then drawn again, from the cache, ignoring known violations.
 * @param path replays only this case
 * @throws Untested without a needed fixture, SessionError when nothing more can be sent
 */
export async function search(
  name: DrawnName,
  session: PropertySession,
  requests: number,
  path?: string,
): Promise<SearchResult> {
  const all = trials(session, requests);
  const cases = requestsOf(name, await all.known(pathOf(name)));
  const found = new Map<RequirementId, Counterexample>();
  const judged = new Set<Exchange>();
  const known = new Set<string>();
  const stop: { error?: unknown } = {};
  for (;;) {
    let smallest: { readonly finding: Finding; readonly trial: Trial } | undefined;
    const property = fc.asyncProperty(cases, async (drawn) => {
      // An error while sending is not a finding: it ends the search and must not be shrunk.
      if ('error' in stop) return;
      const trial = await all.try(drawn).catch((error: unknown) => void (stop.error = error));
      if (trial === undefined) return;
      if (trial.isJudged) judged.add(trial.exchange);
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
    const { exchange, findings } = smallest.trial;
    // A case may violate several requirements.
    for (const finding of findings) {
      known.add(violationKey(finding));
      if (found.has(finding.requirement)) continue;
      const shrunk = { path: counterexamplePath ?? '0', shrinks: numShrinks };
      found.set(finding.requirement, { finding, exchange, ...shrunk });
    }
    if (path !== undefined) break;
  }
  return { found, judged, asked: all.asked() };
}

/** Cases per search: more than its requests allow. */
const RUNS = 100;

/** Findings with the same requirement and endpoint are the same violation. */
const violationKey = ({ requirement, endpoint }: Finding): string =>
  `${requirement} ${endpoint ?? ''}`;

/** A violation in words, with the command that replays it. */
function wordsOf(
  property: string,
  { finding, exchange, shrinks, path }: Counterexample,
  seed: number,
): string {
  return [
    finding.message,
    `Expected:    ${finding.expected}`,
    `Actual:      ${finding.actual}`,
    `Found with generated requests; shrinking steps: ${shrinks}.`,
    describe(exchange),
    curlLine(exchange),
    `replay: ${replayCommand(`${property}:${path}`, finding.requirement, seed)}`,
  ].join('\n');
}
