import type { SuiteInput } from '../ask/input.ts';
import { leftOut } from './asking.ts';
import { checksInOrder, nameOf, type BoundCheck } from './checks.ts';
import type { CheckMeta } from './outcome.ts';
import { metaOf } from './requirement.ts';

type Outcome = NonNullable<CheckMeta['outcome']>;

/**
 * The checks of a run in their order. Those that it leaves out are not registered as tests, because to skip hundreds of them
 * takes longer than a small run; they are told between the tests instead.
 * @param tell receives the checks that the run leaves out
 */
export function checkList(input: SuiteInput, tell: (meta: CheckMeta) => void) {
  const all = checksInOrder().map((bound): readonly [BoundCheck, Outcome | null] => {
    const why = leftOut(bound, input);
    return [bound, why === undefined ? null : { kind: 'untested', ...why }];
  });
  const asked = all.flatMap(([bound, outcome]) => (outcome === null ? [bound] : []));
  let rest = all;
  return {
    /** The checks to register. */
    asked,
    /** How many the run leaves out. */
    leftOut: all.length - asked.length,
    /** Tells of those that are left out before a check, which begins. */
    passTo(name: string): void {
      const begins = rest.findIndex(([bound]) => nameOf(bound) === name);
      const passed = rest.slice(0, begins === -1 ? rest.length : begins);
      rest = rest.slice(passed.length);
      for (const [bound, outcome] of passed) {
        if (outcome !== null) tell({ ...metaOf(bound), outcome });
      }
    },
    /** Tells of the rest of them; without an outcome where the run was interrupted before it came to them. */
    passRest(interrupted: boolean): void {
      for (const [bound, outcome] of rest.splice(0)) {
        if (outcome !== null) tell({ ...metaOf(bound), ...(!interrupted && { outcome }) });
      }
    },
  };
}
