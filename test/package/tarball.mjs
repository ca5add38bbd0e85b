// Installs the packed tarball in an empty project, in a folder with a space, and runs `assay run` there on several
// versions of Node. Usage: node test/package/tarball.mjs [20 22 24]
// Needs the npm registry for the dependencies and the other versions of Node.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const versions = process.argv.length > 2 ? process.argv.slice(2) : ['20', '22', '24'];
const scratch = mkdtempSync(path.join(tmpdir(), 'assay-pack-'));
const project = path.join(scratch, 'an empty project');
const failures = [];

/** Runs a command in the project; the output is shown only when it fails. */
function run(command, args) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: project, encoding: 'utf8' });
  return { status, text: `${stdout}${stderr}` };
}

/** Compiles files of the project with strict types, to JavaScript beside them. */
const compile = (...files) =>
  run(process.execPath, [
    path.join(root, 'node_modules/typescript/bin/tsc'),
    '--strict',
    '--target',
    'es2023',
    '--module',
    'nodenext',
    '--types',
    'node',
    '--typeRoots',
    path.join(root, 'node_modules/@types'),
    ...files,
  ]);

function check(name, holds, text) {
  process.stdout.write(`${holds ? 'ok  ' : 'FAIL'} ${name}\n`);
  if (holds) return;
  failures.push(name);
  process.stdout.write(`${text}\n`);
}

try {
  mkdirSync(project);
  const packed = execFileSync(
    'npm',
    ['pack', '--silent', '--ignore-scripts', '--pack-destination', scratch],
    {
      cwd: root,
      encoding: 'utf8',
    },
  ).trim();
  writeFileSync(path.join(project, 'package.json'), '{ "name": "empty", "private": true }\n');
  const install = run('npm', ['install', '--no-fund', '--no-audit', path.join(scratch, packed)]);
  check('the tarball installs', install.status === 0, install.text);
  const inside = path.join(project, 'node_modules', 'assay');
  const before = new Set(readdirSync(inside));
  // `dist` keeps what an earlier build put there: a module that has moved or gone must not be shipped on.
  const isCompiled = (file) => /^dist\/(?:src|schemas|suites)\//.test(file);
  const orphans = readdirSync(inside, { recursive: true })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => isCompiled(file) && file.endsWith('.js'))
    .filter((file) => {
      const source = path.join(inside, file.replace(/^dist\/(.*)\.js$/, '$1'));
      return !['.ts', '.tsx'].some((extension) => existsSync(source + extension));
    });
  check('each compiled module comes with its source', orphans.length === 0, orphans.join(', '));
  for (const version of versions) {
    const output = `reports/on node ${version}`;
    const { status, text } = run('npx', [
      '-y',
      '-p',
      `node@${version}`,
      'node',
      'node_modules/assay/dist/cli/main.js',
      'run',
      '--output',
      output,
    ]);
    check(`assay run conforms on Node ${version}`, status === 0 && /CONFORMS/.test(text), text);
    if (status !== 0) continue;
    const results = JSON.parse(readFileSync(path.join(project, output, 'results.json'), 'utf8'));
    check(`the results of Node ${version} are whole`, results.verdict === 'conforms', text);
  }
  const { status, text } = run('npx', ['assay', 'run', '--profile', 'smoke']);
  check('npx assay run works', status === 0, text);
  const after = readdirSync(inside).filter((name) => !before.has(name));
  check('nothing is written into the package', after.length === 0, after.join(', '));
  const strays = readdirSync(project).filter(
    (name) => !['node_modules', 'package.json', 'package-lock.json', 'reports'].includes(name),
  );
  check('nothing is written beside the reports', strays.length === 0, strays.join(', '));

  writeFileSync(
    path.join(project, 'use.mts'),
    `import { run, type Results } from 'assay';
const results: Results = await run({ profile: 'smoke', output: 'reports/from a program' });
const verdict: 'conforms' | 'no-violation' | 'violates' | 'incomplete' | 'interrupted' | 'error' = results.verdict;
// @ts-expect-error there is no such verdict: types that check nothing would let this pass
const wrong: 'fine' = results.verdict;
process.stdout.write(\`\${verdict} \${results.exitCode} \${typeof wrong}\\n\`);
`,
  );
  const types = compile('use.mts');
  check('the types of the programmatic API hold', types.status === 0, types.text);
  writeFileSync(
    path.join(project, 'use.mjs'),
    `import { run, check } from 'assay';
const { verdict } = await run({ profile: 'smoke', output: 'reports/from a program' });
const again = await check(['reports/from a program/exchanges.har']);
process.stdout.write(\`\${verdict} \${again.verdict}\\n\`);
`,
  );
  const program = run(process.execPath, ['use.mjs']);
  check(
    'run and check work as functions',
    program.status === 0 && program.text === 'no-violation no-violation\n',
    program.text,
  );
  // The examples of the documentation, as a user would paste them.
  const page = readFileSync(path.join(root, 'docs', 'api.md'), 'utf8');
  const examples = [...page.matchAll(/^## (.*)$[^]*?```ts\n([^]*?)```/gm)].map(
    ([, name, code], index) => ({ name, code, file: `example-${index}.mts` }),
  );
  check('docs/api.md has an example of each function', examples.length === 8, page);
  for (const { file, code } of examples) writeFileSync(path.join(project, file), code);
  const compiled = compile(...examples.map(({ file }) => file));
  check('the examples of docs/api.md compile', compiled.status === 0, compiled.text);
  for (const { name, file } of examples) {
    // It sends at given times, so it runs where nothing else does: test/load/example.k6.test.ts.
    if (name === 'Load') continue;
    const ran = run(process.execPath, [file.replace(/mts$/, 'mjs')]);
    check(`the example "${name}" runs`, ran.status === 0, ran.text);
  }
  const kilobytes = (folder) =>
    Number(execFileSync('du', ['-sk', folder]).toString().split('\t')[0]);
  const modules = path.join(project, 'node_modules');
  process.stdout.write(
    `     installed: ${kilobytes(path.join(modules, 'assay'))} kB of Assay, ${kilobytes(modules)} kB with what it depends on\n`,
  );

  const other = path.join(scratch, 'a pnpm project');
  mkdirSync(other);
  writeFileSync(path.join(other, 'package.json'), '{ "name": "empty", "private": true }\n');
  const pnpm = (args) =>
    spawnSync('npx', ['-y', 'pnpm@10', ...args], { cwd: other, encoding: 'utf8' });
  const added = pnpm(['add', path.join(scratch, packed)]);
  check('the tarball installs with pnpm', added.status === 0, `${added.stdout}${added.stderr}`);
  const ran = pnpm(['exec', 'assay', 'run', '--profile', 'smoke']);
  check(
    'assay run works in a pnpm project',
    ran.status === 0 && /NO VIOLATION FOUND/.test(ran.stdout),
    `${ran.stdout}${ran.stderr}`,
  );
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
process.stdout.write(`${failures.length} of the package checks failed\n`);
process.exitCode = failures.length === 0 ? 0 : 1;
