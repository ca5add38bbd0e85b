import { readFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../fs/package-root.ts';

/** Version of the package, from its package.json. */
export function toolVersion(): string {
  const text = readFileSync(path.join(packageRoot, 'package.json'), 'utf8');
  const { version } = JSON.parse(text) as { version: string };
  return version;
}
