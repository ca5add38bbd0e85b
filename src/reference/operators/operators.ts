import { ENUM_OPERATORS } from './enums.ts';
import { FIELD_OPERATORS } from './fields.ts';
import { invisibleBecause } from './invisible.ts';
import type { OperatorFault } from './operator.ts';
import { PARAMETER_OPERATORS } from './parameters.ts';

export type { OperatorFault } from './operator.ts';

/** Everything that the operators make, with what cannot be seen from outside. */
export const GENERATED: readonly OperatorFault[] = [
  ...PARAMETER_OPERATORS,
  ...ENUM_OPERATORS,
  ...FIELD_OPERATORS,
];

/** All faults made by operators that can be seen from outside. */
export const OPERATOR_FAULTS: readonly OperatorFault[] = GENERATED.filter(
  ({ id }) => invisibleBecause(id) === undefined,
);
