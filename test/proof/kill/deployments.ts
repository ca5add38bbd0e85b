import { DEFECTS } from '../independent/defects/index.ts';
import { startIndependent } from '../independent/server.ts';
import { draw } from '../independent/worlds/world.ts';
import { createWorld } from '#src/reference/data/world.ts';
import { deploymentOf, drawWorld, type WorldChoices } from '#src/reference/worlds/worlds.ts';
import { startEmbedded } from '#src/run/embedded.ts';
import { resolveTarget } from '#src/target/resolve-target.ts';
import type { Target } from '#src/target/target.ts';
import type { ProofTask } from './task.ts';

/** Which service a proof runs against: the reference, or the one written by a hand that never saw the checks. */
export type Service = 'reference' | 'independent';

/**
 * Where the clock of the server starts: a Wednesday afternoon with both markets' last month free of surprises, so that an
 * unsettled row is there, and with Labor Day in that month, so that a holiday is.
 */
export const TRADING_DAY = Date.UTC(2026, 8, 9, 15);

/** A server that a proof runs against. */
export interface Standing {
  readonly target: Target;
  close(): Promise<void>;
}

/** The data of all servers of this process: they are a function of seed and time, and worked out when asked for. */
const WORLD = createWorld(1);

/** Starts the server of a task on a free port of loopback. */
export async function startDeployment(task: ProofTask): Promise<Standing> {
  const { world } = task;
  if (task.service === 'independent') {
    const seed = world?.seed ?? 1;
    const server = await startIndependent({
      seed,
      drawn: false,
      now: TRADING_DAY,
      // Half of the worlds show how little is needed, half how much can be told.
      keys: world !== undefined && seed % 2 === 0 ? 'one' : 'all',
      fixtures: world !== undefined && seed % 4 === 1 ? 'all' : 'none',
      ...(world === undefined ? {} : { choices: world.choices }),
      ...(task.defect === undefined ? {} : { defect: task.defect }),
    });
    return {
      target: resolveTarget({ env: {}, file: server.target }),
      close: () => server.close(),
    };
  }
  const deployment = world && deploymentOf(world.seed, world.choices);
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

/** The choices of the world of a seed. `forced` ones are made whatever the seed says. */
export function drawDeployment(
  service: Service,
  seed: number,
  forced: WorldChoices = {},
): WorldChoices {
  return service === 'reference' ? drawWorld(seed, forced) : { ...draw(seed), ...forced };
}

/** Latency from which on a world mostly waits, ms. */
const SLOW_MS = 20;

/** True for a deployment that waits more than it computes, so that many can run beside each other. */
export function mostlyWaits({ service, world }: ProofTask): boolean {
  if (world === undefined) return false;
  if (service === 'independent') return Number(world.choices['latency'] ?? 0) >= SLOW_MS;
  const { latencyMs, realTime } = deploymentOf(world.seed, world.choices);
  return latencyMs >= SLOW_MS || realTime;
}

/**
 * Choices of the independent service that leave a should aside: keys of details (ruling 10), the exact code for an
 * unknown country (ruling 9), the limit of an ETF history (ruling 4), a listing without recent rows.
 */
const LEAVES_ASIDE: Readonly<Record<string, readonly string[]>> = {
  'details=sparse': ['7/validation-details', '7/details-keys', '7/not-found-details'],
  'unknown-country=format': ['4.3/country-enum-code'],
  'etf-limit=ignored': ['4.4/limit-exact', '4.4/limit-part'],
  'etf-closed=some-lately': ['4.3/recent', '4.4/recent'],
  'etf-closed=some-long-ago': ['4.3/recent', '4.4/recent'],
  'etf-closed=whole-listing': ['4.3/recent', '4.4/recent'],
};

/** True when a deployment leaves this should aside on purpose. */
export function mayWarn({ service, world }: ProofTask, requirement: string): boolean {
  if (world === undefined) return false;
  if (service === 'independent') {
    return Object.entries(world.choices).some(
      ([name, value]) => LEAVES_ASIDE[`${name}=${value}`]?.includes(requirement) === true,
    );
  }
  return deploymentOf(world.seed, world.choices).warns.includes(requirement);
}

/** Defects of the independent service, each as a run of a profile. */
export function defectTasks(profile: ProofTask['profile'], ids: readonly string[]): ProofTask[] {
  const wanted = DEFECTS.filter(
    ({ id }) => ids.length === 0 || ids.some((start) => id.startsWith(start)),
  );
  return wanted.map(({ id }) => ({
    name: `defect ${id}, ${profile}`,
    faults: [],
    variants: [],
    profile,
    validKeys: 2,
    seed: 1,
    service: 'independent',
    defect: id,
  }));
}
