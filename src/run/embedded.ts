import { MINUTE } from '../spec/time.ts';
import type { MovableClock } from '../reference/clock.ts';
import type { Reference, ServerOptions } from '../reference/server.ts';
import type { World } from '../reference/world.ts';
import type { Deployment } from '../reference/choices/worlds.ts';
import type { LocalService, Target } from '../target/target.ts';

export interface EmbeddedOptions {
  readonly seed?: number;
  readonly faults?: readonly string[];
  readonly variants?: readonly string[];
  /** A deployment other than the default one. */
  readonly deployment?: Deployment;
  /** Number of valid keys for the target; default: all. */
  readonly validKeys?: number;
  /** Start time of its clock, epoch ms; default: now. */
  readonly now?: number;
  /** Existing data for the seed; default: generated. */
  readonly world?: World;
}

/** Window of a server with the system clock, ms: short, but several times the second of tolerance for announced times. */
const REAL_WINDOW_MS = 5000;

/**
 * Starts the reference server in this process on a free loopback port, with a target for it. Its clock is advanced
 * instead of waiting, unless the deployment uses real time.
 */
export async function startEmbedded(options: EmbeddedOptions = {}) {
  const [{ movableClock, systemClock }, { resolveTarget }] = await Promise.all([
    import('../reference/clock.ts'),
    import('../target/file/resolve-target.ts'),
  ]);
  const { deployment } = options;
  const realTime = deployment?.realTime === true;
  const reference = await createNamed(options, {
    seed: options.seed ?? 1,
    clock: realTime ? systemClock : movableClock(deployment?.start ?? options.now),
    control: !realTime,
    ...(options.world !== undefined && { world: options.world }),
    ...(realTime && { windowMs: REAL_WINDOW_MS }),
    ...(deployment !== undefined && { modifications: deployment.modifications }),
  });
  const listening = await reference.listen({ network: deployment?.network ?? {} });
  const file = reference.targetFile(listening.baseUrl);
  const valid = file.keys.valid.slice(0, options.validKeys ?? file.keys.valid.length);
  const described = { ...file, keys: { ...file.keys, valid } };
  const target = resolveTarget({
    env: {},
    file: deployment?.target(described, reference.world) ?? described,
  });
  return { target, reference, close: () => listening.close() };
}

/**
 * The default reference server without a socket: its target answers in this process. For callers that care about
 * requests and not about connections.
 * @param world existing data; generating them takes a good part of a rehearsal
 */
export async function localReference(world?: World): Promise<Target> {
  const [{ movableClock }, { createServer }] = await Promise.all([
    import('../reference/clock.ts'),
    import('../reference/server.ts'),
  ]);
  const clock = movableClock(planningTime());
  const reference = createServer({ clock, control: true, ...(world !== undefined && { world }) });
  return localTarget(reference, clock);
}

/**
 * A target that answers from a reference server in this process.
 * @param clock the clock of the server, which is advanced instead of waiting
 */
export async function localTarget(reference: Reference, clock: MovableClock): Promise<Target> {
  const { resolveTarget } = await import('../target/file/resolve-target.ts');
  const target = resolveTarget({ env: {}, file: reference.targetFile(NOWHERE) });
  const control = target.clock && new URL(target.clock.control).pathname;
  const service: LocalService = ({ path, body, ...request }) => {
    if (path === control) {
      const { advanceMs } = JSON.parse(body ?? '{}') as { readonly advanceMs?: number };
      clock.advance(advanceMs ?? 0);
      const answer = Buffer.from(JSON.stringify({ now: clock.now() }));
      return { status: 200, headers: ['content-type', 'application/json'], body: answer };
    }
    const answer = reference.handle({ ...request, path });
    return {
      status: answer.status,
      headers: Object.entries(answer.headers).flat(),
      body: Buffer.from(answer.body),
    };
  };
  return { ...target, service };
}

/**
 * Start time of a rehearsal, epoch ms: today, but never near the end of a minute. Crossing the end of a window or a
 * change of data would cause extra requests, so that plans would differ by chance.
 */
export const planningTime = (now = Date.now()): number => now - (now % MINUTE) + EARLY_MS;

const EARLY_MS = 5000;

/** Base URL of a target without a socket; nothing listens on port 1. */
const NOWHERE = 'http://127.0.0.1:1/v1';

/** A server with the given faults and variants; their catalogue is loaded only if needed. */
async function createNamed(
  { faults = [], variants = [] }: EmbeddedOptions,
  options: ServerOptions,
): Promise<Reference> {
  if (faults.length + variants.length === 0) {
    const { createServer } = await import('../reference/server.ts');
    return createServer(options);
  }
  const { createReference } = await import('../reference/reference.ts');
  return createReference({ ...options, faults, variants });
}
