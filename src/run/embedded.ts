import type { Reference } from '../reference/reference.ts';
import type { Deployment } from '../reference/worlds/worlds.ts';
import type { Target } from '../target/target.ts';

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
}

/** Window of a server whose clock cannot be moved, ms: short, but some times the second by which announcements may differ. */
const REAL_WINDOW_MS = 5000;

/**
 * Starts the reference server on a free port of loopback. Its clock is moved instead of waited for, unless the
 * deployment says otherwise.
 */
export async function startEmbedded(options: EmbeddedOptions = {}): Promise<Embedded> {
  const [{ createReference, movableClock, systemClock }, { resolveTarget }] = await Promise.all([
    import('../reference/reference.ts'),
    import('../target/resolve-target.ts'),
  ]);
  const { deployment } = options;
  const realTime = deployment?.realTime === true;
  const reference = createReference({
    seed: options.seed ?? 1,
    clock: realTime ? systemClock : movableClock(deployment?.start ?? options.now),
    control: !realTime,
    faults: options.faults ?? [],
    variants: [...(options.variants ?? []), ...(deployment?.variants ?? [])],
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
