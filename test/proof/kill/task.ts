import type { WorldChoices } from '#src/reference/worlds/worlds.ts';
import type { Outcome, Verdict } from '#src/report/model/results.ts';
import type { Profile } from '#src/ask/profiles.ts';

/** One run of the suites against one setting of the reference server. */
export interface ProofTask {
  readonly name: string;
  readonly faults: readonly string[];
  readonly variants: readonly string[];
  readonly profile: Profile;
  /** How many valid keys the run gets. */
  readonly validKeys: number;
  readonly seed: number;
  /** The service that is run against; the reference by default. */
  readonly service?: 'reference' | 'independent';
  /** True for a look at the replay of a clean run in place of a run; see `replayed.ts`. */
  readonly replayed?: true;
  /** Defect of the independent service. */
  readonly defect?: string;
  /** The deployment that is run against; a plain one by default. */
  readonly world?: { readonly seed: number; readonly choices: WorldChoices };
}

/** What a run came to. */
export interface ProofResult {
  readonly task: ProofTask;
  readonly verdict: Verdict;
  readonly exitCode: number;
  readonly sentence: string;
  /** Requirements by outcome; `passed` is left out of what travels between processes. */
  readonly outcomes: Readonly<Record<string, Outcome>>;
  /** First finding or reason of each requirement that did not pass. */
  readonly reasons: Readonly<Record<string, string>>;
  /** Requests that the findings of each red requirement name; see `evidenceOf`. */
  readonly evidence: Readonly<Record<string, readonly string[]>>;
  readonly validRequests: number;
  readonly ms: number;
  /** Set when a replay cannot stand for a run of this fault, whatever it shows: why. */
  readonly needsRun?: string;
}

/** Requirements that a run turned red: musts failed and shoulds warned. */
export function redIn(result: ProofResult): string[] {
  return Object.entries(result.outcomes)
    .filter(([, outcome]) => outcome === 'failed' || outcome === 'warned')
    .map(([id]) => id);
}
