import { ERRORS } from '../spec/error-codes.ts';
import type { ErrorName } from '../spec/error-codes.ts';
import { KEY_HEADER } from '../spec/limits.ts';
import type { Json, JsonObject } from './world.ts';

/** An error of §7, thrown by validation and handlers. */
export class Refusal extends Error {
  readonly kind: ErrorName;
  readonly details: JsonObject;

  constructor(kind: ErrorName, message: string, details: JsonObject) {
    super(message);
    this.name = 'Refusal';
    this.kind = kind;
    this.details = details;
  }

  get status(): number {
    return ERRORS[this.kind].status;
  }

  /** The error body of §7: code, message, details. */
  body(): JsonObject {
    return { code: ERRORS[this.kind].code, message: this.message, details: this.details };
  }
}

/** Something is wrong with a parameter. */
const invalid = (kind: ErrorName, field: string, details: JsonObject): Refusal =>
  new Refusal(kind, `Invalid parameter: ${field}`, { field, ...details });

/** A parameter of the wrong form (400001). */
export const malformed = (field: string, value: Json, issue: string, suggestion: string): Refusal =>
  invalid('invalidFormat', field, { value, issue, suggestion });

/** A missing required parameter (400002). */
export const missing = (field: string, suggestion: string): Refusal =>
  invalid('missingParameter', field, {
    value: null,
    issue: 'The parameter is required.',
    suggestion,
  });

/** A value that is not allowed (400003). `constraint` lists or describes the allowed ones. */
export function notAllowed(field: string, value: Json, issue: string, constraint: Json): Refusal {
  const suggestion = Array.isArray(constraint)
    ? `Use one of: ${constraint.join(', ')}.`
    : 'Send a value within the bounds.';
  return invalid('invalidValue', field, { value, issue, constraint, suggestion });
}

/** An identifier that matches nothing (400401). `what` starts the message: `Currency not found`. */
export function notFound(what: string, field: string, value: string, listedAt: string): Refusal {
  return new Refusal('notFound', `${what} not found`, {
    [field]: value,
    suggestion: `GET ${listedAt} lists the known ones.`,
  });
}

/** An unknown path (400402). */
export function unknownEndpoint(path: string): Refusal {
  return new Refusal('unknownEndpoint', 'Endpoint not found', {
    path,
    suggestion: 'Check the path against the list of endpoints.',
  });
}

/** A refusal because of the key (400101, 400102, 400301; §5). */
export function keyRefused(
  kind: 'invalidKey' | 'expiredKey' | 'forbidden',
  message: string,
  solution: string,
): Refusal {
  return new Refusal(kind, message, { header: KEY_HEADER, solution });
}
