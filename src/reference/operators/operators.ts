import { enumOperators } from './enums.ts';
import { errorOperators } from './errors.ts';
import { fieldOperators } from './fields.ts';
import { invisibleBecause } from './invisible.ts';
import { keyOperators } from './keys.ts';
import { limiterOperators } from './limiter.ts';
import { listOperators } from './lists.ts';
import type { OperatorFault } from './operator.ts';
import { parameterOperators } from './parameters.ts';
import { recordOperators } from './records.ts';

export type { OperatorFault } from './operator.ts';

/** Everything that the operators make, what cannot be seen from outside included. */
export const generated = (): readonly OperatorFault[] => [
  ...parameterOperators(),
  ...enumOperators(),
  ...fieldOperators(),
  ...listOperators(),
  ...recordOperators(),
  ...errorOperators(),
  ...keyOperators(),
  ...limiterOperators(),
];

let made: readonly OperatorFault[] | undefined;

/** All faults made by operators that can be seen from outside; made when they are first asked for. */
export function operatorFaults(): readonly OperatorFault[] {
  made ??= generated().filter(({ id }) => invisibleBecause(id) === undefined);
  return made;
}
