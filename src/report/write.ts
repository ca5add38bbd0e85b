import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { renderCtrf } from './ctrf.ts';
import type { FailOn } from './gate.ts';
import { renderHar } from './har.ts';
import { renderHtml, renderHtmlFolder } from './html/page.ts';
import { renderJUnit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';
import type { Results } from './results.ts';
import { renderSarif } from './sarif.ts';

/** Formats of `--format`. */
export type Format = 'html' | 'html-dir' | 'json' | 'junit' | 'ctrf' | 'md' | 'har' | 'sarif';

export const FORMATS: readonly Format[] = [
  'html',
  'html-dir',
  'json',
  'junit',
  'ctrf',
  'md',
  'har',
  'sarif',
];

export interface WriteOptions {
  /** What JUnit and CTRF count as a failure besides violated musts. Default `must`. */
  readonly failOn?: FailOn;
}

/** File name of each format. Names never depend on the target. */
export const FILE_NAMES: Readonly<Record<Format, string>> = {
  html: 'report.html',
  'html-dir': 'report/index.html',
  json: 'results.json',
  junit: 'junit.xml',
  ctrf: 'ctrf.json',
  md: 'summary.md',
  har: 'exchanges.har',
  sarif: 'results.sarif',
};

/** Reports could not be written; the message says where and what to do. */
export class ReportWriteError extends Error {
  override readonly name = 'ReportWriteError';
}

/** `results.json`: the results as they are, indented, ending with a line feed. */
export function renderJson(results: Results): string {
  return `${JSON.stringify(results, null, 2)}\n`;
}

const RENDERERS: Readonly<
  Record<Exclude<Format, 'html-dir'>, (results: Results, options: WriteOptions) => string>
> = {
  html: renderHtml,
  json: renderJson,
  junit: renderJUnit,
  ctrf: renderCtrf,
  md: renderMarkdown,
  har: renderHar,
  sarif: renderSarif,
};

/** The content of one format. A pure function: the same results give the same text. */
export function renderFormat(
  results: Results,
  format: Exclude<Format, 'html-dir'>,
  options: WriteOptions = {},
): string {
  return RENDERERS[format](results, options);
}

/** The files of one format, named relative to the output folder; the first one is the one to open. */
function filesOf(
  results: Results,
  format: Format,
  options: WriteOptions,
): readonly { readonly name: string; readonly text: string }[] {
  if (format !== 'html-dir') {
    return [{ name: FILE_NAMES[format], text: renderFormat(results, format, options) }];
  }
  return renderHtmlFolder(results).map(({ name, text }) => ({ name: `report/${name}`, text }));
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
      // One after the other: the files may be large, and a full disk should leave the first ones whole.
      for (const { name, text } of filesOf(results, format, options)) {
        const path = join(dir, name);
        await mkdir(dirname(path), { recursive: true });
        await writeAtomically(path, text);
      }
      paths.push(join(dir, FILE_NAMES[format]));
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
