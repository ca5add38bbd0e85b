import { shellQuote } from '../../text/curl.ts';

/** A counterexample as the user names it: which property, and where in what its seed draws. */
export interface ReplayPath {
  readonly property: string;
  readonly path: string;
}

/** Environment variable that names the one case to try again; the flag `--path` sets it. */
const VARIABLE = 'ASSAY_PATH';

/**
 * The case that the user wants tried again; undefined when there is none.
 * @throws RangeError for a text of another form
 */
export function replayPath(given = process.env[VARIABLE]): ReplayPath | undefined {
  if (given === undefined || given === '') return undefined;
  const [, property, path] = /^([a-z-]+):(\d+(?::\d+)*)$/.exec(given) ?? [];
  if (property === undefined || path === undefined) {
    throw new RangeError(
      `"${given}" names no case. Take it from a finding, for example --path news:0:1:0.`,
    );
  }
  return { property, path };
}

/** The command that sends the requests of a counterexample again, to the same target. */
export function replayCommand(
  property: string,
  requirement: string,
  { seed, path }: { readonly seed: number; readonly path: string },
): string {
  const words = `--profile full --seed ${seed} --path ${property}:${path}`;
  return `assay run … ${words} --only ${shellQuote(requirement)}`;
}
