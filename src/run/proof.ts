import { readFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../fs/package-root.ts';

/** Faults proven to turn each requirement red, written by `npm run prove`. Undefined without a valid proof file. */
export function readKilledBy(): KilledBy | undefined {
  return (cached ??= { killedBy: read() }).killedBy;
}

type KilledBy = Readonly<Record<string, readonly string[]>>;

/** Read once: a watch renders its results again and again. */
let cached: { readonly killedBy?: KilledBy | undefined } | undefined;

function read(): KilledBy | undefined {
  try {
    const text = readFileSync(path.join(packageRoot, 'reports', 'proof.json'), 'utf8');
    return (JSON.parse(text) as { readonly killedBy?: KilledBy }).killedBy;
  } catch {
    return undefined;
  }
}
