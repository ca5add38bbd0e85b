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

/** All generated faults, including undetectable ones. */
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

/** All detectable generated faults, created on demand. */
export function operatorFaults(): readonly OperatorFault[] {
  made ??= generated().filter(({ id }) => invisibleBecause(id) === undefined);
  return made;
}
