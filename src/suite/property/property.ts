import { no5xx } from '../../../suites/4-general/judge.ts';
import { judgedAs } from '../../requirements/catalogue.ts';
import { notSelected } from '../../contract/cause.ts';
import type { Exchange } from '../../contract/exchange.ts';
import type { Finding } from '../../contract/finding.ts';
import type { RequirementId } from '../../contract/requirement-id.ts';
import { curlLine } from '../../text/curl.ts';
import { describe } from '../../ask/answer.ts';
import { Inconclusive, Untested } from '../../ask/outcome.ts';
import { Violation } from '../outcome.ts';
import { allot, type DrawnName, type PropertyName } from '../../ask/properties.ts';
import { readReplay, replayCommand } from './replay.ts';
import type { Counterexample, SearchResult } from './search.ts';
import type { PropertySession } from './session.ts';
import { Tokens } from './tokens.ts';

/** Tokens for trying one case again: the requests of the largest case and the plain ones beside them. */
const REPLAY_TOKENS = 8;

/** Notes exchanges as judged by the check that runs now. */
interface Judging {
  judged(exchanges: readonly Exchange[]): void;
}

/** Requests that a search has to have: the first ones say little more than the checks before it. */
const LEAST = 6;

/** What every property may ask for, by what was left when the first one of a run began. */
const allotments = new WeakMap<PropertySession, ReadonlyMap<PropertyName, number>>();
const searches = new WeakMap<PropertySession, Map<string, Promise<SearchResult>>>();

/**
 * One check of a property: what the search found about one requirement. The search itself is done once a run, by the
 * first check that asks for it, and costs the others nothing.
 * @throws Violation with the smallest case and how to send it again, Untested when nothing drawn puts the requirement to
 * the test, Inconclusive when requests got no answer
 */
export async function checkProperty(
  name: DrawnName,
  requirement: RequirementId,
  session: PropertySession & Judging,
): Promise<void> {
  const result = await searchOnce(name, session, (path) => searchRequests(name, session, path));
  checkResult(name, requirement, result, session);
}

function checkResult(
  name: PropertyName,
  requirement: RequirementId,
  result: SearchResult,
  session: Judging & Pick<PropertySession, 'seed'>,
): void {
  const judged = result.judged.get(requirement) ?? [];
  session.judged(judged);
  const smallest = result.found.get(requirement);
  if (smallest !== undefined) throw violation(name, requirement, smallest, session.seed);
  const seen = result.seen.get(requirement);
  if (seen !== undefined) {
    throw new Violation(`${seen.message} (not shrunk: the requests were spent)`, [seen]);
  }
  const [silent] = result.unanswered;
  if (silent !== undefined && requirement === judgedAs(no5xx)) {
    throw new Inconclusive(
      `${result.unanswered.length} of ${result.requests} requests got no answer, the first being ${describe(silent)} (${silent.error?.message ?? 'no response'})`,
    );
  }
  if (judged.length === 0) {
    throw new Untested(`nothing drawn within ${result.requests} requests puts it to the test`);
  }
}

/** The search of that name in this run, started by the first who asks. */
async function searchOnce(
  name: string,
  session: PropertySession,
  start: (path: string | undefined) => Promise<SearchResult>,
): Promise<SearchResult> {
  const replay = session.path === null ? undefined : readReplay(session.path);
  if (replay !== undefined && replay.property !== name) {
    throw new Untested(
      `left out, since one case of ${replay.property} is tried again`,
      notSelected('only'),
    );
  }
  const done = searches.get(session) ?? new Map<string, Promise<SearchResult>>();
  searches.set(session, done);
  const started = done.get(name) ?? start(replay?.path);
  done.set(name, started);
  return started;
}

/**
 * Tokens of a search: its share of what the run had left when the first one began.
 * @throws Untested when the requests that are left go to others
 */
function tokensFor(session: PropertySession, name: PropertyName): Tokens {
  const allotted =
    allotments.get(session) ??
    allot({
      left: session.http.budgetLeft('valid'),
      seed: session.seed,
      least: () => LEAST,
    });
  allotments.set(session, allotted);
  const share = allotted.get(name);
  if (share === undefined) {
    throw new Untested(
      allotted.size === 0
        ? 'no requests are left for a search: raise --max-requests'
        : 'the requests that are left go to other searches: another --seed searches here, or raise --max-requests',
      notSelected('budget'),
    );
  }
  return new Tokens(share);
}

/** The seed of one search. Searches with the same seed would draw the same kinds of cases, and miss the same ones. */
function seedFor(name: string, seed: number): number {
  let hash = seed;
  for (let index = 0; index < name.length; index += 1) {
    hash = Math.imul(hash ^ name.charCodeAt(index), 0x01_00_01_93);
  }
  return hash | 0;
}

async function searchRequests(
  name: DrawnName,
  session: PropertySession,
  path: string | undefined,
): Promise<SearchResult> {
  const tokens = path === undefined ? tokensFor(session, name) : new Tokens(REPLAY_TOKENS);
  // Loaded here and not above: other profiles collect these checks and draw nothing.
  const [{ search }, { CASES }, { Laboratory }] = await Promise.all([
    import('./search.ts'),
    import('./cases.ts'),
    import('./laboratory.ts'),
  ]);
  const laboratory = new Laboratory(session, tokens);
  const seed = seedFor(name, session.seed);
  const attempt = laboratory.try.bind(laboratory);
  return search({ kinds: CASES[name], attempt, seed, tokens, path });
}

/** The violation in a counterexample, with the command that shows it again. */
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
    `Found by drawing requests; made smaller ${shrinks} times.`,
    ...request,
    `replay: ${replayCommand(replay, requirement, seed)}`,
  ];
  return new Violation(lines.join('\n'), [shown]);
}
