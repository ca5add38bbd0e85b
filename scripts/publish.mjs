// `npm run release`: publishes the version of package.json, with a statement of where it was built (`publishConfig` asks for
// it). The registry takes the statement only from a workflow, and only for a package that names the repository of that
// workflow; which one that is, the workflow knows, and no file here.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { GITHUB_ACTIONS, GITHUB_REPOSITORY, GITHUB_SERVER_URL } = process.env;
if (GITHUB_ACTIONS !== 'true' || GITHUB_REPOSITORY === undefined) {
  process.stderr.write(
    'A version is published by .github/workflows/release.yml only: elsewhere nobody can say what it was built from.\n',
  );
  process.exit(2);
}

/** Runs a command, and ends with its exit code when it fails. */
function run(command, ...args) {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' });
  if (status === 0) return;
  process.stderr.write(`${command} ${args.join(' ')} failed${error ? `: ${error.message}` : ''}\n`);
  process.exit(status ?? 1);
}

const { repository } = JSON.parse(readFileSync('package.json', 'utf8'));
if (repository === undefined) {
  const url = `git+${GITHUB_SERVER_URL ?? 'https://github.com'}/${GITHUB_REPOSITORY}.git`;
  run('npm', 'pkg', 'set', 'repository.type=git', `repository.url=${url}`);
}
run('npx', '--no-install', 'changeset', 'publish');
