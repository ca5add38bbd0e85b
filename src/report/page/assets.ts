import { readFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../../fs/package-root.ts';

/** Script and style of the page, created by the build. */
export interface Assets {
  readonly script: string;
  readonly style: string;
}

/** The script of the report was not built. */
export class ReportAppMissing extends Error {
  readonly code = 'ASSAY_REPORT_APP_MISSING';
  constructor(cause: unknown) {
    super('The script for the HTML report is missing. Run `npm run build` in the Assay checkout.', {
      cause,
    });
    this.name = 'ReportAppMissing';
  }
}

let known: Assets | undefined;

/** @throws ReportAppMissing when they were not built */
export function assets(): Assets {
  if (known !== undefined) return known;
  const read = (name: string): string =>
    readFileSync(path.join(packageRoot, 'dist', 'report-app', name), 'utf8');
  try {
    known = { script: read('app.js'), style: read('app.css') };
  } catch (error) {
    throw new ReportAppMissing(error);
  }
  return known;
}
