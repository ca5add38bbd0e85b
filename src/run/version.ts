import { readFileSync } from 'node:fs';
import path from 'node:path';
import { SPEC_SHA256 } from '../requirements/clauses.ts';
import { packageRoot } from '../fs/package-root.ts';

/** Version of the package, from its package.json. */
export function toolVersion(): string {
  const text = readFileSync(path.join(packageRoot, 'package.json'), 'utf8');
  const { version } = JSON.parse(text) as { version: string };
  return version;
}

/**
 * The members that every results.json begins with.
 * @param command how Assay was invoked if not as `assay`
 */
export const resultsHead = (command?: string) => ({
  schemaVersion: 2 as const,
  tool: {
    name: 'assay' as const,
    version: toolVersion(),
    ...(command !== undefined && { command }),
  },
  spec: { sha256: SPEC_SHA256 },
});

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
