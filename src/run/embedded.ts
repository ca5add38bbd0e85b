import type { Reference } from '../reference/reference.ts';
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
  /** How many of the valid keys the target gets; all unless told. */
  readonly validKeys?: number;
  /** Time that its clock starts from, epoch ms; the system's unless told. */
  readonly now?: number;
}

/** Starts the reference server on a free port of loopback. Its clock is moved instead of waited for. */
export async function startEmbedded(options: EmbeddedOptions = {}): Promise<Embedded> {
  const [{ createReference, movableClock }, { resolveTarget }] = await Promise.all([
    import('../reference/reference.ts'),
    import('../target/resolve-target.ts'),
  ]);
  const reference = createReference({
    seed: options.seed ?? 1,
    clock: movableClock(options.now),
    control: true,
    faults: options.faults ?? [],
    variants: options.variants ?? [],
  });
  const listening = await reference.listen();
  const file = reference.targetFile(listening.baseUrl);
  const valid = file.keys.valid.slice(0, options.validKeys ?? file.keys.valid.length);
  const target = resolveTarget({ env: {}, file: { ...file, keys: { ...file.keys, valid } } });
  return { target, reference, close: () => listening.close() };
}
