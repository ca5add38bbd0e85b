import { jsonText } from '../text/json-text.ts';
import { lstat, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { renderCtrf } from './formats/ctrf.ts';
import type { Format } from './formats.ts';
import { renderHar } from './formats/har.ts';
import { renderHtml, renderHtmlFolder } from './page/page.tsx';
import { renderJUnit } from './formats/junit.ts';
import { renderMarkdown } from './formats/markdown.ts';
import type { Results } from './model/results.ts';
import type { Leak, SecretsGate } from './secrets-gate.ts';
import { makeFolder } from '../fs/make-folder.ts';
import { replaceFile } from './replace-file.ts';
import { renderSarif } from './formats/sarif.ts';

export interface WriteOptions {
  /** Looks at everything that is written; without one, nothing is looked at. */
  readonly gate?: SecretsGate;
}

/** Files that others write into the same folder while the run goes on. */
const OTHER_FILES = ['journal.ndjson'] as const;

/** A secret would have stood in an artifact. The artifact is not there; the others are. */
export class SecretLeak extends Error {
  readonly code = 'ASSAY_SECRET_LEAK';
  readonly hint =
    'Please report this without the files: what is redacted when it is recorded should never come this far. If the secret is an ordinary word, use a key that is none.';
  readonly leaks: readonly (Leak & { readonly file: string })[];
  constructor(leaks: readonly (Leak & { readonly file: string })[]) {
    const list = leaks.map(({ file, secret, encoding }) => `${file} (${secret}, ${encoding})`);
    super(`A secret stood in ${list.join(', ')}. Such files are not kept.`);
    this.name = 'SecretLeak';
    this.leaks = leaks;
  }
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
  readonly code = 'ASSAY_REPORT_WRITE';
}

/** `results.json`: the results as they are, indented, ending with a line feed. */
export function renderJson(results: Results): string {
  return `${jsonText(results)}\n`;
}

const RENDERERS: Readonly<Record<Exclude<Format, 'html-dir'>, (results: Results) => string>> = {
  html: renderHtml,
  json: renderJson,
  junit: renderJUnit,
  ctrf: renderCtrf,
  md: renderMarkdown,
  har: renderHar,
  sarif: renderSarif,
};

/** The content of one format. A pure function: the same results give the same text. */
export function renderFormat(results: Results, format: Exclude<Format, 'html-dir'>): string {
  return RENDERERS[format](results);
}

/** The files of one format, named relative to the output folder; the first one is the one to open. */
function filesOf(
  results: Results,
  format: Format,
): readonly { readonly name: string; readonly text: string }[] {
  if (format !== 'html-dir') {
    return [{ name: FILE_NAMES[format], text: renderFormat(results, format) }];
  }
  return renderHtmlFolder(results).map(({ name, text }) => ({
    name: `report/${name}`,
    text,
  }));
}

/**
 * Writes the reports into `dir` (created when missing) and returns their paths. `results.json` is always written, and
 * first: every other file can be made from it again.
 * @throws ReportWriteError when the folder cannot be written to; SecretLeak when `gate` found a secret: the files
 *   concerned are then not written, or removed
 */
export async function writeReports(
  results: Results,
  dir: string,
  formats: readonly Format[],
  options: WriteOptions = {},
): Promise<string[]> {
  const wanted = new Set<Format>(['json', ...formats]);
  const paths: string[] = [];
  const leaks: (Leak & { readonly file: string })[] = [];
  try {
    makeFolder(dir);
    for (const format of wanted) {
      // One after the other: the files may be large, and a full disk should leave the first ones whole.
      for (const { name, text } of filesOf(results, format)) {
        const path = join(dir, name);
        const leak = options.gate?.scan(text) ?? null;
        if (leak !== null) {
          leaks.push({ ...leak, file: name });
          await rm(path, { force: true });
          continue;
        }
        makeFolder(dirname(path));
        await replaceFile(path, text);
      }
      paths.push(join(dir, FILE_NAMES[format]));
    }
    if (options.gate !== undefined) leaks.push(...(await sweep(dir, options.gate)));
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    throw new ReportWriteError(
      `Cannot write reports to ${dir}: ${error.message}. Name a folder that can be written with --output.`,
      { cause: error },
    );
  }
  if (leaks.length > 0) throw new SecretLeak(leaks);
  return paths;
}

/** Looks at what others wrote, and removes what holds a secret. */
async function sweep(
  dir: string,
  gate: SecretsGate,
): Promise<(Leak & { readonly file: string })[]> {
  const leaks: (Leak & { readonly file: string })[] = [];
  for (const file of OTHER_FILES) {
    const path = join(dir, file);
    const info = await lstat(path).catch(() => null);
    if (info?.isFile() !== true) continue;
    const leak = await gate.scanFile(path);
    if (leak === null) continue;
    await rm(path, { force: true });
    leaks.push({ ...leak, file });
  }
  return leaks;
}
