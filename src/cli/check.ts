import path from 'node:path';
import v8 from 'node:v8';
import { SecretsGate } from '../fs/secrets-gate.ts';
import { check } from '../run/check/check.ts';
import type { TrafficSettings } from '../run/check/traffic-results.ts';
import { mustBeFree, whileHolding } from '../run/journal/output-lock.ts';
import { REQUIREMENT_TEXTS } from '../requirements/texts.ts';
import { loadNamedTarget } from '../target/file/resolve-target.ts';
import type { Target } from '../target/target.ts';
import type { Followed } from '../watch/follow.ts';
import { oneLine } from '../text/text.ts';
import { commandBody, string, type ValuesOf } from './command.ts';
import { CONFIG_OPTIONS, withEnvironment } from './config.ts';
import {
  JUDGING_OF_ENVIRONMENT,
  judgingOptions,
  SHOW_HEADER,
  trafficSettings,
  withDefaults,
} from './judging-options.ts';
import { formatsOf } from './options.ts';
import { STANDARD_INPUT } from './standard-input.ts';
import { readResults, resultsFile } from './read-results.ts';
import { sayLine } from './say.ts';
import { UsageError } from './errors.ts';
import { listenForInterruption } from './run/interruption.ts';
import { againstBaseline, newOutput, printSummary } from './run/run-end.ts';
import { openEvents, STDOUT, type RunEvents } from './run/event-file.ts';

const OF_ENVIRONMENT = ['target', ...JUDGING_OF_ENVIRONMENT] as const;

const OPTIONS = {
  ...judgingOptions('check'),
  ...CONFIG_OPTIONS,
  'show-header': SHOW_HEADER,
  'base-url': string('Base URL of the service; default: guessed from the recording', {
    alias: 'u',
  }),
  target: string('Target file with key roles, limits, envelope and fixtures', { alias: 't' }),
  events: string('Write findings and verdict to this file as NDJSON; - for stdout'),
} as const;

const POSITIONALS = {
  files: {
    type: 'string',
    array: true,
    demandOption: true,
    describe:
      'HAR files, NDJSON files, results.json files or run folders; - judges lines from standard input as they arrive',
  },
} as const;

type CheckArguments = ValuesOf<typeof OPTIONS> & ValuesOf<typeof POSITIONALS>;

/** `assay check`: judges recorded traffic by the rules of a run. Needs no key. */
export const checkCommand = commandBody({
  options: OPTIONS,
  positionals: POSITIONALS,
  examples: {
    '$0 check browser.har': 'a HAR saved by browser developer tools',
    '$0 check app.har -u https://api.example/v1': 'only requests to that service',
    '$0 check reports/latest/exchanges.har': 'an earlier run, judged by the current rules',
    '$0 check a.har b.har --only 2,4.1 --fail-on should': 'judge two recordings as a gate',
    'tail -F gateway.ndjson | $0 check - -u https://api.example/v1':
      'follow a log; Ctrl-C writes the reports',
  },
  footer:
    '\nExit codes are the same as for `assay run`. Requirements that the recording does not cover are untested; the report names a request that would cover them. How to record: docs/recorded-traffic.md.',
  handler: handle,
});

async function handle(given: CheckArguments): Promise<number> {
  const argv = withDefaults(withEnvironment(given, OF_ENVIRONMENT));
  const formats = formatsOf(argv.format);
  const settings = trafficSettings(argv);
  const baseline = argv.baseline === undefined ? undefined : await readResults(argv.baseline);
  if (argv.output !== undefined) mustBeFree(argv.output);
  const flags = { 'base-url': argv['base-url'], target: argv.target };
  const target = loadNamedTarget({ reserved: REQUIREMENT_TEXTS, flags, requireKey: false });
  // Reading a recording creates much garbage, and V8 lets the heap grow to four times the live data. Limiting it to 1.3
  // times costs only 5 % more time.
  v8.setFlagsFromString('--heap-growing-percent=30');
  const events = openEvents(argv.events);
  const judged = argv.files.includes(STANDARD_INPUT)
    ? await followed(argv, target, settings, events)
    : await checked(argv, target, settings);
  const results = againstBaseline(judged.results, baseline, argv['fail-on']);
  const output = argv.output ?? newOutput();
  // Loaded now: while a large recording is judged, memory is scarce.
  const { writeReports } = await import('../report/write.ts');
  const paths = await whileHolding(
    output,
    'assay check',
    () => writeReports(results, output, formats, { gate: new SecretsGate(judged.secrets) }),
    sayLine,
  );
  const files = paths.map((file) => path.basename(file));
  events?.end(results, output, files);
  events?.close();
  if (argv.events === STDOUT) return results.exitCode;
  for (const note of results.notes) sayLine(oneLine(note, 400));
  await printSummary(results, paths, argv);
  return results.exitCode;
}

async function checked(
  argv: CheckArguments,
  target: Target | null,
  settings: TrafficSettings,
): Promise<Followed> {
  const { results, tally } = await check({
    files: await Promise.all(argv.files.map(resultsFile)),
    // Normalised by the target: without a trailing slash.
    baseUrl: argv['base-url'] === undefined ? undefined : target?.baseUrl,
    target: target ?? undefined,
    ...settings,
  });
  return { results, secrets: tally.recordings.flatMap((recording) => recording.secrets()) };
}

async function followed(
  argv: CheckArguments,
  target: Target | null,
  settings: TrafficSettings,
  events: RunEvents | null,
): Promise<Followed> {
  if (argv.files.length > 1) {
    throw new UsageError(
      'Standard input (-) cannot be combined with files.',
      'Judge standard input alone: assay check -',
    );
  }
  if (target === null) {
    throw new UsageError(
      'Standard input is judged line by line, so the base URL cannot be guessed.',
      'Set the base URL: assay check - --base-url https://api.example/v1',
    );
  }
  const interruption = listenForInterruption();
  try {
    const { follow } = await import('../watch/follow.ts');
    return await follow(process.stdin, {
      ...settings,
      baseUrl: target.baseUrl,
      target,
      signal: interruption.signal,
      onFinding: (finding) => events?.found(finding),
    });
  } finally {
    interruption.release();
  }
}
