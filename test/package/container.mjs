// Builds the container images and runs Assay in them, where Docker answers. Elsewhere the steps of the Dockerfile that are
// ours are run in a folder, and Assay as another user who can write nowhere but where a container lets it.
// Usage: node test/package/container.mjs   (after `npm run build`; needs the npm registry, or Docker and its registry)
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const scratch = mkdtempSync(path.join(tmpdir(), 'assay-container-'));
const failures = [];
/** User and group of nobody; the images have their own. */
const NOBODY = 65_534;

function run(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    ...options,
  });
  return { status, text: `${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}` };
}

function check(name, holds, text) {
  process.stdout.write(`${holds ? 'ok  ' : 'FAIL'} ${name}\n`);
  if (holds) return;
  failures.push(name);
  process.stdout.write(`${text}\n`);
}

/** What must hold in the container, whatever it is made of: `assay` runs a command line there. */
function checkInside(assay, work) {
  const judged = assay(['run', '--output', 'reports/first']);
  check('a run conforms', judged.status === 0 && /CONFORMS/.test(judged.text), judged.text);
  const results = path.join(work, 'reports/first/results.json');
  check('its files are there', statSync(results, { throwIfNoEntry: false }) !== undefined, results);
  const wrong = assay(['run', '--profil', 'smoke']);
  check('a wrong flag ends with 2', wrong.status === 2, wrong.text);
  const elsewhere = assay(['run', '--profile', 'smoke', '--output', '/opt/assay/reports']);
  check(
    'nothing can be written into the package',
    elsewhere.status === 2 && !/\n\s+at /.test(elsewhere.text),
    `${elsewhere.status}\n${elsewhere.text}`,
  );
}

function inDocker(work) {
  const build = (target) =>
    run('docker', ['build', '--quiet', '--target', target, '--tag', target, root]);
  const made = build('assay');
  check('the image is built', made.status === 0, made.text);
  if (made.status !== 0) return;
  const locked = ['--rm', '--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL'];
  const mounted = ['--volume', `${work}:/work`];
  checkInside((args) => run('docker', ['run', ...locked, ...mounted, 'assay', ...args]), work);
  const load = build('assay-load');
  check('the image with k6 is built', load.status === 0, load.text);
  const tried = run('docker', ['run', ...locked, ...mounted, 'assay-load', 'load', 'smoke']);
  check('it loads with k6', tried.status === 0, tried.text);
}

function inFolder(work) {
  const steps = readFileSync(path.join(root, 'Dockerfile'), 'utf8').match(/^RUN .*$/gm) ?? [];
  check(
    'the Dockerfile installs with the script that is tried here',
    steps.includes('RUN container/install.sh /opt/assay'),
    steps.join('\n'),
  );
  const into = path.join(scratch, 'opt', 'assay');
  const made = run('sh', [path.join(root, 'container', 'install.sh'), into], { cwd: root });
  check('the package installs', made.status === 0, made.text);
  const modules = path.join(into, 'node_modules');
  check(
    'nothing that builds it comes along',
    ['typescript', 'oxlint', 'playwright-core'].every(
      (name) => !readdirSync(modules).includes(name),
    ),
    readdirSync(modules).join(' '),
  );
  const isRoot = process.getuid?.() === 0;
  if (!isRoot) execFileSync('chmod', ['-R', 'a-w', into]);
  const temporary = path.join(scratch, 'tmp');
  mkdirSync(temporary, { mode: 0o1777 });
  chmodSync(temporary, 0o1777);
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', TMPDIR: temporary, CI: 'true' };
  const bin = path.join(modules, '.bin', 'assay');
  checkInside((args) => {
    const inside = args.map((one) => one.replace('/opt/assay', into));
    const options = { cwd: work, env, ...(isRoot && { uid: NOBODY, gid: NOBODY }) };
    return run(bin, inside, options);
  }, work);
  if (!isRoot) execFileSync('chmod', ['-R', 'u+w', into]);
}

try {
  chmodSync(scratch, 0o755);
  const work = path.join(scratch, 'work');
  mkdirSync(work);
  chmodSync(work, 0o777);
  if (process.getuid?.() === 0) chownSync(work, NOBODY, NOBODY);
  const isThere = run('docker', ['version', '--format', '{{.Server.Version}}']).status === 0;
  process.stdout.write(
    isThere
      ? 'Docker answers: the images are built and run.\n'
      : 'No Docker answers: no image was built. The steps of the Dockerfile are run in a folder.\n',
  );
  (isThere ? inDocker : inFolder)(work);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
process.stdout.write(`${failures.length} of the container checks failed\n`);
process.exitCode = failures.length === 0 ? 0 : 1;
