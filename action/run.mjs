// The script behind action.yml: runs `assay run` with the inputs of the step, and puts the verdict where a pull request
// shows it: step summary, annotations, outputs. Inputs arrive as environment variables, never as parts of a shell line.
// Usage: node action/run.mjs, with ASSAY_CLI naming the command line's entry point.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ANNOTATIONS = 10;
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const env = process.env;

/** Input of the step, trimmed; undefined when it is empty. */
const input = (name) => {
  const value = (env[`INPUT_${name}`] ?? '').trim();
  return value === '' ? undefined : value;
};

/** A list that was written with commas or one a line. */
const list = (name) =>
  (input(name) ?? '')
    .split(/[\n,]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');

const output = input('OUTPUT') ?? 'assay-report';
const flag = (name, value) => (value === undefined ? [] : [name, value]);
const args = [
  env['ASSAY_CLI'] ?? path.join(root, 'dist', 'cli', 'main.js'),
  'run',
  ...flag('--base-url', input('BASE_URL')),
  ...flag('--target', input('TARGET')),
  ...flag('--profile', input('PROFILE')),
  ...list('ONLY').flatMap((pattern) => ['--only', pattern]),
  ...list('SKIP').flatMap((pattern) => ['--skip', pattern]),
  ...list('FAIL_ON').flatMap((level) => ['--fail-on', level]),
  ...flag('--max-requests', input('MAX_REQUESTS')),
  ...flag('--waivers', input('WAIVERS')),
  ...flag('--baseline', input('BASELINE')),
  '--format',
  'html,json,junit,ctrf,md,har,sarif',
  '--output',
  output,
];

/** Text for a workflow command: what would end the line or the command is encoded. */
const data = (text) =>
  String(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** One line of a file that the runner reads; a value never brings lines of its own. */
const put = (file, name, value) => {
  if (file !== undefined)
    appendFileSync(file, `${name}=${String(value).replaceAll(/[\r\n]+/g, ' ')}\n`);
};

const child = spawn(process.execPath, args, { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
const exitCode = await new Promise((resolve, reject) => {
  child.on('error', reject);
  child.on('exit', (code) => resolve(code ?? 130));
});

const resultsFile = path.join(output, 'results.json');
put(env['GITHUB_OUTPUT'], 'exit-code', exitCode);
put(env['GITHUB_OUTPUT'], 'report', path.join(output, 'report.html'));
if (existsSync(resultsFile)) {
  const results = JSON.parse(readFileSync(resultsFile, 'utf8'));
  put(env['GITHUB_OUTPUT'], 'verdict', results.verdict);
  put(env['GITHUB_OUTPUT'], 'sentence', results.sentence);
  const summary = path.join(output, 'summary.md');
  if (env['GITHUB_STEP_SUMMARY'] !== undefined && existsSync(summary)) {
    appendFileSync(env['GITHUB_STEP_SUMMARY'], readFileSync(summary));
  }
  annotate(results, exitCode);
} else {
  put(env['GITHUB_OUTPUT'], 'verdict', 'error');
  process.stdout.write(
    `::error title=Assay::${data('There are no results; the log above says why.')}\n`,
  );
}
process.exitCode = exitCode;

/** Violations as annotations: what fails the step as errors, the others as warnings; the rest is counted. */
function annotate({ requirements, sentence, gate }, code) {
  const red = requirements.filter(({ outcome }) => outcome === 'failed' || outcome === 'warned');
  const isError = ({ id, outcome }) => outcome === 'failed' && !(gate?.known ?? []).includes(id);
  const sorted = [...red.filter(isError), ...red.filter((one) => !isError(one))];
  for (const one of sorted.slice(0, ANNOTATIONS)) {
    const [finding] = one.findings;
    const text =
      finding === undefined
        ? one.title
        : `${finding.message}\nExpected: ${finding.expected}\nActual: ${finding.actual}`;
    process.stdout.write(
      `::${isError(one) ? 'error' : 'warning'} title=${property(`${one.id} (${one.level})`)}::${data(text)}\n`,
    );
  }
  if (sorted.length > ANNOTATIONS) {
    process.stdout.write(
      `::notice title=Assay::${data(`${sorted.length - ANNOTATIONS} more are in the report.`)}\n`,
    );
  }
  if (code !== 0) process.stdout.write(`::error title=Assay::${data(sentence)}\n`);
}
