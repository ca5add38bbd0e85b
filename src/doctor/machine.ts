import { constants, existsSync, statSync } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { installedK6 } from '../load/find-k6.ts';
import { LoadError } from '../load/errors.ts';
import { fail, ok, warn, type Check } from './check.ts';

const OLDEST_NODE = '20.19';

/** Checks the version of Node, given without a leading v. */
export function nodeCheck(version: string): Check {
  const enough = version.localeCompare(OLDEST_NODE, 'en', { numeric: true }) >= 0;
  return enough
    ? ok('node', version)
    : fail('node', version, `Install Node ${OLDEST_NODE} or newer.`, 2);
}

/** Checks for k6, without building it. */
export async function k6Check(env: Readonly<Record<string, string | undefined>>): Promise<Check> {
  const fix =
    'Only `assay load` needs k6: put version 2 on the PATH, or set ASSAY_K6. If Go is on the PATH, `assay load` builds k6 once.';
  const passedOver: string[] = [];
  try {
    const k6 = await installedK6({ env, say: (line) => passedOver.push(line) });
    return k6 === null
      ? warn('k6', ['k6 not found.', ...passedOver].join(' '), fix)
      : ok('k6', [`${k6.version} (${k6.source}: ${k6.path})`, ...passedOver].join('. '));
  } catch (error) {
    if (!(error instanceof LoadError)) throw error;
    return warn('k6', error.message, fix);
  }
}

/** Checks that a folder is writable or can be created, without writing. */
export async function outputCheck(folder: string): Promise<Check> {
  const goal = path.resolve(folder);
  // The nearest folder that exists.
  let current = goal;
  while (!existsSync(current)) current = path.dirname(current);
  const [name, shown] = [current, goal].map((one) => path.relative('', one) || '.');
  const refused = (why: string): Check =>
    fail('output', `${name} ${why}`, 'Choose another folder with --output.', 2);
  if (!statSync(current).isDirectory()) return refused('is not a folder');
  try {
    await access(current, constants.W_OK | constants.X_OK);
  } catch {
    return refused('is not writable');
  }
  return ok('output', current === goal ? `${shown} is writable` : `${shown} can be created`);
}
