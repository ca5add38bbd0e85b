import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Profile } from '../../ask/profiles.ts';
import type { World } from '../../reference/world.ts';
import type { Results } from '../../report/model/results.ts';
import { costOfRun, type Cost, type CostOptions } from '../../run/cost.ts';
import { startEmbedded } from '../../run/embedded.ts';
import { earlierRows } from '../../run/history.ts';
import {
  beginJournal,
  continueJournal,
  journalHeader,
  JOURNAL_FILE,
} from '../../run/journal/journal.ts';
import { holdFolder, mustBeFree, type HeldFolder } from '../../run/journal/output-lock.ts';
import { countKnown, mustFit, readInterrupted } from '../../run/journal/resume.ts';
import { readRecordedRun } from '../../run/recording.ts';
import type { RunOptions } from '../../run/run.ts';
import { namesTarget } from '../../target/file/resolve-target.ts';
import type { Target } from '../../target/target.ts';
import { UsageError } from '../errors.ts';
import {
  durationOf,
  listOf,
  namedFile,
  namedTarget,
  patternsOf,
  targetOf,
  warnInsecure,
} from '../options.ts';
import { resultsFile } from '../read-results.ts';
import { seedOf } from './choices.ts';
import { lastOf, lastWords } from './last-failed.ts';
import { newOutput } from './run-end.ts';
import type { RunArguments } from './run-options.ts';

/** A run that is ready to start: all inputs are checked, no requests were sent. */
export interface Start {
  readonly run: Omit<RunOptions, 'failOn' | 'waivers' | 'signal' | 'listener'>;
  readonly output: string;
  /** Path of the journal; null when nothing is sent. */
  readonly journal: string | null;
  /** Its cost, found by a rehearsal; null for replays and where a rehearsal would take too long. */
  readonly cost: () => Promise<Cost | null>;
  readonly said: readonly string[];
  /** Stops the embedded server and unlocks the folder. */
  readonly close: () => void | Promise<void>;
}

/** Owner of the folder lock, shown to other commands. */
const RUN = 'assay run';

/**
 * Prepares a new run, a resumed one (`--resume`), or the replay of a recording (`--replay`).
 * @throws UsageError, TargetError, JournalError or RecordingError
 */
export async function startOf(argv: RunArguments, baseline: Results | undefined): Promise<Start> {
  if (argv.replay !== undefined) return replayed(argv, argv.replay);
  return argv.resume === undefined ? fresh(argv, baseline) : resumed(argv, argv.resume, baseline);
}

async function fresh(argv: RunArguments, baseline: Results | undefined): Promise<Start> {
  const output = argv.output ?? newOutput();
  const selected = {
    only: patternsOf('--only', argv.only),
    skip: patternsOf('--skip', argv.skip),
    maxRequests: argv['max-requests'] ?? null,
    path: argv.path ?? null,
  };
  const named = namedTarget(argv);
  const served =
    named === null ? await startEmbedded() : { target: named, close: () => Promise.resolve() };
  const { target, close } = served;
  const world = 'reference' in served ? served.reference.world : undefined;
  let held: HeldFolder | undefined;
  try {
    const last = await lastOf(argv, output, named);
    const asked = {
      ...selected,
      profile: argv.profile ?? last?.profile ?? ('standard' satisfies Profile),
      seed: seedOf(argv, last),
      ...(last !== undefined && { only: last.only, wrong: last.wrong, spared: last.spared }),
    };
    const startedAt = new Date();
    const salt = randomBytes(16).toString('hex');
    const journal = path.join(output, JOURNAL_FILE);
    // Before opening the journal: the existing one may belong to a run in progress.
    held = await holdFolder(output, RUN);
    const { release } = held;
    const reference = named === null;
    const header = journalHeader({ ...asked, target, reference, salt, startedAt });
    const moved = await beginJournal(journal, header);
    return {
      run: {
        ...asked,
        target,
        reference,
        named: namedFile(argv),
        startedAt,
        journal: { path: journal, salt },
        // The embedded server is a new one each time.
        earlierRows: reference ? [] : await earlierRows(output, target.baseUrl, baseline),
      },
      output,
      journal,
      cost: () => counted(asked, named, world),
      said: [
        ...held.said,
        ...(last === undefined ? [] : [lastWords(last)]),
        ...(moved === null
          ? []
          : [`The folder contained an interrupted run; its journal was renamed to ${moved}.`]),
      ],
      close: () => close().finally(release),
    };
  } catch (error) {
    held?.release();
    await close();
    throw error;
  }
}

