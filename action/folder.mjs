// The folder of the reports before a run: what an earlier one left there must not be taken for what this one wrote.
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** What `assay run` writes. Whatever else is in the folder belongs to somebody else and stays. */
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
 * Moves the reports of an earlier run to a folder beside this one, where the next run finds them as its history. Nothing
 * is moved while another run writes there, which this run will be told.
 *
 * @returns whether the folder is free of reports, and where those went that were there; null when none were
 */
export async function clearFolder(folder, dist) {
  const found = REPORTS.filter((name) => existsSync(path.join(folder, name)));
  try {
    const { mustBeFree } = await import(
      pathToFileURL(path.join(dist, 'run', 'journal', 'output-lock.js')).href
    );
    await mustBeFree(folder);
  } catch {
    return { free: false, aside: null };
  }
  if (found.length === 0) return { free: true, aside: null };
  const aside = `${path.resolve(folder)}.previous`;
  mkdirSync(aside, { recursive: true });
  // All of them belong to one run: none of the run before that may stay among them.
  for (const name of REPORTS) rmSync(path.join(aside, name), { recursive: true, force: true });
  for (const name of found) renameSync(path.join(folder, name), path.join(aside, name));
  process.stdout.write(`The reports of an earlier run are now in ${folder}.previous.\n`);
  return { free: true, aside };
}
