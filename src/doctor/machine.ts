import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';
import { installedK6 } from '../load/find-k6.ts';
import { LoadError } from '../load/errors.ts';
import { fail, ok, warn } from './check.ts';
import type { Check } from './check.ts';

/** Oldest Node that Assay runs on. */
const OLDEST_NODE = [20, 19] as const;

/** The version of Node. `version` without a leading v. */
export function nodeCheck(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldMajor, oldMinor] = OLDEST_NODE;
  const enough = major > oldMajor || (major === oldMajor && minor >= oldMinor);
  return enough
    ? ok('node', version)
    : fail('node', version, `Install Node ${oldMajor}.${oldMinor} or newer.`, 2);
}

/** The k6 that `assay load` would use. Nothing is built for a diagnosis. */
export async function k6Check(env: Readonly<Record<string, string | undefined>>): Promise<Check> {
  const fix =
    'Only `assay load` needs it: put k6 of version 2 on the PATH, or name it in ASSAY_K6. Where Go is on the PATH, `assay load` builds it once.';
  const passedOver: string[] = [];
  try {
    const k6 = await installedK6({ env, say: (line) => passedOver.push(line) });
    return k6 === null
      ? warn('k6', ['k6 is not found.', ...passedOver].join(' '), fix)
      : ok('k6', [`${k6.version} (${k6.source}: ${k6.path})`, ...passedOver].join('. '));
  } catch (error) {
    if (!(error instanceof LoadError)) throw error;
    return warn('k6', error.message, fix);
  }
}

/** Whether reports can be written to a folder, which need not be there yet. Nothing is written to find out. */
export async function outputCheck(folder: string): Promise<Check> {
  const goal = path.resolve(folder);
  let place = goal;
  for (;;) {
    const found = await stat(place).catch(() => undefined);
    if (found !== undefined) {
      const name = path.relative('', place) || '.';
      const fix = 'Choose another folder with --output.';
      if (!found.isDirectory()) return fail('output', `${name} is no folder`, fix, 2);
      const writable = await access(place, constants.W_OK | constants.X_OK).then(
        () => true,
        () => false,
      );
      const shown = path.relative('', goal) || '.';
      if (!writable) return fail('output', `${name} cannot be written to`, fix, 2);
      return ok('output', place === goal ? `${shown} is writable` : `${shown} can be made`);
    }
    const parent = path.dirname(place);
    if (parent === place)
      return fail('output', `${goal} cannot be reached`, 'Choose another folder with --output.', 2);
    place = parent;
  }
}
