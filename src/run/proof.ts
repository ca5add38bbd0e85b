import { readFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../fs/package-root.ts';

/** Faults proven to turn each requirement red, written by `npm run prove`. Undefined without a valid proof file. */
export function readKilledBy(): KilledBy | undefined {
  try {
    const file = path.join(packageRoot, 'reports', 'proof.json');
    cached ??= JSON.parse(readFileSync(file, 'utf8')) as NonNullable<typeof cached>;
  } catch {
    cached = {};
  }
  return cached?.killedBy;
}

type KilledBy = Readonly<Record<string, readonly string[]>>;

/** Read once: a watch renders its results again and again. */
let cached: { readonly killedBy?: KilledBy } | undefined;
