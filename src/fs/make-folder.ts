import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Makes a folder, and those above it that are missing, one by one. Node's own recursive `mkdir` never ends where the system says
 * of every name that there is no such folder, as it does below `/proc`, and no signal reaches the process then.
 *
 * @param mode of the folders that are made; what the system gives by default
 * @throws the error of the file system
 */
export function makeFolder(folder: string, mode?: number): void {
  const goal = path.resolve(folder);
  const missing: string[] = [];
  for (let at = goal; !isFolder(at) && at !== missing.at(-1); at = path.dirname(at)) {
    missing.push(at);
  }
  for (const one of missing.toReversed()) {
    try {
      mkdirSync(one, { mode });
    } catch (error) {
      // Somebody else may have made it in the meantime.
      if (!isFolder(one)) throw error;
    }
  }
}

function isFolder(file: string): boolean {
  try {
    return statSync(file).isDirectory();
  } catch {
    // What is wrong with it is said when it is to be made.
    return false;
  }
}
