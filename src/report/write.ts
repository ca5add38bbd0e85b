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
import type { SecretsGate } from '../fs/secrets-gate.ts';
import type { Leak } from '../text/secret-scan.ts';
import { makeFolder } from '../fs/make-folder.ts';
import { replaceFile } from '../fs/replace-file.ts';
import { renderSarif } from './formats/sarif.ts';

/** Written into the same folder during the run. */
const JOURNAL = 'journal.ndjson';

type FileLeak = Leak & { readonly file: string };

/** A secret was found in an artifact, which was discarded; the others were kept. */
export class SecretLeak extends Error {
  readonly code = 'ASSAY_SECRET_LEAK';
  readonly hint =
    'If the secret is an ordinary word, use a random key. Otherwise redaction failed: report this bug, without the files.';
  readonly leaks: readonly FileLeak[];
  constructor(leaks: readonly FileLeak[]) {
    const list = leaks.map(({ file, secret, encoding }) => `${file} (${secret}, ${encoding})`);
    super(`Secret found in ${list.join(', ')}. These files were discarded.`);
    this.name = 'SecretLeak';
    this.leaks = leaks;
  }
}

/** Reports could not be written. */
export class ReportWriteError extends Error {
  override readonly name = 'ReportWriteError';
  readonly code = 'ASSAY_REPORT_WRITE';
}

/** `results.json`: the results as they are, indented, ending with a line feed. */
export const renderJson = ({ resume: _resume, ...results }: Results): string =>
  `${jsonText(results)}\n`;

/** Names are relative to the output folder. */
type Files = (results: Results) => readonly { readonly name: string; readonly text: string }[];

const file =
  (name: string, render: (results: Results) => string): Files =>
  (results) => [{ name, text: render(results) }];

/** The files of each format, the one to open first. Names never depend on the target. */
export const FILES: Readonly<Record<Format, Files>> = {
  html: file('report.html', renderHtml),
  'html-dir': (results) =>
    renderHtmlFolder(results).map(({ name, text }) => ({ name: `report/${name}`, text })),
  json: file('results.json', renderJson),
  junit: file('junit.xml', renderJUnit),
  ctrf: file('ctrf.json', renderCtrf),
  md: file('summary.md', renderMarkdown),
  har: file('exchanges.har', renderHar),
  sarif: file('results.sarif', renderSarif),
};

/**
 * Writes the reports into `dir` (created when missing) and returns their paths. `gate` scans everything. Always writes `results.json`, and first: every
 * other file can be rendered from it.
 * @throws ReportWriteError when the folder is not writable; SecretLeak when `gate` found a secret: the files concerned are not
 *   written, or removed
 */
export async function writeReports(
  results: Results,
  dir: string,
  formats: readonly Format[],
  { gate }: { readonly gate?: SecretsGate } = {},
): Promise<string[]> {
  const wanted = new Set<Format>(['json', ...formats]);
  const paths: string[] = [];
  const leaks: FileLeak[] = [];
  try {
    makeFolder(dir);
    for (const format of wanted) {
      // Sequential, so that a full disk leaves the first files intact.
      const files = FILES[format](results);
      for (const { name, text } of files) {
        const path = join(dir, name);
        const leak = gate?.scan(text) ?? null;
        if (leak !== null) {
          leaks.push({ ...leak, file: name });
          await rm(path, { force: true });
          continue;
        }
        makeFolder(dirname(path));
        await replaceFile(path, text);
      }
      paths.push(join(dir, files[0]?.name ?? ''));
    }
    const journal = join(dir, JOURNAL);
    const info = await lstat(journal).catch(() => null);
    const leak = info?.isFile() === true ? await gate?.scanFile(journal) : null;
    if (leak != null) {
      leaks.push({ ...leak, file: JOURNAL });
      await rm(journal, { force: true });
    }
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
