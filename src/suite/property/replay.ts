import { shellQuote } from '../../text/curl.ts';

/** A counterexample as the user names it: which property, and where in what its seed draws. */
export interface ReplayPath {
  readonly property: string;
  readonly path: string;
}

/**
 * The case that a `--path` names.
 * @throws RangeError for a text of another form
 */
export function readReplay(given: string): ReplayPath {
  const [, property, path] = /^([a-z-]+):(\d+(?::\d+)*)$/.exec(given) ?? [];
  if (property === undefined || path === undefined) {
    throw new RangeError(
      `"${given}" names no case. Take it from a finding, for example --path news:0:1:0.`,
    );
  }
  return { property, path };
}

/** The command that sends the requests of a counterexample again, to the same target. */
export function replayCommand(replay: string, requirement: string, seed: number): string {
  return `assay run … --profile full --seed ${seed} --path ${replay} --only ${shellQuote(requirement)}`;
}
