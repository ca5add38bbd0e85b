import { MINUTE } from '../spec/time.ts';
import type { MovableClock } from '../reference/clock.ts';
import type { Reference, ServerOptions } from '../reference/server.ts';
import type { World } from '../reference/world.ts';
import type { Deployment } from '../reference/worlds/worlds.ts';
import type { LocalService, Target } from '../target/target.ts';

/** The reference server inside this process, and the target that describes it. */
export interface Embedded {
  readonly target: Target;
  readonly reference: Reference;
  close(): Promise<void>;
}

export interface EmbeddedOptions {
  readonly seed?: number;
  readonly faults?: readonly string[];
  readonly variants?: readonly string[];
  /** Another honest deployment than the plain one. */
  readonly deployment?: Deployment;
  /** How many of the valid keys the target gets; all by default. */
  readonly validKeys?: number;
  /** Time that its clock starts from, epoch ms; the system's by default. */
  readonly now?: number;
  /** Data of the seed that were made before; new ones by default. */
  readonly world?: World;
}

/** Window of a server whose clock cannot be moved, ms: short, but some times the second by which announcements may differ. */
const REAL_WINDOW_MS = 5000;

/**
 * Starts the reference server on a free port of loopback. Its clock is moved instead of waited for, unless the
 * deployment says otherwise.
 */
export async function startEmbedded(options: EmbeddedOptions = {}): Promise<Embedded> {
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
 * The reference server as it is by default, without a socket: the target that describes it answers by itself. For whoever
 * looks at what is sent, and never at connections.
 *
 * @param world data that were made before; made anew by default, which takes a good part of the time of a rehearsal
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
 * The target that describes a reference server, which answers within this process.
 *
 * @param clock the clock of the server: whoever asks moves it instead of waiting
 */
export async function localTarget(reference: Reference, clock: MovableClock): Promise<Target> {
  const { resolveTarget } = await import('../target/file/resolve-target.ts');
  const target = resolveTarget({ env: {}, file: reference.targetFile(NOWHERE) });
  const control = target.clock && new URL(target.clock.control).pathname;
  const service: LocalService = ({ path, body, ...request }) => {
    if (path === control) {
      const { advanceMs } = JSON.parse(body ?? '{}') as { readonly advanceMs?: number };
      clock.advance(advanceMs ?? 0);
      const told = Buffer.from(JSON.stringify({ now: clock.now() }));
      return { status: 200, headers: ['content-type', 'application/json'], body: told };
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
 * Time that a rehearsal starts from, epoch ms: today, but never at the end of a minute. What falls on both sides of the
 * edge of a window, or of data that moves on, is asked again: chance that no two plans would share.
 */
export const planningTime = (now = Date.now()): number => now - (now % MINUTE) + EARLY_MS;

/** Within a minute, ms. */
const EARLY_MS = 5000;

/** Base URL of what has no address: nothing listens on port 1, should anybody try. */
const NOWHERE = 'http://127.0.0.1:1/v1';

/** A server with the faults and variants that are named; the catalogue of them is loaded when there are some. */
async function createNamed(
  { faults = [], variants: named = [], deployment }: EmbeddedOptions,
  options: ServerOptions,
): Promise<Reference> {
  const variants = [...named, ...(deployment?.variants ?? [])];
  if (faults.length + variants.length === 0) {
    const { createServer } = await import('../reference/server.ts');
    return createServer(options);
  }
  const { createReference } = await import('../reference/reference.ts');
  return createReference({ ...options, faults, variants });
}
