import { execFileSync } from 'node:child_process';
import { packageRoot } from '#src/fs/package-root.ts';

/**
 * A number that says whose turn it is: the seed that was given, or one made of the commit, so that over time it comes to
 * everybody. Without either it is the first ones'.
 */
export function turnOf(seed: string | undefined): number {
  if (seed !== undefined) return Number(seed);
  try {
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: packageRoot,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return Number.parseInt(commit.slice(0, 8), 16);
  } catch {
    return 0;
  }
}
