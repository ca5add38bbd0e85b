import type { Requirement } from '../requirements/catalogue.ts';
import { listFaults } from '../reference/catalog.ts';
import { readKilledBy } from '../run/proof.ts';
import { checksOf } from '../suite/checks.ts';

/** The checks and faults of a requirement. */
export interface Evidence {
  /** Its checks in a run. */
  readonly checks: readonly { readonly check: string; readonly profile: string }[];
  /** Faults of the reference server that turn it red. */
  readonly faults: readonly string[];
  /** True when the proof has confirmed it. */
  readonly proven: boolean;
}

/** Returns a lookup for the checks and faults of a requirement. */
export function evidence(): (requirement: Requirement) => Evidence {
  const proof = readKilledBy();
  const meant = new Map<string, string[]>();
  for (const { id, kills } of listFaults()) {
    for (const killed of kills) meant.set(killed, [...(meant.get(killed) ?? []), id]);
  }
  return (requirement) => ({
    checks: checksOf(requirement).map(({ check: { label }, profile }) => ({
      check: label ?? requirement.title,
      profile,
    })),
    faults: proof?.[requirement.id] ?? meant.get(requirement.id) ?? [],
    proven: proof?.[requirement.id] !== undefined,
  });
}
