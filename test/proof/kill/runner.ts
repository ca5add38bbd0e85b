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
import { forkPool, takeTasks, type Pool } from './pool.ts';
import { provingBy, Replay } from './replay.ts';
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
  const deployment = world && deploymentOf(world.choices);
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
  if (task.replayed === true) return (await replayedRun(task))(task);
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

const replayedRuns = new Map<string, Promise<ReturnType<typeof provingBy>>>();

/** What proves by the clean run of a task's profile, which is done once by a process. */
function replayedRun(task: ProofTask): Promise<ReturnType<typeof provingBy>> {
  const key = `${task.profile} ${task.validKeys} ${task.seed}`;
  const started = replayedRuns.get(key) ?? cleanRun(task).then(provingBy);
  replayedRuns.set(key, started);
  return started;
}

/** Processes that prove tasks; a run that takes longer than `limitMs` is ended, and its verdict is `interrupted`. */
export const createPool = (limitMs?: number): Pool<ProofTask, ProofResult> =>
  forkPool(
    import.meta.filename,
    limitMs === undefined ? undefined : { ms: limitMs, unended: (task) => unended(task, limitMs) },
  );

const unended = (task: ProofTask, ms: number): ProofResult => ({
  task,
  verdict: 'interrupted',
  exitCode: 130,
  sentence: `The run did not end within ${ms / 1000} seconds.`,
  outcomes: {},
  reasons: {},
  validRequests: 0,
});

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

if (process.argv[1] === import.meta.filename) takeTasks(prove);
