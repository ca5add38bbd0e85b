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
  /** Scans everything that is written; nothing is scanned without one. */
  readonly gate?: SecretsGate;
}

/** Files written into the same folder during the run. */
const OTHER_FILES = ['journal.ndjson'] as const;

/** A secret was found in an artifact, which was discarded; the others were kept. */
export class SecretLeak extends Error {
  readonly code = 'ASSAY_SECRET_LEAK';
  readonly hint =
    'If the key is an ordinary word, use a random key. Otherwise redaction failed: please report this bug, without the files.';
  readonly leaks: readonly (Leak & { readonly file: string })[];
  constructor(leaks: readonly (Leak & { readonly file: string })[]) {
    const list = leaks.map(({ file, secret, encoding }) => `${file} (${secret}, ${encoding})`);
    super(`Secret found in ${list.join(', ')}. These files were discarded.`);
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

/** Reports could not be written. */
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

/** The content of one format; pure. */
export function renderFormat(results: Results, format: Exclude<Format, 'html-dir'>): string {
  return RENDERERS[format](results);
}

/** The files of one format, relative to the output folder; the first is the one to open. */
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
 * Writes the reports into `dir` (created when missing) and returns their paths. Always writes `results.json`, and first: every
 * other file can be rendered from it.
 * @throws ReportWriteError when the folder is not writable; SecretLeak when `gate` found a secret: the files concerned are not
 *   written, or removed
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
      // Sequential, so that a full disk leaves the first files intact.
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
      `Cannot write reports to ${dir}: ${error.message}. Choose a writable folder with --output.`,
      { cause: error },
    );
  }
  if (leaks.length > 0) throw new SecretLeak(leaks);
  return paths;
}

/** Scans files written by others, and removes those with a secret. */
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
