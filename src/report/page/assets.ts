import { readFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../../fs/package-root.ts';

let known: Readonly<Record<'script' | 'style', string>> | undefined;

/** Script and style of the page. @throws Error with the code ASSAY_REPORT_APP_MISSING when the build did not create them */
export function assets(): NonNullable<typeof known> {
  const read = (name: string): string =>
    readFileSync(path.join(packageRoot, 'dist', 'report-app', name), 'utf8');
  try {
    known ??= { script: read('app.js'), style: read('app.css') };
    return known;
  } catch (cause) {
    const words =
      'The script for the HTML report is missing. Run `npm run build` in the Assay checkout.';
    throw Object.assign(new Error(words, { cause }), { code: 'ASSAY_REPORT_APP_MISSING' });
  }
}
