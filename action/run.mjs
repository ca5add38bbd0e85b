// The script of action.yml: runs `assay run` with the inputs of the step, and writes step summary, annotations and outputs.
// Inputs are environment variables, never part of a shell command.
// Usage: node action/run.mjs; ASSAY_CLI overrides the path of the command line.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { clearFolder } from './folder.mjs';
import { block, lastLines } from './last-lines.mjs';

const ANNOTATIONS = 10;
/** Exit code if the command line cannot be started: an internal error of Assay. */
const NOT_STARTED = 4;
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const env = process.env;

/** Input of the step, trimmed; undefined if empty. */
const input = (name) => {
  const value = (env[`INPUT_${name}`] ?? '').trim();
  return value === '' ? undefined : value;
};

/** A list, by default separated by commas or line breaks. */
const list = (name, separator = /[\n,]/) =>
  (input(name) ?? '')
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');

const output = input('OUTPUT') ?? 'assay-report';
const resultsFile = path.join(output, 'results.json');
const { free, aside } = await clearFolder(output, path.join(root, 'dist', 'src'));

/** The baseline may be the last run in this folder, whose reports have just been moved. */
function baseline() {
  const named = input('BASELINE');
  const isMoved =
    named !== undefined && aside !== null && path.resolve(named) === path.resolve(resultsFile);
  return isMoved ? path.join(aside, 'results.json') : named;
}

/** More arguments, one per line: values may contain commas and spaces, and no shell reads them. */
const more = list('ARGS', '\n');

/**
 * The base URL. If it is empty and nothing else names a target, it is passed as it is: the command line rejects an empty URL, but
 * without one would run against its embedded server.
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
// If the input is empty, a variable of the step applies.
if (input('API_KEY') !== undefined) env['ASSAY_API_KEY'] = input('API_KEY');

/** Text for a workflow command, with line ends encoded. */
const data = (text) =>
  String(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** Adds a line to a file that the runner reads; a value cannot add more lines. */
const put = (file, name, value) => {
  if (file !== undefined)
    appendFileSync(file, `${name}=${String(value).replaceAll(/[\r\n]+/g, ' ')}\n`);
};

/** Runs the command, forwards its error output to the log and keeps the end of it. */
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
      resolve({ code: code ?? 130, how: code === null ? `was killed by ${signal}` : null }),
    );
  });
  return { code: end.code, how: end.how ?? `exited with ${end.code}`, said: said.lines() };
}

/** The results of this run; undefined if it wrote none. */
function ownResults() {
  // If another run holds the folder, its files are not ours.
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
// There may be a journal without results. The folder of another run is not uploaded.
put(outputs, 'folder', free && existsSync(output) ? output : '');
if (results === undefined) {
  const sentence = `No results: assay run ${end.how} before it wrote them.`;
  put(outputs, 'verdict', 'error');
  put(
    outputs,
    'sentence',
    `${sentence} ${end.said.find((line) => line.includes('[ASSAY_')) ?? end.said.at(-1) ?? ''}`.trim(),
  );
  put(outputs, 'report', '');
  const reason =
    end.said.length === 0 ? 'It printed nothing.' : `Its last output:\n\n${block(end.said)}`;
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
    // It failed after the verdict, for example because a report could not be written.
    summarize(
      `\n\`assay run\` ${end.how}, which differs from the exit code of the verdict.\n\n${block(end.said)}\n`,
    );
  }
  annotate(results, end.code);
}
process.exitCode = end.code;

/** Annotates violations, as errors if they fail the step and as warnings otherwise, and counts those beyond the limit. */
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
      `::notice title=Assay::${data(`${sorted.length - ANNOTATIONS} more in the report.`)}\n`,
    );
  }
  for (const { id, state, detail } of waivers) {
    if (!['drifted', 'expired', 'unmatched'].includes(state)) continue;
    const title = property(`The waiver of ${id} (${state})`);
    process.stdout.write(`::error title=${title}::${data(detail)}\n`);
  }
  if (code !== 0) process.stdout.write(`::error title=Assay::${data(sentence)}\n`);
}
