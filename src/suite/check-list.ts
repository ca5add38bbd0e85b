import type { SuiteInput } from '../ask/input.ts';
import { leftOut } from './asking.ts';
import { checksInOrder, nameOf, type BoundCheck } from './checks.ts';
import type { CheckMeta } from './outcome.ts';
import { metaOf } from './requirement.ts';

type Outcome = NonNullable<CheckMeta['outcome']>;

/**
 * The checks of a run in their order. Those that it leaves out are not registered as tests, because to skip hundreds of them
 * takes longer than a small run; they are told between the tests instead.
 */
export class CheckList {
  /** The checks to register. */
  readonly asked: readonly BoundCheck[];
  readonly #all: readonly (readonly [bound: BoundCheck, outcome: Outcome | null])[];
  readonly #tell: (meta: CheckMeta) => void;
  #next = 0;

  /** @param tell receives the checks that the run leaves out */
  constructor(input: SuiteInput, tell: (meta: CheckMeta) => void) {
    this.#all = checksInOrder().map((bound) => {
      const why = leftOut(bound, input);
      return [bound, why === undefined ? null : { kind: 'untested', ...why }];
    });
    this.asked = this.#all.flatMap(([bound, outcome]) => (outcome === null ? [bound] : []));
    this.#tell = tell;
  }

  /** How many the run leaves out. */
  get leftOut(): number {
    return this.#all.length - this.asked.length;
  }

  /** Tells of those that are left out before a check, which begins. */
  passTo(name: string): void {
    for (; this.#next < this.#all.length; this.#next += 1) {
      const [bound, outcome] = this.#all[this.#next] ?? [];
      if (bound !== undefined && nameOf(bound) === name) return;
      if (bound !== undefined && outcome != null) this.#tell({ ...metaOf(bound), outcome });
    }
  }

  /** Tells of the rest of them; without an outcome where the run was interrupted before it came to them. */
  passRest(interrupted: boolean): void {
    for (const [bound, outcome] of this.#all.slice(this.#next)) {
      if (outcome !== null) this.#tell({ ...metaOf(bound), ...(!interrupted && { outcome }) });
    }
    this.#next = this.#all.length;
  }
}
