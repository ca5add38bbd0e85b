import { readFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../fs/package-root.ts';

/**
 * Deliberate defects that were shown to turn each requirement red, as `npm run prove` wrote them. Undefined when there
 * is no such file or it is none: the report then says that it holds no proof.
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
