import { startDeployment } from './deployments.ts';
import { evidenceOf } from './floor.ts';
import { ReplayedRun } from './replayed.ts';
import { runSuitesOn } from './suite-run.ts';
import type { ProofResult, ProofTask } from './task.ts';

/** Runs one task on a fresh server. */
export async function prove(task: ProofTask): Promise<ProofResult> {
  if (task.replayed === true) return (await replayedRun(task)).prove(task);
  const started = Date.now();
  const standing = await startDeployment(task);
  try {
    const results = await runSuitesOn(standing.target, task);
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
      evidence: evidenceOf(results),
      validRequests: results.requests.byRole.valid ?? 0,
      ms: Date.now() - started,
    };
  } finally {
    await standing.close();
  }
}

const replayedRuns = new Map<string, Promise<ReplayedRun>>();

/** The clean run of a task's profile, done once by a process. */
async function replayedRun(task: ProofTask): Promise<ReplayedRun> {
  const key = `${task.profile} ${task.validKeys} ${task.seed}`;
  const started = replayedRuns.get(key) ?? ReplayedRun.of(task);
  replayedRuns.set(key, started);
  return started;
}

/** Child process of the proof: takes tasks one after the other until the parent disconnects. */
function main(): void {
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

if (process.send !== undefined && process.argv[2] === 'worker') main();
