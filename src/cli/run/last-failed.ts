import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { PROFILES, type Profile } from '../../ask/profiles.ts';
import type { Outcome, Results } from '../../report/model/results.ts';
import { targetWords, withAskers } from '../../report/analysis/rerun.ts';
import type { Target } from '../../target/target.ts';
import { oneLine, plural } from '../../text/text.ts';
import { UsageError } from '../errors.ts';
import { readResults, resultsFile } from '../read-results.ts';

/** Argument of the commands that take up what was wrong in the last run. */
export interface LastFailedArguments {
  /** Folder of the run; empty for the last one beside the output. */
  'last-failed': string | undefined;
}

/** What of the last run is to be run again, and as it was run. */
export interface LastFailed {
  /** The file that says it. */
  readonly file: string;
  /** Requirements that were wrong. */
  readonly wrong: readonly string[];
  /**
   * Those, and others whose requests showed what was wrong. Empty when nothing was wrong: then everything is run, for a run
   * of nothing must not look like success.
   */
  readonly only: readonly string[];
  /** Profile of that run: a larger one may have found it. */
  readonly profile: Profile | undefined;
  /** Seed of that run, so that the same is asked for. */
  readonly seed: number;
}

const WRONG: ReadonlySet<Outcome> = new Set(['failed', 'warned', 'inconclusive']);

/** Runs beside the output that are looked at, the newest first. */
const MOST_RUNS = 20;

/**
 * What was red, warned or inconclusive in an earlier run.
 *
 * @param folder the value of `--last-failed`
 * @param output folder of the run to come: the last one lies in it or beside it
 * @param baseUrl that of the target; null for the embedded reference server, which has another one each time
 * @throws UsageError when there is no such run
 */
async function lastFailed(
  folder: string,
  output: string,
  baseUrl: string | null,
): Promise<LastFailed> {
  const [file, results] = folder === '' ? await lastBeside(output, baseUrl) : await runIn(folder);
  if (baseUrl === null && !results.target.reference) {
    throw new UsageError(
      `${file} is of ${oneLine(results.target.baseUrl, 200)}, and no target is named: the embedded reference server would be judged in its place.`,
      `Name it: ${targetWords(results).join(' ')}.`,
    );
  }
  const wrong = results.requirements
    .filter(({ outcome }) => WRONG.has(outcome))
    .map(({ id }) => id);
  const only = [...new Set([...wrong, ...wrong.flatMap((id) => withAskers(results, id))])];
  const profile = PROFILES.find((name) => name === results.profile);
  return { file, wrong, only, profile, seed: results.seed };
}

/** What `--last-failed` asks for; undefined without it. @throws UsageError when there is no such run */
export async function lastOf(
  { 'last-failed': folder }: LastFailedArguments,
  output: string,
  target: Pick<Target, 'baseUrl'> | null,
): Promise<LastFailed | undefined> {
  return folder === undefined ? undefined : lastFailed(folder, output, target?.baseUrl ?? null);
}

/** What is run again, in one line. */
export function lastWords({ file, wrong, only }: LastFailed): string {
  if (wrong.length === 0)
    return `Nothing was red, warned or inconclusive in ${file}: everything is run.`;
  const others = only.length - wrong.length;
  const more = others === 0 ? '' : `, and ${others} whose requests showed what was wrong`;
  return `Only what was red, warned or inconclusive in ${file}: ${plural(wrong.length, 'requirement')}${more}.`;
}

/** @throws UsageError when options say differently what is to be run */
export function checkLastFailed({
  only,
  resume,
  replay,
  'last-failed': last,
}: LastFailedArguments & {
  readonly only: readonly string[] | undefined;
  readonly resume?: string | undefined;
  readonly replay?: string | undefined;
}): void {
  const other =
    only !== undefined
      ? '--only'
      : resume !== undefined
        ? '--resume'
        : replay === undefined
          ? null
          : '--replay';
  if (last === undefined || other === null) return;
  throw new UsageError(
    `--last-failed and ${other} cannot be given together: both say what is to be run.`,
    'Leave one of them out; --skip may be added to --last-failed.',
  );
}

async function runIn(folder: string): Promise<readonly [string, Results]> {
  const file = await resultsFile(folder);
  return [file, await readResults(file)];
}

async function lastBeside(
  output: string,
  baseUrl: string | null,
): Promise<readonly [string, Results]> {
  const beside = path.dirname(output);
  const entries = await readdir(beside, { withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    entries
      .filter((entry) => entry.isDirectory())
      .map(async ({ name }) => {
        const file = path.join(beside, name, 'results.json');
        const info = await stat(file).catch(() => null);
        return info === null ? [] : [{ file, at: info.mtimeMs }];
      }),
  );
  const newest = found.flat().toSorted((a, b) => b.at - a.at);
  for (const { file } of newest.slice(0, MOST_RUNS)) {
    // The newest that fits is mostly the first one: the others need not be read.
    const results = await readResults(file).catch(() => null);
    if (results === null || results.load.length > 0) continue;
    const { target } = results;
    if (baseUrl === null ? target.reference : target.baseUrl === baseUrl) return [file, results];
  }
  throw new UsageError(
    `There is no earlier run of this target in ${beside}.`,
    'Name its folder: --last-failed DIR. Without the option everything is run.',
  );
}
