import * as fc from 'fast-check';
import type { Exchange } from '../../contract/exchange.ts';
import type { Finding } from '../../contract/finding.ts';
import type { RequirementId } from '../../contract/requirement-id.ts';
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
  /** Kinds of cases. They are drawn from in turn, so that few requests reach many kinds. */
  readonly kinds: readonly fc.Arbitrary<Case>[];
  /** Tries a case; undefined when there are too few tokens left for it. */
  readonly attempt: (drawn: Case) => Promise<Trial | undefined>;
  readonly seed: number;
  readonly tokens: Tokens;
  /** Tries this one case only, as a counterexample names it. */
  readonly path?: string | undefined;
}

/** Share of the tokens that shrinking one violation may take. */
const SHRINKING = 1 / 3;
/** Rounds without a request that was not asked before, after which nothing new is to be expected. */
const MOST_IDLE_ROUNDS = 5;

/**
 * Draws cases and has the rules judge them, until the tokens are spent. A violation is shrunk to the smallest case that
 * violates the same requirement; the search then goes on for others. When the tokens are spent, what is still drawn is
 * let pass unsent.
 * @throws Untested without a needed fixture, SessionError when nothing more can be sent
 */
export async function search<Case>(options: SearchOptions<Case>): Promise<SearchResult> {
  const { kinds, seed, tokens, path } = options;
  const run = new Run(options);
  if (path !== undefined) {
    const [kind, ...walk] = path.split(':');
    await run.draw(Number(kind), walk.join(':'), true);
    return run.result();
  }
  const order = inAnyOrder(kinds.length, seed);
  for (let round = 0, idle = 0; idle < MOST_IDLE_ROUNDS && tokens.left > 0; round += 1) {
    const before = tokens.left;
    for (const kind of order) {
      if (tokens.left > 0) await run.draw(kind, String(round), false);
    }
    idle = tokens.left === before ? idle + 1 : 0;
  }
  return run.result();
}

/** The numbers below `count` in an order that the seed decides: with few tokens, other seeds reach other kinds. */
function inAnyOrder(count: number, seed: number): readonly number[] {
  const numbers = Array.from({ length: count }, (_, index) => index);
  const shuffled = fc.shuffledSubarray(numbers, { minLength: count, maxLength: count });
  return fc.sample(shuffled, { seed, numRuns: 1 })[0] ?? numbers;
}

/** One search under way. */
class Run<Case> {
  readonly #options: SearchOptions<Case>;
  readonly #total: number;
  readonly #found = new Map<RequirementId, Counterexample>();
  readonly #seen = new Map<RequirementId, Finding>();
  readonly #judged = new Map<RequirementId, Exchange[]>();
  readonly #unanswered = new Set<Exchange>();
  /** Violations that are not to be found again, by requirement and endpoint. */
  readonly #known = new Set<string>();

  constructor(options: SearchOptions<Case>) {
    this.#options = options;
    this.#total = options.tokens.left;
  }

  result(): SearchResult {
    return {
      found: this.#found,
      seen: this.#seen,
      judged: this.#judged,
      unanswered: [...this.#unanswered],
      requests: this.#options.tokens.spent,
    };
  }

  /** Draws one case of a kind, and smaller ones when it violates something; `walk` says where in what the seed draws. */
  async draw(kind: number, walk: string, alone: boolean): Promise<void> {
    const { kinds, attempt, seed, tokens } = this.#options;
    const cases = kinds[kind];
    if (cases === undefined) return;
    const stop: { error?: unknown } = {};
    let focus: RequirementId | undefined;
    let smallest: Trial | undefined;
    let tried = false;
    const holds = async (drawn: Case): Promise<boolean> => {
      // Behind a case that holds now, the path goes on to its neighbours: they are not asked for.
      if ('error' in stop || (alone && tried)) return true;
      tried = true;
      let trial: Trial | undefined;
      try {
        trial = await attempt(drawn);
      } catch (error) {
        // Not a property of the target: it must not be shrunk, and ends the search.
        stop.error = error;
      }
      if (trial === undefined) return true;
      this.#note(trial);
      const finding = this.#newIn(trial).find(
        ({ requirement }) => focus === undefined || requirement === focus,
      );
      if (finding === undefined) return true;
      if (focus === undefined) {
        focus = finding.requirement;
        tokens.bind(Math.ceil(this.#total * SHRINKING));
      }
      smallest = trial;
      return false;
    };
    const details = await fc.check(fc.asyncProperty(cases, holds), {
      seed,
      path: walk,
      numRuns: 1,
      endOnFailure: alone,
    });
    tokens.lift();
    if ('error' in stop) throw stop.error;
    if (smallest === undefined) return;
    this.#keep(smallest, details.numShrinks, `${kind}:${details.counterexamplePath ?? walk}`);
  }

  /** A case may violate several requirements: it is the counterexample of all of them. */
  #keep(trial: Trial, shrinks: number, path: string): void {
    for (const finding of this.#newIn(trial)) {
      this.#known.add(placeOf(finding, trial));
      if (this.#found.has(finding.requirement)) continue;
      const exchange = trial.asked.find(({ id }) => id === finding.exchange) ?? trial.asked.at(-1);
      this.#found.set(finding.requirement, { finding, exchange, shrinks, path });
    }
  }

  #newIn(trial: Trial): readonly Finding[] {
    return trial.findings.filter((finding) => !this.#known.has(placeOf(finding, trial)));
  }

  #note({ asked, findings, judged }: Trial): void {
    for (const exchange of asked) if (exchange.response === null) this.#unanswered.add(exchange);
    for (const finding of findings) {
      if (!this.#seen.has(finding.requirement)) this.#seen.set(finding.requirement, finding);
    }
    for (const [id, exchanges] of judged) {
      this.#judged.set(id, [...(this.#judged.get(id) ?? []), ...exchanges]);
    }
  }
}

/** What is the same violation: the requirement and the endpoint. */
function placeOf({ requirement, exchange }: Finding, { asked }: Trial): string {
  const at = asked.find(({ id }) => id === exchange) ?? asked[0];
  return `${requirement} ${at?.endpoint ?? ''}`;
}
