import type { Requirement } from '../requirements/catalogue.ts';
import { listFaults } from '../reference/catalog.ts';
import { readKilledBy } from '../run/proof.ts';
import { createRunner } from '../run/vitest-runner.ts';
import type { CheckMeta } from '../suite/outcome.ts';

/** What stands behind a requirement. */
export interface Evidence {
  /** Checks of the suites; null when they were not collected. */
  readonly checks: readonly { readonly check: string; readonly profile: string }[] | null;
  /** Faults of the reference server that turn it red. */
  readonly faults: readonly string[];
  /** True when a proof file says that they did; false when they are only meant to. */
  readonly proven: boolean;
}

/**
 * Finds the checks and faults behind requirements.
 * @throws SuiteFailure when the suites cannot be collected
 */
export async function evidenceOf(
  requirements: readonly Requirement[],
  withChecks: boolean,
): Promise<(requirement: Requirement) => Evidence> {
  const proof = readKilledBy();
  const meant = new Map<string, string[]>();
  for (const { id, kills } of listFaults()) {
    for (const killed of kills) meant.set(killed, [...(meant.get(killed) ?? []), id]);
  }
  const wanted = new Set<string>(requirements.map(({ id }) => id));
  const collected = withChecks ? await collect(wanted) : null;
  return ({ id }) => ({
    checks:
      collected
        ?.filter(({ requirement }) => requirement === id)
        .map(({ check, profile }) => ({ check, profile })) ?? null,
    faults: proof?.[id] ?? meant.get(id) ?? [],
    proven: proof?.[id] !== undefined,
  });
}

async function collect(wanted: ReadonlySet<string>): Promise<readonly CheckMeta[]> {
  const runner = await createRunner();
  try {
    return (await runner.collect()).filter(({ requirement }) => wanted.has(requirement));
  } finally {
    await runner.close();
  }
}
