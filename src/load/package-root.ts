import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { LoadError } from './errors.ts';

/** Folder of the package: two above this file, in `src` as in `dist`. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * A file that ships with the package, such as a script.
 * @throws LoadError when it is not there
 */
export function packageFile(...parts: readonly string[]): string {
  const file = path.join(ROOT, ...parts);
  if (existsSync(file)) return file;
  throw new LoadError(
    'ASSAY_LOAD_RUN',
    `${file} is missing from this installation.`,
    'Install the package again, or run `npm run build` in a checkout.',
  );
}
