import { fork, type ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { startIndependent } from '../independent/server.ts';
import { movableClock } from '#src/reference/clock.ts';
import { createWorld } from '#src/reference/data/world.ts';
import { deploymentOf } from '#src/reference/choices/worlds.ts';
import { createReference } from '#src/reference/reference.ts';
import { localTarget, startEmbedded } from '#src/run/embedded.ts';
import { run } from '#src/run/run.ts';
import type { Results } from '#src/report/model/results.ts';
import type { Facts } from '#src/judge/facts.ts';
import { resolveTarget } from '#src/target/file/resolve-target.ts';
import type { Target } from '#src/target/target.ts';
import type { Profile } from '#src/ask/profiles.ts';
import { faultTask, TRADING_DAY, type ProofResult, type ProofTask } from './catalogue.ts';
import { Replay, ReplayedRun } from './replay.ts';
import type { Look } from './report.ts';

/** The data of all servers of this process: they are a function of seed and time, and worked out when asked for. */
const WORLD = createWorld(1);

/** Starts the server of a task on a free port of loopback. */
async function startDeployment(
  task: ProofTask,
): Promise<{ readonly target: Target; close(): Promise<void> }> {
  const { world } = task;
  if (task.service === 'independent') {
    const seed = world?.seed ?? 1;
    const server = await startIndependent({
      seed,
      now: TRADING_DAY,
      // Half of the worlds show how little is needed, half how much can be told.
      keys: world !== undefined && seed % 2 === 0 ? 'one' : 'all',
      fixtures: world !== undefined && seed % 4 === 1 ? 'all' : 'none',
      ...(world !== undefined && { choices: world.choices }),
      ...(task.defect !== undefined && { defect: task.defect }),
    });
    return {
      target: resolveTarget({ env: {}, file: server.target }),
      close: () => server.close(),
    };
  }
  const deployment = world && deploymentOf(world.seed, world.choices);
  if (task.inProcess === true) {
    const clock = movableClock(TRADING_DAY);
    const { variants } = task;
    const target = await localTarget(
      createReference({ clock, control: true, world: WORLD, variants }),
      clock,
    );
    const valid = target.keys.valid.slice(0, task.validKeys);
    return {
      target: { ...target, keys: { ...target.keys, valid } },
      close: () => Promise.resolve(),
    };
  }
  return startEmbedded({
    faults: task.faults,
    variants: task.variants,
    validKeys: deployment?.validKeys ?? task.validKeys,
    seed: WORLD.seed,
    world: WORLD,
    now: TRADING_DAY,
    ...(deployment && { deployment }),
  });
}

/** Runs one task on a fresh server. */
export async function prove(task: ProofTask): Promise<ProofResult> {
  if (task.replayed === true) return (await replayedRun(task)).prove(task);
  const deployment = await startDeployment(task);
  try {
    const results = await runSuitesOn(deployment.target, task);
    const notPassed = results.requirements.filter(({ outcome }) => outcome !== 'passed');
    return {
      task,
      verdict: results.verdict,
      exitCode: results.exitCode,
      sentence: results.sentence,
      outcomes: Object.fromEntries(notPassed.map(({ id, outcome }) => [id, outcome])),
      reasons: Object.fromEntries(
        notPassed.map(({ id, findings, reason }) => [id, findings[0]?.message ?? reason ?? '']),
      ),
      validRequests: results.requests.byRole.valid ?? 0,
    };
  } finally {
    await deployment.close();
  }
}

/** Runs all suites of a profile against a server of the proof. */
export function runSuitesOn(
  target: Target,
  { profile, seed }: Pick<ProofTask, 'profile' | 'seed'>,
): Promise<Results> {
  return run({
    target,
    reference: true,
    profile,
    seed,
    only: [],
    skip: [],
    maxRequests: null,
    failOn: ['must'],
  });
}

/** Runs the suites once against the server without faults, to ask the same of others. */
export async function cleanRun({
  profile,
  validKeys,
  seed,
}: Pick<ProofTask, 'profile' | 'validKeys' | 'seed'>): Promise<Replay> {
  const { seed: data } = WORLD;
  const embedded = await startEmbedded({ validKeys, seed: data, world: WORLD, now: TRADING_DAY });
  try {
    const { exchanges, facts } = await runSuitesOn(embedded.target, { profile, seed });
    if (facts === undefined) throw new Error('The clean run knows nothing of its target.');
    return new Replay(exchanges, facts as Facts, embedded.reference);
  } finally {
    await embedded.close();
  }
}

const replayedRuns = new Map<string, Promise<ReplayedRun>>();

/** The clean run of a task's profile, done once by a process. */
function replayedRun(task: ProofTask): Promise<ReplayedRun> {
  const key = `${task.profile} ${task.validKeys} ${task.seed}`;
  const started = replayedRuns.get(key) ?? cleanRun(task).then((replay) => new ReplayedRun(replay));
  replayedRuns.set(key, started);
  return started;
}

interface Message {
  readonly ready?: true;
  readonly result?: ProofResult;
  readonly error?: string;
}

export interface PoolOptions {
  /**
   * Child processes at once; one more than there are cores by default, since runs wait now and then. Tasks that mostly wait
   * allow for more.
   */
  readonly processes?: number;
  /** A run that takes longer than so many ms is ended, and its verdict is `interrupted`; unbounded by default. */
  readonly limitMs?: number;
}

/** Child processes that are kept from one call to the next. */
export interface Pool {
  /**
   * Runs tasks; results come in their order.
   * @throws Error with the name of the task when a run fails
   */
  run(
    tasks: readonly ProofTask[],
    onResult?: (result: ProofResult, done: number) => void,
  ): Promise<ProofResult[]>;
  close(): void;
}

/** What a run makes is thrown away soon: with more room for it, less is copied before that (a fifth of the time). */
const execArgv = ['--min-semi-space-size=128', '--max-semi-space-size=128'];

/** Each child process keeps its modules and schemas, so that a run costs its requests and little more. */
export function createPool({
  processes = availableParallelism() + 1,
  limitMs = Number.POSITIVE_INFINITY,
}: PoolOptions = {}): Pool {
  const children = new Set<ChildProcess>();
  const idle: ChildProcess[] = [];
  const start = async (): Promise<ChildProcess> => {
    const child = fork(fileURLToPath(import.meta.url), ['worker'], { execArgv });
    children.add(child);
    await answer(child);
    return child;
  };
  const runOne = async (child: ChildProcess, task: ProofTask): Promise<ProofResult | undefined> => {
    child.send(task);
    const message = await answer(child, limitMs);
    if (message === undefined) return undefined;
    const { result, error } = message;
    if (result === undefined) throw new Error(`Proof of "${task.name}" failed: ${error ?? ''}`);
    return result;
  };
  return {
    async run(tasks, onResult) {
      const results: ProofResult[] = [];
      let next = 0;
      let done = 0;
      const work = async (): Promise<void> => {
        let child = idle.pop() ?? (await start());
        for (let index = next++; index < tasks.length; index = next++) {
          const task = tasks[index];
          if (task === undefined) break;
          let result = await runOne(child, task);
          if (result === undefined) {
            child.kill('SIGKILL');
            children.delete(child);
            child = await start();
            result = unended(task, limitMs);
          }
          results[index] = result;
          onResult?.(result, (done += 1));
        }
        idle.push(child);
      };
      await Promise.all(Array.from({ length: Math.min(processes, tasks.length) }, work));
      return results;
    },
    close() {
      for (const child of children) if (child.connected) child.disconnect();
    },
  };
}

/** What becomes of a run that had to be ended. */
function unended(task: ProofTask, ms: number): ProofResult {
  return {
    task,
    verdict: 'interrupted',
    exitCode: 130,
    sentence: `The run did not end within ${ms / 1000} seconds.`,
    outcomes: {},
    reasons: {},
    validRequests: 0,
  };
}

/** The next message of a child; undefined when it takes longer than `limitMs`. */
function answer(
  child: ChildProcess,
  limitMs = Number.POSITIVE_INFINITY,
): Promise<Message | undefined> {
  return new Promise((resolve, reject) => {
    const end = (message: Message | undefined): void => {
      clearTimeout(timer);
      child.off('exit', onExit);
      child.off('message', onMessage);
      resolve(message);
    };
    const onMessage = (message: unknown): void => end(message as Message);
    const onExit = (code: number | null): void => {
      clearTimeout(timer);
      reject(new Error(`A worker of the proof ended with code ${String(code)}`));
    };
    const timer = Number.isFinite(limitMs) ? setTimeout(() => end(undefined), limitMs) : undefined;
    child.once('exit', onExit);
    child.once('message', onMessage);
  });
}

/** Something that is wrong on purpose. */
interface Wrong {
  readonly id: string;
  /** Set where a smaller profile need not look. */
  readonly profile?: 'full';
}

/** How faults are examined. */
interface Looking {
  /** Runs tasks and shows the progress; `what` says what they are. */
  readonly runAll: (tasks: readonly ProofTask[], what: string) => Promise<readonly ProofResult[]>;
  /** True to run every fault, whatever its replay shows. */
  readonly isRun: boolean;
}

/** Fewer faults than this are run as they are: a replay takes a clean run of its own. */
export const FEW = 20;

/**
 * Looks at faults with one profile after the other, each at what those before it did not see: at the replay of a clean
 * run first. What it shows is shown; where it changes no answer, a run would show nothing either, for it asks the same. The rest
 * is run, once for faults that change the same answers.
 */
export async function lookAt<One extends Wrong>(
  faults: readonly One[],
  shows: (fault: One, result: ProofResult) => boolean,
  profiles: readonly Profile[],
  { runAll, isRun }: Looking,
): Promise<readonly Look<One>[]> {
  const looks = new Map<string, Look<One>>();
  for (const profile of profiles) {
    const open = faults.filter(
      ({ id, profile: least = profile }) => least === profile && looks.get(id)?.seen !== true,
    );
    const tasks = open.map(({ id }) => faultTask(id, profile));
    const replays =
      isRun || open.length < FEW
        ? []
        : await runAll(
            tasks.map((task) => ({ ...task, replayed: true as const })),
            `replays, ${profile}`,
          );
    const decided = replays.map((replay, index) => {
      const fault = open[index];
      if (fault === undefined || replay.needsRun !== undefined) return undefined;
      return shows(fault, replay) || replay.effect === '' ? replay : undefined;
    });
    const keys = tasks.map(({ name }, index) => {
      const { needsRun, effect = name } = replays[index] ?? {};
      return needsRun === undefined ? effect : name;
    });
    const wanted = new Map<string, ProofTask>();
    for (const [index, task] of tasks.entries()) {
      const key = keys[index] ?? '';
      if (decided[index] === undefined && !wanted.has(key)) wanted.set(key, task);
    }
    const ran = await runAll([...wanted.values()], `runs, ${profile}`);
    const resultOf = new Map([...wanted.keys()].map((key, index) => [key, ran[index]]));
    for (const [index, fault] of open.entries()) {
      const result = decided[index] ?? resultOf.get(keys[index] ?? '');
      if (result !== undefined)
        looks.set(fault.id, { of: fault, result, seen: shows(fault, result) });
    }
  }
  return faults.flatMap((fault) => looks.get(fault.id) ?? []);
}

/** Child process of the proof: takes tasks one after the other until the parent disconnects. */
function takeTasks(): void {
  process.on('message', (task: ProofTask) => {
    prove(task).then(
      (result) => process.send?.({ result }),
      (error: unknown) =>
        process.send?.({
          error: error instanceof Error ? (error.stack ?? error.message) : String(error),
        }),
    );
  });
  process.on('disconnect', () => process.exit(0));
  process.send?.({ ready: true });
}

if (process.send !== undefined && process.argv[2] === 'worker') takeTasks();
