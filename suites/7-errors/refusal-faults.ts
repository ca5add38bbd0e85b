import { ERRORS, type ErrorName } from '../../src/spec/error-codes.ts';
import type { Answer, Hooks } from '../../src/reference/hooks.ts';
import { always, errorOf, onAnswer, type Condition } from '../../src/reference/vocabulary.ts';
import type { JsonObject } from '../../src/reference/world.ts';

/** Changes the status of an error. */
export const restatus = (name: ErrorName, status: number, when: Condition = always): Hooks =>
  onAnswer(
    (answer, context) => errorOf(answer) === name && when(context),
    (answer) => ({ ...answer, status }),
  );

export const without = (name: string, { [name]: _removed, ...others }: JsonObject): JsonObject =>
  others;

export const keyLess: Condition = ({ apiKey }) => apiKey === undefined;

export const asInternal = (answer: Answer): Answer => ({
  ...answer,
  status: 500,
  value: { code: ERRORS.internal.code, message: 'Internal error', details: {} },
});
