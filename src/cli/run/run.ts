import path from 'node:path';
import { secretsOf } from '../../http/secrets.ts';
import { wantsColor } from '../../report/terminal/console.ts';
import type { Results } from '../../report/model/results.ts';
import { SecretsGate } from '../../fs/secrets-gate.ts';
import { readReplay } from '../../suite/property/replay.ts';
import { shellQuote } from '../../text/curl.ts';
import { calledAs } from '../called-as.ts';
import { commandBody } from '../command.ts';
import { withEnvironment } from '../config.ts';
import { UsageError } from '../errors.ts';
import { formatsOf } from '../formats.ts';
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
import { progressListener } from './run-progress.ts';
import { startOf, type Start } from './run-start.ts';

/** Options that an environment may set. */
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
  const argv = withDefaults(await withEnvironment(given, OF_ENVIRONMENT));
  checkChoices({ ...argv });
  formatsOf(argv.format);
  // Read before any request: an invalid file must not cost requests.
  const { readWaivers } = await import('../../run/waivers.ts');
  const waivers = argv.waivers === undefined ? undefined : readWaivers(argv.waivers);
  const baseline = argv.baseline === undefined ? undefined : await readResults(argv.baseline);
  if (argv.path !== undefined) checkPath(argv.path);
  const labels = labelsOf(argv);
  const [{ run }, { createProgress }] = await Promise.all([
    import('../../run/run.ts'),
    import('../../report/terminal/progress.ts'),
  ]);
  // The journal is complete up to the last answer, whenever the process ends.
  const interruption = listenForInterruption();
  let start: Start | undefined;
  // Keep progress out of pipes: only results go to standard output.
  const { stderr } = process;
  const progress = createProgress(stderr, {
    isTTY: stderr.isTTY,
    color: wantsColor(stderr.isTTY, process.env),
    now: Date.now,
  });
  const say = (text: string): void => {
    if (!argv.quiet) stderr.write(text);
  };
  const events = openEvents(argv.events);
  try {
    start = await startOf(argv, baseline);
    const { target, profile, seed, reference, known } = start.run;
    guardConsole(target);
    say(
      `assay run: ${reference && known === undefined ? 'embedded reference server' : target.baseUrl}, profile ${profile}, ${target.keys.valid.length} valid key${target.keys.valid.length === 1 ? '' : 's'}, seed ${seed}${argv.rotate ? ' (from the date, --rotate)' : ''}\n`,
    );
    for (const line of start.said) say(`${line}\n`);
    let resumable = false;
    const context = await contextFor(labels, target);
    // Skip the rehearsal if its result is not shown.
    const cost = argv.quiet && events === null ? null : await start.cost();
    const options = {
      ...start.run,
      ...(calledAs(process.env) === 'assay' ? {} : { command: calledAs(process.env) }),
      ...(context === undefined ? {} : { context }),
      ...(argv.concurrency === undefined ? {} : { concurrency: argv.concurrency }),
      locate: async (signal?: AbortSignal) => {
        const { locateService } = await import('../../doctor/locate.ts');
        return locateService(target, signal);
      },
      failOn: argv['fail-on'],
      ...(waivers === undefined ? {} : { waivers }),
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
    progress.end();
    progress.stop();
    // The reports do not need the embedded server.
    await start.close();
    return await finish({ given, argv, start, events, baseline, resumable }, ended);
  } finally {
    progress.stop();
    events?.close();
    interruption.release();
    await start?.close();
    start?.release();
  }
}

/** Everything needed to finish a run. */
interface Ending {
  /** The arguments before an environment filled them in. */
  readonly given: RunArguments;
  readonly argv: RunArguments & Judging;
  readonly start: Start;
  readonly events: RunEvents | null;
  readonly baseline: Results | undefined;
  readonly resumable: boolean;
}

/** Writes the reports, prints the summary, and removes the journal when it is no longer needed. */
async function finish(
  { given, argv, start, events, baseline, resumable }: Ending,
  ended: Results,
): Promise<number> {
  const [{ writeReports, ReportWriteError }, { endJournal }, { withHistory }] = await Promise.all([
    import('../../report/write.ts'),
    import('../../run/journal/journal.ts'),
    import('../../run/history.ts'),
  ]);
  const { output, journal } = start;
  const withRuns = await withHistory(ended, output);
  const compared = await againstBaseline(withRuns, baseline, argv['fail-on']);
  const canResume = journal !== null && resumable && !start.run.reference;
  const results = canResume ? { ...compared, folder: output } : compared;
  const out = argv.events === STDOUT ? process.stderr : process.stdout;
  const { verbose } = argv;
  try {
    const paths = await writeReports(results, output, formatsOf(argv.format), {
      gate: new SecretsGate(secretsOf(start.run.target)),
    });
    if (journal !== null) await pointLatest(output);
    await printSummary(results, paths, { verbose, out });
    events?.end(
      results,
      output,
      paths.map((file) => path.basename(file)),
    );
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
  if (canResume) {
    const { resumeWords } = await import('./resume-words.ts');
    out.write(`${resumeWords(given, results, output)}\n`);
  } else if (journal !== null) await endJournal(journal);
  return results.exitCode;
}

function checkPath(name: string): void {
  try {
    readReplay(name);
  } catch (error) {
    throw new UsageError((error as Error).message, 'Copy --path and --seed from the same finding.');
  }
}
