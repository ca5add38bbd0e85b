import { readFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../fs/package-root.ts';

/**
 * Faults proven to turn each requirement red, written by `npm run prove`. Undefined without a valid proof file.
 */
export function readKilledBy(
  file: string = path.join(packageRoot, 'reports', 'proof.json'),
): Readonly<Record<string, readonly string[]>> | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof value !== 'object' || value === null || !('killedBy' in value)) return undefined;
    const { killedBy } = value;
    if (typeof killedBy !== 'object' || killedBy === null) return undefined;
    return Object.fromEntries(
      Object.entries(killedBy).filter(
        (entry): entry is [string, string[]] =>
          Array.isArray(entry[1]) && entry[1].every((one) => typeof one === 'string'),
      ),
    );
  } catch {
    return undefined;
  }
}
