import { lstat, mkdir, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { CommandModule } from 'yargs';
import { wantsColor } from '../report/console.ts';
import type { Progress } from '../report/progress.ts';
import type { RunListener } from '../run/run.ts';
import { EXIT, type FailOn } from '../run/verdict.ts';
import type { Waiver } from '../run/waivers.ts';
import { PROFILES, type Profile } from '../suite/profiles.ts';
import { replayPath } from '../suite/property/replay.ts';
import type { Target } from '../target/target.ts';
import { UsageError } from './errors.ts';
import { readResults } from './read-results.ts';
import { formatsOf } from './formats.ts';
import {
  checkPatterns,
  listOf,
  namedTarget,
  withTargetOptions,
  type TargetArguments,
} from './options.ts';

interface RunArguments extends TargetArguments {
  profile: Profile;
  only: string[] | undefined;
  skip: string[] | undefined;
  'max-requests': number | undefined;
  seed: number;
  path: string | undefined;
  output: string | undefined;
  format: string;
  'fail-on': FailOn[];
  waivers: string | undefined;
  baseline: string | undefined;
  verbose: boolean;
}

/** `assay run`: the main job. */
export const runCommand: CommandModule<object, RunArguments> = {
  command: 'run',
  describe: 'Run the conformance suites against a target (the reference server when none is named)',
  builder: (yargs) =>
    withTargetOptions(yargs)
      .option('profile', {
        choices: PROFILES,
        default: 'standard' as const,
        describe:
          'smoke: at most 20 requests a key must pay for; standard: at most 100; full: everything',
      })
      .option('only', {
        type: 'string',
        array: true,
        requiresArg: true,
        describe: 'Ids, prefixes (4.3) or globs',
      })
      .option('skip', {
        type: 'string',
        array: true,
        requiresArg: true,
        describe: 'The same, left out',
      })
      .option('max-requests', {
        type: 'number',
        requiresArg: true,
        describe: 'Bound on requests with valid keys',
      })
      .option('seed', {
        type: 'number',
        default: 1,
        describe: 'Seed of everything drawn by chance',
      })
      .option('path', {
        type: 'string',
        requiresArg: true,
        describe: 'One case that a property drew, as a finding names it: tried again, and no other',
      })
      .option('output', {
        alias: 'o',
        type: 'string',
        requiresArg: true,
        describe: 'Folder of the reports; reports/<time> unless told',
      })
      .option('format', {
        type: 'string',
        default: 'html,json,junit,ctrf,md,har',
        describe: 'Reports to write',
      })
      .option('fail-on', {
        choices: ['must', 'should', 'untested'] as const,
        array: true,
        default: ['must'] as FailOn[],
        describe: 'What fails the run beyond violated musts',
      })
      .option('waivers', {
        type: 'string',
        requiresArg: true,
        describe: 'Waiver file: violations that somebody answers for, each until a day',
      })
      .option('baseline', {
        type: 'string',
        requiresArg: true,
        describe: 'results.json of an earlier run; the reports then say what changed',
      })
      .option('verbose', {
        type: 'boolean',
        default: false,
        describe: 'Print a curl line for each finding',
      })
      .example('$0 run', 'the embedded reference server')
      .example('$0 run -u http://127.0.0.1:4010 -k KEY', 'a server of yours')
      .example('$0 run -t staging.yaml --only 4.3,5 --fail-on should', 'a gate for two sections'),
  handler: async (argv) => {
    process.exitCode = await handle(argv);
  },
};

async function handle(argv: RunArguments): Promise<number> {
  checkNumbers(argv);
  if (argv.path !== undefined) {
    checkPath(argv.path);
    // The worker that runs the suites inherits the environment.
    process.env['ASSAY_PATH'] = argv.path;
  }
  const formats = formatsOf(argv.format);
  const only = checkPatterns('--only', listOf(argv.only));
  const skip = checkPatterns('--skip', listOf(argv.skip));
  // Read before anything is sent: a file that cannot be used must not cost requests.
  const waivers = argv.waivers === undefined ? undefined : await waiversOf(argv.waivers);
  const baseline = argv.baseline === undefined ? undefined : await readResults(argv.baseline);
  const [{ run }, { createProgress }, { renderSummary }, { writeReports }, { withBaseline }] =
    await Promise.all([
      import('../run/run.ts'),
      import('../report/progress.ts'),
      import('../report/terminal.ts'),
      import('../report/write.ts'),
      import('../report/diff.ts'),
    ]);
  const color = wantsColor(process.stdout.isTTY, process.env);
  const output =
    argv.output ?? path.join('reports', new Date().toISOString().replaceAll(/[:.]/g, '-'));
  const { target, reference, close } = await chooseTarget(argv);
  process.stdout.write(
    `assay run: ${reference ? 'embedded reference server' : target.baseUrl}, profile ${argv.profile}, ${target.keys.valid.length} valid key${target.keys.valid.length === 1 ? '' : 's'}, seed ${argv.seed}\n`,
  );
  const progress = createProgress(process.stdout, {
    isTTY: process.stdout.isTTY,
    color,
    now: Date.now,
  });
  const controller = new AbortController();
  const onSignal = (): void => {
    // The second signal means: now.
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    controller.abort();
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  try {
    const ended = await run({
      target,
      reference,
      profile: argv.profile,
      seed: argv.seed,
      only,
      skip,
      maxRequests: argv['max-requests'] ?? null,
      failOn: argv['fail-on'],
      ...(waivers === undefined ? {} : { waivers }),
      signal: controller.signal,
      listener: progressListener(progress, argv.profile, target),
    });
    progress.stop();
    const results = baseline === undefined ? ended : withBaseline(ended, baseline);
    const paths = await writeReports(results, output, formats, {
      failOn: strictest(argv['fail-on']),
    });
    await pointLatest(output);
    const width = process.stdout.columns ?? 100;
    const shown = paths.map((file) => path.relative('', file));
    process.stdout.write(
      `${renderSummary(results, { color, width, showCurl: argv.verbose, paths: shown })}\n`,
    );
    return results.exitCode;
  } finally {
    progress.stop();
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    await close();
  }
}

/** @throws WaiverError when the file cannot be used */
async function waiversOf(file: string): Promise<readonly Waiver[]> {
  const { readWaivers } = await import('../run/waivers.ts');
  return readWaivers(file);
}

/** The target of flags, environment and file; the embedded reference server when none of them names one. */
async function chooseTarget(
  argv: RunArguments,
): Promise<{ target: Target; reference: boolean; close: () => Promise<void> }> {
  const target = await namedTarget(argv);
  if (target !== null) return { target, reference: false, close: () => Promise.resolve() };
  const { startEmbedded } = await import('../run/embedded.ts');
  const embedded = await startEmbedded();
  return { target: embedded.target, reference: true, close: () => embedded.close() };
}

/** Requests with valid keys that a profile needs at most; the estimate of the time left starts from them. */
const PROFILE_REQUESTS: Readonly<Record<Profile, number>> = { smoke: 20, standard: 100, full: 540 };

function progressListener(
  progress: Progress,
  profile: Profile,
  { keys, limits }: Target,
): RunListener {
  let started = false;
  const state = {
    done: 0,
    total: 0,
    requests: 0,
    waitingUntil: null as number | null,
    currentTitle: null as string | null,
    findings: 0,
  };
  const update = (): void => {
    if (!started) {
      started = true;
      progress.start({
        total: state.total,
        requests: PROFILE_REQUESTS[profile],
        keys: keys.valid.length,
        limit: limits.requests,
        windowMs: limits.windowMs,
      });
    }
    progress.update({ ...state });
  };
  return {
    onCheck({ meta, outcome }, { requirements, of }) {
      state.done = requirements;
      state.total = of;
      state.requests = meta.session?.byRole.valid ?? state.requests;
      state.waitingUntil = null;
      state.currentTitle = `${meta.requirement} ${meta.check}`;
      if (outcome.kind === 'failed' || outcome.kind === 'warned') {
        state.findings += 1;
        progress.finding({
          requirement: meta.requirement,
          outcome: outcome.kind,
          message: outcome.reason ?? meta.check,
        });
      }
      update();
    },
    onEvent(event) {
      if (event.type !== 'wait') return;
      state.waitingUntil = event.untilMs;
      update();
    },
  };
}

function checkNumbers(argv: RunArguments): void {
  const bound = argv['max-requests'];
  if (bound !== undefined && !(Number.isInteger(bound) && bound > 0)) {
    throw new UsageError(
      '--max-requests takes a whole number above 0.',
      'For example --max-requests 40.',
    );
  }
  if (!Number.isInteger(argv.seed)) {
    throw new UsageError('--seed takes a whole number.', 'For example --seed 7.');
  }
}

function checkPath(path: string): void {
  try {
    replayPath(path);
  } catch (error) {
    throw new UsageError(String((error as Error).message), 'Use the seed of the same finding.');
  }
}

const strictest = (failOn: readonly FailOn[]): FailOn =>
  failOn.includes('untested') ? 'untested' : failOn.includes('should') ? 'should' : 'must';

/** Points `latest` beside the folder of this run to it; where links are not to be had, a text file says the name. */
async function pointLatest(output: string): Promise<void> {
  const folder = path.dirname(path.resolve(output));
  if (path.basename(folder) !== 'reports') return;
  const latest = path.join(folder, 'latest');
  const name = path.basename(output);
  await mkdir(folder, { recursive: true });
  const existing = await lstat(latest).catch(() => undefined);
  // A folder that somebody named "latest" is theirs.
  if (existing?.isDirectory() === true) return;
  if (existing?.isSymbolicLink() === true && (await readlink(latest)) === name) return;
  await rm(latest, { force: true });
  await symlink(name, latest, 'dir').catch(() => writeFile(latest, `${name}\n`));
}
