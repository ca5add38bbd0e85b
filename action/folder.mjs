// Clears the output folder before a run, so that reports of an earlier run are not mistaken for its own.
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** What `assay run` writes. Other files in the folder stay. */
const REPORTS = [
  'results.json',
  'report.html',
  'report',
  'junit.xml',
  'ctrf.json',
  'summary.md',
  'exchanges.har',
  'results.sarif',
];

/**
 * Moves the reports of an earlier run to `<folder>.previous`, where the next run finds them as its history. Moves nothing while
 * another run writes to the folder; `assay run` then reports the lock.
 *
 * @returns whether the folder has no reports now, and where the earlier ones were moved; null if there were none
 */
export async function clearFolder(folder, dist) {
  const found = REPORTS.filter((name) => existsSync(path.join(folder, name)));
  try {
    const { mustBeFree } = await import(
      pathToFileURL(path.join(dist, 'run', 'journal', 'output-lock.js')).href
    );
    mustBeFree(folder);
  } catch {
    return { free: false, aside: null };
  }
  if (found.length === 0) return { free: true, aside: null };
  const aside = `${path.resolve(folder)}.previous`;
  mkdirSync(aside, { recursive: true });
  // Never mix the reports of two runs.
  for (const name of REPORTS) rmSync(path.join(aside, name), { recursive: true, force: true });
  for (const name of found) renameSync(path.join(folder, name), path.join(aside, name));
  process.stdout.write(`Moved the reports of an earlier run to ${folder}.previous.\n`);
  return { free: true, aside };
}
