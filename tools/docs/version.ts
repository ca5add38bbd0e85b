import { spawnSync } from 'node:child_process';
import { toolVersion } from '#src/run/version.ts';
import { packageRoot } from '#src/fs/package-root.ts';
import { readProofFile } from '#proof/kill/report.ts';
import { keptVerdicts, keepVerdicts, pendingChanges, verdictsNow } from './verdicts.ts';

/**
 * `npm run release:version`: the next version from the changesets, and its verdicts kept in `docs/verdicts`. Returns the exit code:
 * 2 when a change of verdicts is not announced, or there is no changeset.
 */
async function main(): Promise<number> {
  const now = verdictsNow(await readProofFile());
  const kept = await keptVerdicts();
  const { changes, problems } = await pendingChanges(kept, now);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) return 2;
  const before = toolVersion();
  const run = spawnSync('npx', ['--no-install', 'changeset', 'version'], {
    cwd: packageRoot,
    stdio: 'inherit',
  });
  if (run.status !== 0) return run.status ?? 1;
  const version = toolVersion();
  if (version === before) {
    process.stderr.write('No changeset, so no new version: run `npx changeset`.\n');
    return 2;
  }
  const file = await keepVerdicts({ version, changes, ...now });
  process.stdout.write(`${before} -> ${version}; wrote ${file}\n`);
  return 0;
}

process.exitCode = await main();
