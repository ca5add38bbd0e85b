import * as fc from 'fast-check';
import type { Exchange } from '../../contract/exchange.ts';
import type { Finding } from '../../contract/finding.ts';
import type { RequirementId } from '../../contract/requirements.ts';
import type { Verdict } from './judge.ts';
import type { Tokens } from './tokens.ts';

/** A case that was tried: what was sent for it, and what is to be said about that. */
export interface Trial extends Verdict {
  readonly asked: readonly Exchange[];
}

/** A finding with what sends the requests again that show it. */
export interface Counterexample {
  readonly finding: Finding;
  /** The exchange of the finding. */
  readonly exchange: Exchange | undefined;
  /** How often a smaller case was found. */
  readonly shrinks: number;
  /** Where the case lies in what the seed draws. */
  readonly path: string;
}

/** What a search came to. */
export interface SearchResult {
  /** The smallest case of each requirement that was found violated, as far as the tokens went. */
  readonly found: ReadonlyMap<RequirementId, Counterexample>;
  /** The first finding about any requirement, shrunk or not. */
  readonly seen: ReadonlyMap<RequirementId, Finding>;
  readonly judged: ReadonlyMap<RequirementId, readonly Exchange[]>;
  /** Requests that got no answer at all: nothing can be said about them. */
  readonly unanswered: readonly Exchange[];
  /** Requests that were asked for. */
  readonly requests: number;
}

export interface SearchOptions<Case> {
  readonly cases: fc.Arbitrary<Case>;
  /** Tries a case; undefined when there are too few tokens left for it. */
  readonly attempt: (drawn: Case) => Promise<Trial | undefined>;
  readonly seed: number;
  readonly tokens: Tokens;
  /** Tries this one case only, as a counterexample names it. */
  readonly path?: string | undefined;
}

/** Different violations that one search shrinks. */
const MOST_FOUND = 10;
/** Share of the tokens that shrinking one violation may take. */
const SHRINKING = 1 / 3;

/**
 * Draws cases and has the rules judge them, until the tokens are spent. A violation is shrunk to the smallest case that
 * violates the same requirement; the search then goes on for others. When the tokens are spent, what is still drawn is
 * let pass unsent.
 * @throws Untested without a needed fixture, SessionError when nothing more can be sent
 */
export async function search<Case>(options: SearchOptions<Case>): Promise<SearchResult> {
  const { cases, attempt, seed, tokens, path } = options;
  const found = new Map<RequirementId, Counterexample>();
  const seen = new Map<RequirementId, Finding>();
  const judged = new Map<RequirementId, Exchange[]>();
  const unanswered = new Set<Exchange>();
  /** Violations that are not to be found again, by requirement and endpoint. */
  const known = new Set<string>();
  const total = tokens.left;

  for (let round = 0; round < MOST_FOUND; round += 1) {
    const stop: { error?: unknown } = {};
    let focus: RequirementId | undefined;
    let smallest: Trial | undefined;
    const holds = async (drawn: Case): Promise<boolean> => {
      if ('error' in stop) return true;
      let trial: Trial | undefined;
      try {
        trial = await attempt(drawn);
      } catch (error) {
        // Not a property of the target: it must not be shrunk, and ends the search.
        stop.error = error;
      }
      if (trial === undefined) return true;
      note(trial, seen, judged);
      for (const exchange of trial.asked) if (exchange.response === null) unanswered.add(exchange);
      const finding = trial.findings.find(
        (one) =>
          !known.has(placeOf(one, trial)) && (focus === undefined || one.requirement === focus),
      );
      if (finding === undefined) return true;
      if (focus === undefined) {
        focus = finding.requirement;
        tokens.bind(Math.ceil(total * SHRINKING));
      }
      smallest = trial;
      return false;
    };
    const details = await fc.check(fc.asyncProperty(cases, holds), {
      seed,
      numRuns: path === undefined ? 4 * total + 1 : 1,
      ...(path === undefined ? {} : { path, endOnFailure: true }),
    });
    tokens.lift();
    if ('error' in stop) throw stop.error;
    if (!details.failed || smallest === undefined) break;
    // One request may violate several requirements: it is the counterexample of all of them.
    for (const finding of smallest.findings) {
      const place = placeOf(finding, smallest);
      if (known.has(place)) continue;
      known.add(place);
      if (found.has(finding.requirement)) continue;
      found.set(finding.requirement, {
        finding,
        exchange: smallest.asked.find(({ id }) => id === finding.exchange) ?? smallest.asked.at(-1),
        shrinks: details.numShrinks,
        path: details.counterexamplePath ?? '0',
      });
    }
    if (tokens.left === 0) break;
  }
  return { found, seen, judged, unanswered: [...unanswered], requests: tokens.spent };
}

/** What is the same violation: the requirement and the endpoint. */
function placeOf({ requirement, exchange }: Finding, { asked }: Trial): string {
  const at = asked.find(({ id }) => id === exchange) ?? asked[0];
  return `${requirement} ${at?.endpoint ?? ''}`;
}

function note(
  trial: Trial,
  seen: Map<RequirementId, Finding>,
  judged: Map<RequirementId, Exchange[]>,
): void {
  for (const finding of trial.findings) {
    if (!seen.has(finding.requirement)) seen.set(finding.requirement, finding);
  }
  for (const [id, exchanges] of trial.judged)
    judged.set(id, [...(judged.get(id) ?? []), ...exchanges]);
}
