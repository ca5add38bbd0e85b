// `npm run release`: publishes the version of package.json with a provenance statement (`publishConfig`). The registry accepts
// one only from a workflow, and only if the package names the repository of that workflow, which is set here.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { GITHUB_ACTIONS, GITHUB_REPOSITORY, GITHUB_SERVER_URL } = process.env;
if (GITHUB_ACTIONS !== 'true' || GITHUB_REPOSITORY === undefined) {
  process.stderr.write(
    'Versions are only published by .github/workflows/release.yml, which provides a provenance statement.\n',
  );
  process.exit(2);
}

/** Runs a command; exits with its exit code if it fails. */
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
