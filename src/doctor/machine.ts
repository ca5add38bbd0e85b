import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';
import { installedK6 } from '../load/find-k6.ts';
import { LoadError } from '../load/errors.ts';
import { fail, ok, warn, type Check } from './check.ts';

/** Minimum version of Node. */
const OLDEST_NODE = [20, 19] as const;

/** Checks the version of Node, given without a leading v. */
export function nodeCheck(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldMajor, oldMinor] = OLDEST_NODE;
  const enough = major > oldMajor || (major === oldMajor && minor >= oldMinor);
  return enough
    ? ok('node', version)
    : fail('node', version, `Install Node ${oldMajor}.${oldMinor} or newer.`, 2);
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
  let current = goal;
  for (;;) {
    const found = await stat(current).catch(() => undefined);
    if (found !== undefined) {
      const name = path.relative('', current) || '.';
      const fix = 'Choose another folder with --output.';
      if (!found.isDirectory()) return fail('output', `${name} is not a folder`, fix, 2);
      const writable = await access(current, constants.W_OK | constants.X_OK).then(
        () => true,
        () => false,
      );
      const shown = path.relative('', goal) || '.';
      if (!writable) return fail('output', `${name} is not writable`, fix, 2);
      return ok('output', current === goal ? `${shown} is writable` : `${shown} can be created`);
    }
    const parent = path.dirname(current);
    if (parent === current)
      return fail('output', `${goal} cannot be reached`, 'Choose another folder with --output.', 2);
    current = parent;
  }
}
