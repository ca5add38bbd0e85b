import { statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { PROFILES } from '../../ask/profiles.ts';
import type { Outcome } from '../../report/model/results.ts';
import { isSpent, targetWords, withAskers } from '../../report/analysis/rerun.ts';
import type { Target } from '../../target/target.ts';
import { oneLine, plural } from '../../text/text.ts';
import { UsageError } from '../errors.ts';
import { readResults, resultsFile } from '../read-results.ts';

/** `--last-failed`: its value is optional, so it takes no `requiresArg`. */
export const lastFailedOption = (describe: string) => ({ type: 'string', describe }) as const;

type LastFailed = NonNullable<Awaited<ReturnType<typeof lastOf>>>;

const WRONG: ReadonlySet<Outcome> = new Set(['failed', 'warned', 'inconclusive']);

const MOST_RUNS = 20;

/**
 * The run that `--last-failed` refers to; undefined without the option.
 * @param last-failed empty for the latest sibling of the output folder
 * @param output folder of the new run
 * @param target null for the embedded reference server, whose URL changes
 * @throws UsageError when there is no such run
 */
export async function lastOf(
  { 'last-failed': folder }: { readonly 'last-failed': string | undefined },
  output: string,
  target: Pick<Target, 'baseUrl'> | null,
) {
  if (folder === undefined) return undefined;
  const baseUrl = target?.baseUrl ?? null;
  const file = folder === '' ? await newestRun(output, baseUrl) : await resultsFile(folder);
  const results = await readResults(file);
  if (baseUrl === null && !results.target.reference) {
    throw new UsageError(
      `${file} is from a run against ${oneLine(results.target.baseUrl, 200)}, but no target is given: this run would judge the embedded reference server instead.`,
      `Add ${targetWords(results).join(' ')}.`,
    );
  }
  // Requirements that failed, warned or were inconclusive.
  const wrong = results.requirements
    .filter(({ outcome }) => WRONG.has(outcome))
    .map(({ id }) => id);
  const askers = wrong.map((id) => withAskers(results, id));
  const isWhole = askers.some((ids) => ids.length === 0);
  // Those, and others whose requests showed the failures. Empty means run everything: an empty run must not look like
  // success, and less may not show a wrong count of the limiter.
  const only = isWhole ? [] : [...new Set([...wrong, ...askers.flat()])];
  // Those that only requests with the near-quota key showed, which this run does not send.
  const spared = wrong.filter((id) => isSpent(results, id));
  // A smaller profile may not show the failures, and another seed sends other requests.
  const profile = PROFILES.find((name) => name === results.profile);
  return { file, wrong, spared, only, profile, seed: results.seed };
}

/** One line about what is re-run. */
export function lastWords({ file, wrong, only }: LastFailed): string {
  if (wrong.length === 0) return `No failures in ${file}: running everything.`;
  const failures = `the failures in ${file}: ${plural(wrong.length, 'requirement')}`;
  if (only.length === 0)
    return `Rerunning everything for ${failures}, because less may not show a wrong count again.`;
  const others = only.length - wrong.length;
  const more = others === 0 ? '' : `, plus ${others} whose requests showed the failures`;
  return `Rerunning ${failures}${more}.`;
}

/** The results file of the newest run against a target in the parent folder of `output`. */
async function newestRun(output: string, baseUrl: string | null): Promise<string> {
  const parent = path.dirname(output);
  const entries = await readdir(parent, { withFileTypes: true }).catch(() => []);
  const found = entries.flatMap((entry) => {
    const file = path.join(parent, entry.name, 'results.json');
    const info = entry.isDirectory() ? statSync(file, { throwIfNoEntry: false }) : undefined;
    return info === undefined ? [] : [{ file, at: info.mtimeMs }];
  });
  for (const { file } of found.toSorted((a, b) => b.at - a.at).slice(0, MOST_RUNS)) {
    // Usually the newest run matches, so the others are not read.
    const results = await readResults(file).catch(() => null);
    if (results === null || results.load.length > 0) continue;
    const { target } = results;
    if (baseUrl === null ? target.reference : target.baseUrl === baseUrl) return file;
  }
  throw new UsageError(
    `No earlier run against this target found in ${parent}.`,
    'Pass the folder of a run with --last-failed DIR, or run without the option.',
  );
}
