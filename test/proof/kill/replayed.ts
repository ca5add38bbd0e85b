import { requirementOf, isRequirementId } from '#src/requirements/catalogue.ts';
import type { Outcome } from '#src/report/model/results.ts';
import type { Facts } from '#src/rules/facts.ts';
import type { Judgement } from '#src/rules/judgement.ts';
import { faultsNamed } from '#src/reference/catalog.ts';
import { judgeAll } from '#src/requirements/judging.ts';
import { startEmbedded } from '#src/run/embedded.ts';
import { beyondReplay } from './beyond-replay.ts';
import { freshAfter, type FreshAmong } from './fresh.ts';
import { Replay } from './replay.ts';
import { TRADING_DAY } from './deployments.ts';
import { runSuitesOn } from './suite-run.ts';
import type { ProofResult, ProofTask } from './task.ts';

/**
 * What a clean run asked, asked of a faulty server in this process, and judged by all rules. It costs a small part of a
 * run, and what it sees a run sees as well: that asks the same. A run may see more, since its checks follow up what they
 * are told.
 */
export class ReplayedRun {
  readonly #facts: Facts;
  readonly #replay: Replay;
  readonly #isFresh: FreshAmong;

  private constructor({ replay, facts }: CleanRun) {
    this.#facts = facts;
    this.#replay = replay;
    this.#isFresh = freshAfter(replay.clean, facts);
  }

  /**
   * Runs the suites once against the server without faults.
   * @throws Error when its answers, given again, are not judged as clean
   */
  static async of(task: Pick<ProofTask, 'profile' | 'validKeys' | 'seed'>): Promise<ReplayedRun> {
    const clean = await cleanRun(task);
    const red = redIn(judgeAll(clean.replay.clean, clean.facts));
    if (red.size > 0)
      throw new Error(`The clean run, replayed, is red: ${[...red.keys()].join(', ')}`);
    return new ReplayedRun(clean);
  }

  /** What the rules find with the faults of a task, as the result of a run. */
  prove(task: ProofTask): ProofResult {
    const started = Date.now();
    const { exchanges, beyond } = this.#replay.answered(task.faults);
    const red = redIn(judgeAll(exchanges, this.#facts, this.#isFresh(exchanges)));
    const needsRun = faultsNamed(task.faults).map(beyondReplay).find(isString) ?? beyond;
    const outcomes = Object.fromEntries(
      [...red.keys()].map((id): [string, Outcome] => [
        id,
        levelOf(id) === 'must' ? 'failed' : 'warned',
      ]),
    );
    const violated = Object.values(outcomes).includes('failed');
    return {
      task,
      verdict: violated ? 'violates' : 'conforms',
      exitCode: violated ? 1 : 0,
      sentence: 'A clean run was replayed.',
      outcomes,
      reasons: Object.fromEntries(red),
      evidence: {},
      validRequests: exchanges.filter(({ role }) => role === 'valid').length,
      ms: Date.now() - started,
      ...(needsRun !== null && { needsRun }),
    };
  }
}

/** A run against the server without faults, to be asked again of others. */
export interface CleanRun {
  readonly replay: Replay;
  readonly facts: Facts;
}

/** Runs the suites once against the server without faults. */
export async function cleanRun({
  profile,
  validKeys,
  seed,
}: Pick<ProofTask, 'profile' | 'validKeys' | 'seed'>): Promise<CleanRun> {
  const embedded = await startEmbedded({ validKeys, seed: 1, now: TRADING_DAY });
  try {
    const { exchanges, facts: told } = await runSuitesOn(embedded.target, { profile, seed });
    if (told === undefined) throw new Error('The clean run knows nothing of its target.');
    const facts = told as Facts;
    return { replay: new Replay(exchanges, facts, embedded.reference), facts };
  } finally {
    await embedded.close();
  }
}

/** Requirements that the rules turn red, with what they say. */
export function redIn({ requirements }: Judgement): ReadonlyMap<string, string> {
  return new Map(
    [...requirements].flatMap(
      ([
        id,
        {
          findings: [first],
        },
      ]): [string, string][] =>
        first === undefined || levelOf(id) === 'observe' ? [] : [[id, first.message]],
    ),
  );
}

const levelOf = (id: string) => (isRequirementId(id) ? requirementOf(id).level : 'observe');
const isString = (value: string | null): value is string => value !== null;
