import { formatsOf } from '../options.ts';
import path from 'node:path';
import { locateService } from '../../doctor/base-path.ts';
import { secretsOf } from '../../http/secrets.ts';
import { wantsColor } from '../../report/terminal/console.ts';
import { createProgress } from '../../report/terminal/progress.ts';
import type { Format } from '../../report/formats.ts';
import type { Results } from '../../report/model/results.ts';
import { ReportWriteError, writeReports } from '../../report/write.ts';
import { withHistory } from '../../run/history.ts';
import { endJournal } from '../../run/journal/journal.ts';
import { run } from '../../run/run.ts';
import { readWaivers } from '../../run/waivers.ts';
import { SecretsGate } from '../../fs/secrets-gate.ts';
import { readReplay } from '../../suite/property/replay.ts';
import { shellQuote } from '../../text/curl.ts';
import { plural } from '../../text/text.ts';
import { calledAs } from '../called-as.ts';
import { commandBody } from '../command.ts';
import { withEnvironment } from '../config.ts';
import { withHint } from '../errors.ts';
import { guardConsole } from '../guarded-console.ts';
import { listenForInterruption } from './interruption.ts';
import { contextFor, labelsOf } from '../labels.ts';
import { JUDGING_OF_ENVIRONMENT, withDefaults, type Judging } from '../judging-options.ts';
import { readResults } from '../read-results.ts';
import {
  againstBaseline,
  exitWithoutReports,
  isStorageFailure,
  pointLatest,
  printSummary,
} from './run-end.ts';
import { RUN_OPTIONS, type RunArguments } from './run-options.ts';
import { checkChoices } from './choices.ts';
import { openEvents, STDOUT, tellAll, type RunEvents } from './event-file.ts';
import { resumeWords } from './resume-words.ts';
import { progressListener } from './run-progress.ts';
import { startOf, type Start } from './run-start.ts';

const OF_ENVIRONMENT = ['target', 'profile', ...JUDGING_OF_ENVIRONMENT] as const;

export const runCommand = commandBody({
  options: RUN_OPTIONS,
  examples: {
    '$0 run': 'run against the embedded reference server',
    '$0 run -u http://127.0.0.1:4010 -k KEY': 'run against your server',
    '$0 run -t staging.yaml --only 4.3,5 --fail-on should': 'gate on two sections',
    '$0 run -t staging.yaml --last-failed': 'after a fix, rerun the failures',
    '$0 run --resume reports/2026-01-31T09-00': 'resume after Ctrl-C, with the same keys',
    '$0 run --replay reports/latest/results.json': 'judge again without sending requests',
  },
  handler: handle,
});

async function handle(given: RunArguments): Promise<number> {
  const argv = withDefaults(withEnvironment(given, OF_ENVIRONMENT));
  checkChoices({ ...argv });
  const formats = formatsOf(argv.format);
  // Read before any request: an invalid file must not cost requests.
  const waivers = argv.waivers === undefined ? undefined : readWaivers(argv.waivers);
  const baseline = argv.baseline === undefined ? undefined : await readResults(argv.baseline);
  const { path: replayed } = argv;
  if (replayed !== undefined)
    withHint('Copy --path and --seed from the same finding.', () => readReplay(replayed));
  const labels = labelsOf(argv.label);
  // The journal is complete up to the last answer, whenever the process ends.
  const interruption = listenForInterruption();
  let start: Start | undefined;
  // Keep progress out of pipes: only results go to standard output.
  const { stderr } = process;
  const progress = createProgress(stderr, {
    isTTY: stderr.isTTY,
    color: wantsColor(stderr.isTTY, process.env),
  });
  const say = (line: string): void => {
    if (!argv.quiet) stderr.write(`${line}\n`);
  };
  const events = openEvents(argv.events);
  try {
    start = await startOf(argv, baseline);
    const { target, profile, seed, reference, known } = start.run;
    guardConsole(target);
    const named = reference && known === undefined ? 'embedded reference server' : target.baseUrl;
    const keys = plural(target.keys.valid.length, 'valid key');
    const rotated = argv.rotate ? ' (from the date, --rotate)' : '';
    say(`assay run: ${named}, profile ${profile}, ${keys}, seed ${seed}${rotated}`);
    start.said.forEach(say);
    let resumable = false;
    // Skip the rehearsal if its result is not shown.
    const cost = argv.quiet && events === null ? null : await start.cost();
    const command = calledAs(process.env);
    const options = {
      ...start.run,
      command: command === 'assay' ? undefined : command,
      context: contextFor(labels, target),
      ...(argv.concurrency !== undefined && { concurrency: argv.concurrency }),
      locate: (signal?: AbortSignal) => locateService(target, signal),
      failOn: argv['fail-on'],
      waivers,
      signal: interruption.signal,
    };
    const ended = await run({
      ...options,
      listener: tellAll([
        ...(argv.quiet ? [] : [progressListener(progress, options, cost)]),
        ...(events === null ? [] : [events.listener(options, cost)]),
        { onEnd: (end) => void (resumable = end.resumable) },
      ]),
    });
    progress.end(
      ended.requirements.flatMap(({ id, outcome, reason, title }) =>
        outcome === 'failed' || outcome === 'warned'
          ? [{ requirement: id, outcome, message: reason ?? title }]
          : [],
      ),
    );
    progress.stop();
    return await finish({ given, argv, formats, start, events, baseline, resumable }, ended);
  } finally {
    progress.stop();
    events?.close();
    interruption.release();
    await start?.close();
  }
}

interface Ending {
  /** The arguments before an environment filled them in. */
  readonly given: RunArguments;
  readonly argv: RunArguments & Judging;
  readonly formats: readonly Format[];
  readonly start: Start;
  readonly events: RunEvents | null;
  readonly baseline: Results | undefined;
  readonly resumable: boolean;
}

/** Writes the reports, prints the summary, and removes the journal when it is no longer needed. */
async function finish(
  { given, argv, formats, start, events, baseline, resumable }: Ending,
  ended: Results,
): Promise<number> {
  const { output, journal } = start;
  const withRuns = await withHistory(ended, output);
  const compared = againstBaseline(withRuns, baseline, argv['fail-on']);
  const canResume = journal !== null && resumable && !start.run.reference;
  const resume = canResume ? resumeWords(given, compared, output) : undefined;
  const results = { ...compared, ...(resume && { resume }) };
  const out = argv.events === STDOUT ? process.stderr : process.stdout;
  const { verbose } = argv;
  try {
    const gate = new SecretsGate(secretsOf(start.run.target));
    const paths = await writeReports(results, output, formats, { gate });
    if (journal !== null) await pointLatest(output);
    await printSummary(results, paths, { verbose, out });
    const files = paths.map((file) => path.basename(file));
    events?.end(results, output, files);
  } catch (error) {
    if (!(error instanceof ReportWriteError) || !isStorageFailure(error)) throw error;
    const kept =
      journal === null
        ? 'Free up disk space, then repeat the command.'
        : `All responses are in ${journal}. Free up disk space, then use \`${calledAs(process.env)} run --resume ${shellQuote(output)}\` with the options of this run: it writes the reports and sends only the missing requests.`;
    // Print the error before the verdict.
    process.stderr.write(`assay: ${error.message} [${error.code}]\n${kept}\n`);
    const unwritten = { ...results, exitCode: exitWithoutReports(results.exitCode) };
    await printSummary(unwritten, [], { verbose, out });
    events?.end(unwritten, output, []);
    return unwritten.exitCode;
  }
  if (resume) out.write(`${resume.words} ${resume.command}\n`);
  else if (journal !== null) await endJournal(journal);
  return results.exitCode;
}
