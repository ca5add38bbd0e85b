// The script behind action.yml: runs `assay run` with the inputs of the step, and puts the verdict where a pull request
// shows it: step summary, annotations, outputs. Inputs arrive as environment variables, never as parts of a shell line.
// Usage: node action/run.mjs, with ASSAY_CLI naming the command line's entry point.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { clearFolder } from './folder.mjs';
import { block, lastLines } from './last-lines.mjs';

const ANNOTATIONS = 10;
/** Exit code when the command line cannot even be started: a fault of Assay. */
const NOT_STARTED = 4;
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
const resultsFile = path.join(output, 'results.json');
const { free, aside } = await clearFolder(output, path.join(root, 'dist', 'src'));

/** The baseline may be the last run in this very folder, whose reports have just been moved. */
function baseline() {
  const named = input('BASELINE');
  const isMoved =
    named !== undefined && aside !== null && path.resolve(named) === path.resolve(resultsFile);
  return isMoved ? path.join(aside, 'results.json') : named;
}

/** Further arguments, one a line: a value may hold commas and spaces, and no shell ever reads it. */
const more = (input('ARGS') ?? '')
  .split('\n')
  .map((line) => line.trim())
  .filter((line) => line !== '');

/**
 * The base URL. Where it is empty and nothing else says what to judge, it is passed on as it is: the command line refuses it by
 * name, and would judge its embedded server without it.
 */
function baseUrl() {
  const isNamed =
    [input('TARGET'), input('ENVIRONMENT'), env['ASSAY_BASE_URL'], env['ASSAY_TARGET']].some(
      (value) => value !== undefined,
    ) || more.some((arg) => /^(-[ute]|--(base-url|target|environment|resume|replay)\b)/.test(arg));
  return input('BASE_URL') ?? (isNamed ? undefined : env['INPUT_BASE_URL']);
}

const flag = (name, value) => (value === undefined ? [] : [name, value]);
const args = [
  env['ASSAY_CLI'] ?? path.join(root, 'dist', 'cli', 'main.js'),
  'run',
  ...flag('--environment', input('ENVIRONMENT')),
  ...flag('--base-url', baseUrl()),
  ...flag('--target', input('TARGET')),
  ...flag('--profile', input('PROFILE')),
  ...list('ONLY').flatMap((pattern) => ['--only', pattern]),
  ...list('SKIP').flatMap((pattern) => ['--skip', pattern]),
  ...list('FAIL_ON').flatMap((level) => ['--fail-on', level]),
  ...flag('--max-requests', input('MAX_REQUESTS')),
  ...flag('--waivers', input('WAIVERS')),
  ...flag('--baseline', baseline()),
  '--format',
  'html,json,junit,ctrf,md,har,sarif',
  '--output',
  output,
  ...more,
];
// A variable of the step stands where the input is empty.
if (input('API_KEY') !== undefined) env['ASSAY_API_KEY'] = input('API_KEY');

/** Text for a workflow command: what would end the line or the command is encoded. */
const data = (text) =>
  String(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** One line of a file that the runner reads; a value never brings lines of its own. */
const put = (file, name, value) => {
  if (file !== undefined)
    appendFileSync(file, `${name}=${String(value).replaceAll(/[\r\n]+/g, ' ')}\n`);
};

/** Runs the command; its words go on to the log, and the last of them are kept. */
async function judge() {
  const said = lastLines();
  const child = spawn(process.execPath, args, { stdio: ['inherit', 'inherit', 'pipe'] });
  child.stderr.on('data', (chunk) => {
    said.add(chunk);
    process.stderr.write(chunk);
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  const end = await new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: NOT_STARTED, how: error.message }));
    child.on('close', (code, signal) =>
      resolve({ code: code ?? 130, how: code === null ? `was ended by ${signal}` : null }),
    );
  });
  return { code: end.code, how: end.how ?? `ended with exit code ${end.code}`, said: said.lines() };
}

/** The results of this run; undefined when it wrote none. */
function ownResults() {
  // Where another run writes, what is there or comes there is that of the other one.
  if (!free || !existsSync(resultsFile)) return undefined;
  try {
    return JSON.parse(readFileSync(resultsFile, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Adds to the summary of the step. */
function summarize(text) {
  if (env['GITHUB_STEP_SUMMARY'] !== undefined) appendFileSync(env['GITHUB_STEP_SUMMARY'], text);
}

const end = await judge();
const results = ownResults();
const outputs = env['GITHUB_OUTPUT'];
put(outputs, 'exit-code', end.code);
// A journal may be there without results; what is in a folder of another run is not ours to keep.
put(outputs, 'folder', free && existsSync(output) ? output : '');
if (results === undefined) {
  const sentence = `There are no results: assay run ${end.how} before it wrote them.`;
  put(outputs, 'verdict', 'error');
  put(
    outputs,
    'sentence',
    `${sentence} ${end.said.find((line) => line.includes('[ASSAY_')) ?? end.said.at(-1) ?? ''}`.trim(),
  );
  put(outputs, 'report', '');
  const reason =
    end.said.length === 0 ? 'It said nothing.' : `Its last words:\n\n${block(end.said)}`;
  summarize(`# Assay: NO RESULTS\n\n${sentence} ${reason}\n`);
  const words = [sentence, ...end.said].join('\n');
  process.stdout.write(`::error title=Assay::${data(words)}\n`);
} else {
  put(outputs, 'verdict', results.verdict);
  put(outputs, 'sentence', results.sentence);
  const report = path.join(output, 'report.html');
  put(outputs, 'report', existsSync(report) ? report : '');
  const summary = path.join(output, 'summary.md');
  if (existsSync(summary)) summarize(readFileSync(summary));
  if (end.code !== results.exitCode) {
    // It failed after it had its verdict, for example when not all reports could be written.
    summarize(
      `\n\`assay run\` ${end.how}, which is not the exit code of the verdict.\n\n${block(end.said)}\n`,
    );
  }
  annotate(results, end.code);
}
process.exitCode = end.code;

/** Violations as annotations: what fails the step as errors, the others as warnings; the rest is counted. */
function annotate({ requirements, sentence, gate, waivers = [] }, code) {
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
  for (const { id, state, detail } of waivers) {
    if (!['drifted', 'expired', 'unmatched'].includes(state)) continue;
    const title = property(`The waiver of ${id} (${state})`);
    process.stdout.write(`::error title=${title}::${data(detail)}\n`);
  }
  if (code !== 0) process.stdout.write(`::error title=Assay::${data(sentence)}\n`);
}
