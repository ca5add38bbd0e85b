import { faultsNamed, variantsNamed } from './catalog.ts';
import { createServer, type Reference, type ServerOptions } from './server.ts';

export { listFaults, listVariants } from './catalog.ts';
export { manualClock, movableClock, systemClock } from './clock.ts';
export type { Reference, ReferenceAnswer, ReferenceRequest } from './server.ts';

export interface ReferenceOptions extends ServerOptions {
  /** Ids of faults, see `listFaults`. */
  readonly faults?: readonly string[];
  /** Ids of variants, see `listVariants`. */
  readonly variants?: readonly string[];
}

/** Creates a server. Throws on invalid options, with a hint in the message. */
export function createReference(options: ReferenceOptions = {}): Reference {
  return createServer(options, {
    variants: variantsNamed(options.variants ?? []),
    faults: faultsNamed(options.faults ?? []),
  });
}
