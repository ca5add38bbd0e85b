import { KEY_HEADER } from '#src/contract/limits.ts';
import { requirementOf, isRequirementId } from '#src/requirements/catalogue.ts';
import type { Exchange } from '#src/contract/exchange.ts';
import { createWorld } from '#src/reference/data/world.ts';
import { createReference, standingClock, type Reference } from '#src/reference/reference.ts';
import type { Outcome, Results } from '#src/report/results.ts';
import type { Facts } from '#src/rules/facts.ts';
import { judgeAll } from '#src/requirements/judging.ts';
import { startEmbedded } from '#src/run/embedded.ts';
import type { SuiteRunner } from '#src/run/vitest-runner.ts';
import { TRADING_DAY } from './deployments.ts';
import { runSuitesOn } from './suite-run.ts';
import type { ProofResult, ProofTask } from './task.ts';

/**
 * What a clean run asked, asked of a faulty server in this process, and judged by all rules. It costs a small part of a
 * run, and what it sees a run sees as well: that asks the same. A run may see more, since its checks follow up what they
 * are told.
 */
export class ReplayedRun {
  readonly #exchanges: readonly Exchange[];
  readonly #facts: Facts;
  readonly #keyOf: (exchange: Exchange) => string | null;
  readonly #world = createWorld(1);

  private constructor({ exchanges, facts }: Results, { keys }: Reference) {
    if (facts === undefined) throw new Error('The clean run knows nothing of its target.');
    this.#exchanges = exchanges;
    this.#facts = facts as Facts;
    const valid = [
      ...new Set(
        exchanges.flatMap(({ role, key }) => (role === 'valid' && key !== null ? [key] : [])),
      ),
    ];
    this.#keyOf = ({ role, key }) =>
      ({
        valid: keys.valid[valid.indexOf(key ?? '')] ?? keys.valid[0] ?? '',
        disabled: keys.disabled,
        expired: keys.expired,
        restricted: keys.restricted.key,
        nearQuota: keys.nearQuota.key,
        unknown: 'no-such-key',
        none: null,
      })[role];
  }

  /**
   * Runs the suites once against the server without faults.
   * @throws Error when its answers, given again, are not judged as clean
   */
  static async of(
    { profile, validKeys, seed }: Pick<ProofTask, 'profile' | 'validKeys' | 'seed'>,
    runner: SuiteRunner,
  ): Promise<ReplayedRun> {
    const embedded = await startEmbedded({ validKeys, seed: 1, now: TRADING_DAY });
    try {
      const results = await runSuitesOn(embedded.target, { profile, seed }, runner);
      const replayed = new ReplayedRun(results, embedded.reference);
      const red = replayed.#redWith([]);
      if (red.size > 0)
        throw new Error(`The clean run, replayed, is red: ${[...red.keys()].join(', ')}`);
      return replayed;
    } finally {
      await embedded.close();
    }
  }

  /** What the rules find with the faults of a task, as the result of a run. */
  prove(task: ProofTask): ProofResult {
    const started = Date.now();
    const red = this.#redWith(task.faults);
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
      validRequests: this.#exchanges.filter(({ role }) => role === 'valid').length,
      ms: Date.now() - started,
    };
  }

  /** Requirements that the rules turn red, with what they say. */
  #redWith(faults: readonly string[]): ReadonlyMap<string, string> {
    const { requirements } = judgeAll(this.#answered(faults), this.#facts);
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

  /** The exchanges of the clean run with the answers of a server with faults, at the same times. */
  #answered(faults: readonly string[]): Exchange[] {
    const clock = standingClock(TRADING_DAY);
    const { requests, windowMs } = this.#facts.limits;
    const server = createReference({
      clock,
      world: this.#world,
      limit: requests,
      windowMs,
      faults,
    });
    return this.#exchanges.map((exchange) => {
      if (exchange.response === null) return exchange;
      clock.advance(Math.max(0, Math.round(exchange.sentAt + exchange.skewMs) - clock.now()));
      const { pathname, search } = new URL(exchange.request.url);
      const key = this.#keyOf(exchange);
      const { status, headers, body } = server.handle({
        method: exchange.request.method,
        path: `${pathname}${search}`,
        headers: Object.fromEntries(
          Object.entries(exchange.request.headers).flatMap(([name, value]) =>
            name.toLowerCase() !== KEY_NAME ? [[name, value]] : key === null ? [] : [[name, key]],
          ),
        ),
      });
      const text = body ?? '';
      return {
        ...exchange,
        response: { ...exchange.response, status, headers, text, bytes: Buffer.byteLength(text) },
      };
    });
  }
}

const KEY_NAME = KEY_HEADER.toLowerCase();

const levelOf = (id: string) => (isRequirementId(id) ? requirementOf(id).level : 'observe');
