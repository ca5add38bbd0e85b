import { shellQuote } from '../../text/curl.ts';

/** A counterexample: property and path for the seed. */
export interface ReplayPath {
  readonly property: string;
  readonly path: string;
}

/**
 * Parses `--path`.
 * @throws RangeError when it is malformed
 */
export function readReplay(given: string): ReplayPath {
  const [, property, path] = /^([a-z-]+):(\d+(?::\d+)*)$/.exec(given) ?? [];
  if (property === undefined || path === undefined) {
    throw new RangeError(
      `"${given}" is not a case name. Copy the name from a finding, for example --path news:0:1:0.`,
    );
  }
  return { property, path };
}

/** The command that replays a counterexample. */
export function replayCommand(replay: string, requirement: string, seed: number): string {
  return `assay run … --profile full --seed ${seed} --path ${replay} --only ${shellQuote(requirement)}`;
}
