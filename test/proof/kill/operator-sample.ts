import type { listOperatorFaults } from '#src/reference/catalog.ts';
import { generator } from './random.ts';

type OperatorFault = ReturnType<typeof listOperatorFaults>[number];

/**
 * Draws `count` faults so that every operator on every endpoint has its turn before any has a second one. The same seed
 * draws the same faults.
 */
export function sampleOperators(
  faults: readonly OperatorFault[],
  count: number,
  seed: number,
): readonly OperatorFault[] {
  const random = generator(seed);
  const strata = new Map<string, OperatorFault[]>();
  for (const fault of faults) {
    const name = `${fault.operator} ${fault.endpoint ?? ''}`;
    const stratum = strata.get(name);
    if (stratum === undefined) strata.set(name, [fault]);
    else stratum.push(fault);
  }
  const open = shuffled([...strata.values()], random).map((stratum) => shuffled(stratum, random));
  const drawn: OperatorFault[] = [];
  for (let round = 0; drawn.length < Math.min(count, faults.length); round += 1) {
    for (const stratum of open) {
      const fault = stratum[round];
      if (fault !== undefined && drawn.length < count) drawn.push(fault);
    }
  }
  return drawn;
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map((value) => ({ value, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ value }) => value);
}
