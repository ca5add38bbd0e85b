import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { renderCtrf } from './ctrf.ts';
import type { FailOn } from './gate.ts';
import { renderHar } from './har.ts';
import { renderHtml } from './html.ts';
import { renderJUnit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';
import type { Results } from './results.ts';

/** Formats of `--format`. */
export type Format = 'html' | 'json' | 'junit' | 'ctrf' | 'md' | 'har';

export const FORMATS: readonly Format[] = ['html', 'json', 'junit', 'ctrf', 'md', 'har'];

export interface WriteOptions {
  /** What JUnit and CTRF count as a failure besides violated musts. Default `must`. */
  readonly failOn?: FailOn;
}

/** File name of each format. Names never depend on the target. */
export const FILE_NAMES: Readonly<Record<Format, string>> = {
  html: 'report.html',
  json: 'results.json',
  junit: 'junit.xml',
  ctrf: 'ctrf.json',
  md: 'summary.md',
  har: 'exchanges.har',
};

/** Reports could not be written; the message says where and what to do. */
export class ReportWriteError extends Error {
  override readonly name = 'ReportWriteError';
}

/** `results.json`: the results as they are, indented, ending with a line feed. */
export function renderJson(results: Results): string {
  return `${JSON.stringify(results, null, 2)}\n`;
}

const RENDERERS: Readonly<Record<Format, (results: Results, options: WriteOptions) => string>> = {
  html: renderHtml,
  json: renderJson,
  junit: renderJUnit,
  ctrf: renderCtrf,
  md: renderMarkdown,
  har: renderHar,
};

/** The content of one format. A pure function: the same results give the same text. */
export function renderFormat(results: Results, format: Format, options: WriteOptions = {}): string {
  return RENDERERS[format](results, options);
}

/** Writes beside the goal and renames, so that a reader never sees half a file. */
async function writeAtomically(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await writeFile(temporary, text, { flag: 'wx' });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/**
 * Writes the reports into `dir` (created when missing) and returns their paths. `results.json` is always written, and
 * first: every other file can be made from it again.
 * @throws ReportWriteError when the folder cannot be written to
 */
export async function writeReports(
  results: Results,
  dir: string,
  formats: readonly Format[],
  options: WriteOptions = {},
): Promise<string[]> {
  const wanted = new Set<Format>(['json', ...formats]);
  const paths: string[] = [];
  try {
    await mkdir(dir, { recursive: true });
    for (const format of wanted) {
      const path = join(dir, FILE_NAMES[format]);
      // One after the other: the files may be large, and a full disk should leave the first ones whole.
      await writeAtomically(path, renderFormat(results, format, options));
      paths.push(path);
    }
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    throw new ReportWriteError(
      `Cannot write reports to ${dir}: ${error.message}. Name a folder that can be written with --output.`,
      { cause: error },
    );
  }
  return paths;
}
