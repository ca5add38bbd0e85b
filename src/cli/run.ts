import path from 'node:path';
import { secretsOf } from '../http/secrets.ts';
import { columnsIn, wantsColor } from '../report/console.ts';
import type { Results } from '../report/results.ts';
import { SecretsGate } from '../report/secrets-gate.ts';
import type { Waiver } from '../run/waivers.ts';
import { readReplay } from '../suite/property/replay.ts';
import { shellQuote } from '../text/curl.ts';
import { expectShortRun } from './engine.ts';
import { UsageError } from './errors.ts';
import { formatsOf } from './formats.ts';
import { guardConsole } from './guarded-console.ts';
import { listenForInterruption } from './interruption.ts';
import { contextFor, labelsOf } from './labels.ts';
import { readResults } from './read-results.ts';
import { exitWithoutReports, isStorageFailure, pointLatest } from './run-end.ts';
import { withRunOptions, type RunArguments } from './run-options.ts';
import { checkNew, checkSeed } from './rotation.ts';
import { progressListener } from './run-progress.ts';
import { startOf, type Start } from './run-start.ts';
import type { CommandBody } from './commands.ts';

/** `assay run`: the main job. */
export const runCommand: CommandBody<RunArguments> = {
  builder: withRunOptions,
  handler: async (argv) => {
    process.exitCode = await handle(argv);
  },
};

async function handle(argv: RunArguments): Promise<number> {
  expectShortRun();
  checkNumbers(argv);
  formatsOf(argv.format);
  // Read before anything is sent: a file that cannot be used must not cost requests.
  const waivers = argv.waivers === undefined ? undefined : await waiversOf(argv.waivers);
  const baseline = argv.baseline === undefined ? undefined : await readResults(argv.baseline);
  if (argv.path !== undefined) checkPath(argv.path);
  const labels = labelsOf(argv);
  const [{ run }, { createProgress }] = await Promise.all([
    import('../run/run.ts'),
    import('../report/progress.ts'),
  ]);
  // The journal is whole up to the last answer, whenever the process ends.
  const interruption = listenForInterruption();
  let start: Start | undefined;
  const progress = createProgress(process.stdout, {
    isTTY: process.stdout.isTTY,
    color: wantsColor(process.stdout.isTTY, process.env),
    now: Date.now,
  });
  try {
    start = await startOf(argv, baseline);
    const { target, profile, seed, reference, known } = start.run;
    guardConsole(target);
    process.stdout.write(
      `assay run: ${reference && known === undefined ? 'embedded reference server' : target.baseUrl}, profile ${profile}, ${target.keys.valid.length} valid key${target.keys.valid.length === 1 ? '' : 's'}, seed ${seed}${argv.rotate ? ' (of the day, by --rotate)' : ''}\n`,
    );
    for (const line of start.said) process.stdout.write(`${line}\n`);
    let resumable = false;
    const context = await contextFor(labels, target);
    const ended = await run({
      ...start.run,
      ...(context === undefined ? {} : { context }),
      ...(argv.concurrency === undefined ? {} : { concurrency: argv.concurrency }),
      locate: async (signal) => {
        const { locateService } = await import('../doctor/locate.ts');
        return locateService(target, signal);
      },
      failOn: argv['fail-on'],
      ...(waivers === undefined ? {} : { waivers }),
      signal: interruption.signal,
      listener: {
        ...progressListener(progress, start.run, await start.cost()),
        onEnd: (end) => {
          resumable = end.resumable;
        },
      },
    });
    progress.end();
    progress.stop();
    // The reports need none of what the embedded server holds.
    await start.close();
    return await finish(argv, start, ended, baseline, resumable);
  } finally {
    progress.stop();
    interruption.release();
    await start?.close();
    start?.release();
  }
}

/** Writes the reports, shows the summary, and lets go of the journal once it is not needed any more. */
async function finish(
  argv: RunArguments,
  start: Start,
  ended: Results,
  baseline: Results | undefined,
  resumable: boolean,
): Promise<number> {
  const [
    { renderSummary },
    { writeReports, ReportWriteError },
    { withBaseline },
    { gateByBaseline },
    { endJournal },
    { withHistory },
  ] = await Promise.all([
    import('../report/terminal.ts'),
    import('../report/write.ts'),
    import('../report/diff.ts'),
    import('../report/baseline-gate.ts'),
    import('../run/journal.ts'),
    import('../run/outcome-history.ts'),
  ]);
  const { output, journal } = start;
  const told = await withHistory(ended, output);
  const results =
    baseline === undefined
      ? told
      : gateByBaseline(withBaseline(told, baseline), baseline, argv['fail-on']);
  const summary = (paths: readonly string[]): string =>
    `${renderSummary(results, {
      color: wantsColor(process.stdout.isTTY, process.env),
      width: columnsIn(process.stdout, 100),
      showCurl: argv.verbose,
      paths: paths.map((file) => path.relative('', file)),
    })}\n`;
  try {
    const paths = await writeReports(results, output, formatsOf(argv.format), {
      gate: new SecretsGate(secretsOf(start.run.target)),
    });
    if (journal !== null) await pointLatest(output);
    process.stdout.write(summary(paths));
  } catch (error) {
    if (!(error instanceof ReportWriteError) || !isStorageFailure(error)) throw error;
    process.stdout.write(summary([]));
    const kept =
      journal === null
        ? 'Make room on the disk, then give the same command again.'
        : `Every answer is in ${journal}. Make room on the disk, then \`assay run --resume ${shellQuote(output)}\` writes the reports and sends only what is missing.`;
    process.stderr.write(`assay: ${error.message} [${error.code}]\n${kept}\n`);
    return exitWithoutReports(results.exitCode);
  }
  if (journal !== null && !resumable) await endJournal(journal);
  if (journal !== null && resumable && !start.run.reference) {
    process.stdout.write(
      `To go on with the same target and keys: assay run --resume ${shellQuote(output)}\n`,
    );
  }
  if (resumable && start.run.reference && journal !== null) await endJournal(journal);
  return results.exitCode;
}

/** @throws WaiverError when the file cannot be used */
async function waiversOf(file: string): Promise<readonly Waiver[]> {
  const { readWaivers } = await import('../run/waivers.ts');
  return readWaivers(file);
}

function checkNumbers(argv: RunArguments): void {
  const bound = argv['max-requests'];
  if (bound !== undefined && !(Number.isInteger(bound) && bound > 0)) {
    throw new UsageError(
      '--max-requests takes a whole number above 0.',
      'For example --max-requests 40.',
    );
  }
  const { concurrency } = argv;
  if (concurrency !== undefined && !(Number.isInteger(concurrency) && concurrency > 0)) {
    throw new UsageError(
      '--concurrency takes a whole number above 0.',
      'For example --concurrency 1, which sends one request after the other.',
    );
  }
  checkSeed(argv);
  checkNew(argv, argv);
}

function checkPath(name: string): void {
  try {
    readReplay(name);
  } catch (error) {
    throw new UsageError((error as Error).message, 'Use the seed of the same finding.');
  }
}
