import { readFileSync } from 'node:fs';

/** Script and style of the page, as the build made them. */
export interface Assets {
  readonly script: string;
  readonly style: string;
}

/** The explorer of the report was not built. */
export class ReportAppMissing extends Error {
  readonly code = 'ASSAY_REPORT_APP_MISSING';
  constructor(cause: unknown) {
    super(
      'The script of the HTML report is missing. Run `npm run build` in the checkout of Assay.',
      {
        cause,
      },
    );
    this.name = 'ReportAppMissing';
  }
}

let known: Assets | undefined;

/**
 * The built explorer. The path is the same from `src` and from `dist`.
 * @throws ReportAppMissing when it was not built
 */
export function assets(): Assets {
  if (known !== undefined) return known;
  const read = (name: string): string =>
    readFileSync(new URL(`../../../dist/report-app/${name}`, import.meta.url), 'utf8');
  try {
    known = { script: read('app.js'), style: read('app.css') };
  } catch (error) {
    throw new ReportAppMissing(error);
  }
  return known;
}