async function resumed(
  argv: RunArguments,
  folder: string,
  baseline: Results | undefined,
): Promise<Start> {
  const from = path.basename(folder) === JOURNAL_FILE ? path.dirname(folder) : folder;
  mustBeFree(from, true);
  const output = argv.output ?? from;
  // Before reading the journal: if two processes resume the same run, the slower one would truncate the answers of the
  // other. A folder that does not exist is not created for a run that cannot be resumed.
  let held = existsSync(output) ? await holdFolder(output, RUN) : undefined;
  try {
    const maxAgeMs = durationOf('--resume-max-age', argv['resume-max-age']);
    const interrupted = await readInterrupted(folder, { maxAgeMs, now: Date.now() });
    const { header, known } = interrupted;
    const isNamed = namesTarget(argv);
    const target = targetOf(isNamed ? argv : { ...argv, 'base-url': header.baseUrl });
    warnInsecure(target);
    const { settings } = header;
    const asked = {
      profile: argv.profile ?? (header.profile as Profile),
      seed: argv.seed ?? header.seed,
      only: argv.only === undefined ? settings.only : listOf(argv.only),
      skip: argv.skip === undefined ? settings.skip : listOf(argv.skip),
      maxRequests: argv['max-requests'] ?? settings.maxRequests,
      path: argv.path ?? settings.path,
    };
    mustFit(interrupted, { ...asked, target });
    const journal = path.join(output, JOURNAL_FILE);
    held ??= await holdFolder(output, RUN);
    if (path.resolve(journal) !== path.resolve(interrupted.file)) {
      await copyFile(interrupted.file, journal);
    }
    await removeRemainders(output);
    await continueJournal(journal, interrupted.bytes);
    const { known: answers, again } = countKnown(known);
    const unseen = again === 0 ? '' : `; ${again} in flight or incomplete will be repeated`;
    return {
      run: {
        ...asked,
        target,
        reference: false,
        named: namedFile(argv),
        ...(header.wrong !== undefined && { wrong: header.wrong }),
        known,
        resumed: interrupted.resumed + 1,
        startedAt: new Date(header.startedAt),
        journal: { path: journal, salt: header.salt },
        earlierRows: await earlierRows(output, target.baseUrl, baseline),
      },
      output,
      journal,
      cost: () => counted(asked, target),
      said: [...held.said, `Resuming ${folder}: ${answers} responses recorded${unseen}.`],
      close: held.release,
    };
  } catch (error) {
    held?.release();
    throw error;
  }
}

async function replayed(argv: RunArguments, given: string): Promise<Start> {
  const file = await resultsFile(given);
  const recorded = await readRecordedRun(file);
  const { settings } = recorded;
  if (settings !== null && (argv['base-url'] ?? argv.target) !== undefined) {
    throw new UsageError(
      '--base-url and --target cannot be combined with --replay: the recording already contains the settings of its run.',
      'Remove them. A replay sends no requests.',
    );
  }
  const only = argv.only === undefined ? (settings?.only ?? []) : patternsOf('--only', argv.only);
  const skip = argv.skip === undefined ? (settings?.skip ?? []) : patternsOf('--skip', argv.skip);
  const output = argv.output ?? newOutput();
  const target = settings === null ? described(argv, recorded.target) : recorded.target;
  const held = await holdFolder(output, RUN);
  return {
    run: {
      target,
      reference: recorded.reference,
      named: settings === null ? namedFile(argv) : recorded.named,
      profile: argv.profile ?? recorded.profile ?? 'full',
      seed: argv.seed ?? recorded.seed ?? 1,
      only,
      skip,
      maxRequests: argv['max-requests'] ?? settings?.maxRequests ?? null,
      path: argv.path ?? settings?.path ?? null,
      known: recorded.known,
      startedAt: recorded.recordedAt,
      recording: path.basename(file),
      ...(recorded.facts !== null && { recordedFacts: recorded.facts }),
    },
    output,
    journal: null,
    cost: () => Promise.resolve(null),
    said: [...held.said, 'Replaying recorded responses; no requests are sent.'],
    close: held.release,
  };
}

/** Adds fixtures, limits and envelope of a target file to a recording without settings. */
function described(argv: RunArguments, recorded: Target): Target {
  const named = argv.target === undefined ? null : namedTarget(argv);
  if (named === null) return recorded;
  const { fixtures, limits, envelope, auth } = named;
  return { ...recorded, fixtures, limits, envelope, auth };
}

/**
 * Counts the requests of a run by rehearsing it. For a complete run against the embedded server this is skipped,
 * because it would take a quarter of the time of the run.
 * @param target null for the embedded server
 */
async function counted(
  asked: Omit<CostOptions, 'target' | 'world'>,
  target: Target | null,
  world?: World,
): Promise<Cost | null> {
  if (target === null && asked.only.length === 0) return null;
  return costOfRun({ ...asked, target, ...(world !== undefined && { world }) });
}

/** Removes temporary files that the interrupted run left behind. */
async function removeRemainders(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (/\.[0-9a-f]{12}\.tmp$/.test(name)) await rm(path.join(folder, name), { force: true });
  }
}
