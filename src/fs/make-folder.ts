import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Creates a folder and its missing parents. Node's recursive `mkdir` never returns where the system reports ENOENT for
 * every name, as below `/proc`, and the process does not receive signals then.
 * @param mode mode of created folders; default: that of the system
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
      // Another process may have created it.
      if (!isFolder(one)) throw error;
    }
  }
}

function isFolder(file: string): boolean {
  try {
    return statSync(file).isDirectory();
  } catch {
    // The error is reported when the folder is created.
    return false;
  }
}
