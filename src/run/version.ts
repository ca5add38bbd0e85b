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
