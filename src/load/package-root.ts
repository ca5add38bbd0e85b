import { existsSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../fs/package-root.ts';
import { runFailed } from './errors.ts';

/**
 * A file that ships with the package, such as a script.
 * @throws LoadError if it does not exist
 */
export function packageFile(...parts: readonly string[]): string {
  const file = path.join(packageRoot, ...parts);
  if (existsSync(file)) return file;
  throw runFailed(
    `${file} is missing from this installation.`,
    'Reinstall the package, or run `npm run build` in a checkout.',
  );
}
