/**
 * The vocabulary of variants and faults: conditions on requests, edits of records, and builders of hooks. Each variant or
 * fault should be a few lines.
 */
import type { EndpointPath } from '../spec/endpoints.ts';
import { errorNamed } from '../spec/error-codes.ts';
import type { ErrorName } from '../spec/error-codes.ts';
import { RATE_HEADERS } from '../spec/limits.ts';
import { pathsOf, type Kind } from '../spec/resources.ts';
import type { ResourceName } from '../spec/resources.ts';
import { isArray, isObject } from './json.ts';
import type { Answer, Context, Hooks } from './hooks.ts';
import type { Admission } from './limiter.ts';
import { Refusal } from './refusal.ts';
import type { Json, JsonObject } from './world.ts';

/** Decides whether a change applies to a request. */
export type Condition = (context: Context) => boolean;

export const always: Condition = () => true;
export const all =
  (...conditions: readonly Condition[]): Condition =>
  (context) =>
    conditions.every((condition) => condition(context));
export const not =
  (condition: Condition): Condition =>
  (context) =>
    !condition(context);
export const endpointIs =
  (...endpoints: readonly EndpointPath[]): Condition =>
  ({ endpoint }) =>
    endpoint !== null && endpoints.includes(endpoint);
/** The parameter was sent, with exactly `value` if given. */
export const asked =
  (name: string, value?: string): Condition =>
  ({ query }) =>
    value === undefined ? query.has(name) : query.get(name) === value;
/** Requests with a number above a bound. */
export const over =
  (name: string, bound: number): Condition =>
  ({ query }) =>
    Number(query.get(name) ?? 0) > bound;
export const notAsked = (name: string): Condition => not(asked(name));
/** Page `page` (from 1), which is 1 by default. */
export const onPage =
  (page: number): Condition =>
  ({ query }) =>
    (query.get('page') ?? '1') === String(page);
export const afterPage =
  (page: number): Condition =>
  ({ query }) =>
    Number(query.get('page') ?? '1') > page;
export const inLanguage = (language: string): Condition => asked('language', language);
/** The value has upper-case and lower-case letters. */
export const inMixedCase =
  (name: string): Condition =>
  ({ query }) => {
    const value = query.get(name) ?? '';
    return value !== value.toUpperCase() && value !== value.toLowerCase();
  };
export const inLowerCase =
  (name: string): Condition =>
  ({ query }) => {
    const value = query.get(name) ?? '';
    return value !== '' && value === value.toLowerCase() && value !== value.toUpperCase();
  };
/** The requested ETF asset, in any case. */
export const forSymbol =
  (symbol: string, country?: string): Condition =>
  ({ query }) =>
    query.get('symbol')?.toUpperCase() === symbol &&
    (country === undefined || query.get('country_code')?.toUpperCase() === country);
/** After the first rate-limit window. */
export const afterReset: Condition = ({ window }) => window > 0;
/** The endpoint is one of the purpose-only ones or any other whose path starts so. */
export const under =
  (prefix: string): Condition =>
  ({ endpoint }) =>
    endpoint !== null && endpoint.startsWith(prefix);

/** Changes a record; `index` is its position in the response. */
export type RecordChange = (record: JsonObject, context: Context, index: number) => JsonObject;

/**
 * Replaces the values at `pointer` (`/price`, or with `*` for any element `/portfolio/*`); undefined removes them.
 * Pointers that a record does not have are left alone.
 */
export function edit(
  pointer: string,
  change: (value: Json, record: JsonObject, context: Context) => Json | undefined,
): RecordChange {
  const steps = pointer.split('/').slice(1);
  return (record, context) => {
    const changed = editAt(record, steps, (value) => change(value, record, context));
    return isObject(changed) ? changed : record;
  };
}

function editAt(
  value: Json,
  steps: readonly string[],
  change: (value: Json) => Json | undefined,
): Json | undefined {
  const [step, ...rest] = steps;
  if (step === undefined) return change(value);
  if (step === '*') {
    if (!isArray(value)) return value;
    return value.flatMap((element) => {
      const changed = editAt(element, rest, change);
      return changed === undefined ? [] : [changed];
    });
  }
  if (!isObject(value)) return value;
  const member = value[step];
  if (member === undefined) return value;
  const changed = editAt(member, rest, change);
  const { [step]: _removed, ...others } = value;
  return changed === undefined ? others : { ...value, [step]: changed };
}

/** Removes the field. */
export const drop = (pointer: string): RecordChange => edit(pointer, () => undefined);
/** Sets the field to a fixed value. */
export const put = (pointer: string, value: Json): RecordChange => edit(pointer, () => value);
/** Multiplies a number. */
export const scaled = (pointer: string, factor: number): RecordChange =>
  edit(pointer, (value) => (typeof value === 'number' ? value * factor : value));
/** Applies the change to one row in `n`, the last of each group. */
export const oneRowIn =
  (n: number, change: RecordChange): RecordChange =>
  (record, context, index) =>
    index % n === n - 1 ? change(record, context, index) : record;
/** Edits one row in `n`; see `edit`. */
export const editOneIn = (n: number, ...edited: Parameters<typeof edit>): RecordChange =>
  oneRowIn(n, edit(...edited));
/** Applies the change to the first row only. */
export const firstRow =
  (change: RecordChange): RecordChange =>
  (record, context, index) =>
    index === 0 ? change(record, context, index) : record;

/** Changes the values of some kinds, in whichever resource they stand; undefined removes them. */
export const onValues = (
  kinds: readonly Kind[],
  change: (value: Json) => Json | undefined,
): Hooks => ({
  record: (record, context, resource, index) =>
    pathsOf(resource, ...kinds).reduce(
      (changed, pointer) => edit(pointer, change)(changed, context, index),
      record,
    ),
});

/** Changes the records of a resource. */
export function onRecord(
  resources: ResourceName | readonly ResourceName[],
  change: RecordChange,
  when: Condition = always,
): Hooks {
  const names: readonly ResourceName[] = typeof resources === 'string' ? [resources] : resources;
  return {
    record: (record, context, resource, index) =>
      names.includes(resource) && when(context) ? change(record, context, index) : record,
  };
}

/** Changes the values at a pointer of the records of a resource; see `edit`. */
export const onField = (
  resources: ResourceName | readonly ResourceName[],
  pointer: string,
  change: (value: Json) => Json | undefined,
): Hooks => onRecord(resources, edit(pointer, change));

/** Changes the rows that an answer shows. */
export function onRows(
  when: Condition,
  change: (rows: readonly Json[], context: Context) => readonly Json[],
): Hooks {
  return { rows: (rows, context) => (when(context) ? change(rows, context) : rows) };
}

/** Changes the query before it is validated. `change` works on its own copy. */
export function onQuery(
  when: Condition,
  change: (query: Map<string, string>, context: Context) => void,
): Hooks {
  return {
    query(query, context) {
      if (when(context)) change(query, context);
      return query;
    },
  };
}

/** Sets a parameter. */
export const setting = (name: string, value: string, when: Condition): Hooks =>
  onQuery(when, (query) => query.set(name, value));

/** Ignores the parameter. */
export const ignoring = (name: string, when: Condition): Hooks =>
  onQuery(when, (query) => query.delete(name));

/** Fails with an internal error (500 500001). */
export const crashing = (when: Condition): Hooks =>
  onQuery(when, () => {
    throw new Refusal('internal', 'Internal server error', {});
  });

/** Changes the body of a successful answer. */
export function onBody(when: Condition, change: (value: Json, context: Context) => Json): Hooks {
  return { body: (value, context) => (when(context) ? change(value, context) : value) };
}

/** Sets members of the object in a successful answer. */
export const onMembers = (
  when: Condition,
  change: (value: JsonObject, context: Context) => JsonObject,
): Hooks =>
  onBody(when, (value, context) =>
    isObject(value) ? { ...value, ...change(value, context) } : value,
  );

/** Changes any finished answer. */
export function onAnswer(
  when: (answer: Answer, context: Context) => boolean,
  change: (answer: Answer, context: Context) => Answer,
): Hooks {
  return {
    answer: (answer, context) => (when(answer, context) ? change(answer, context) : answer),
  };
}

/** Changes finished answers with status 200. */
export const onSuccess = (
  when: Condition,
  change: (answer: Answer, context: Context) => Answer,
): Hooks => onAnswer((answer, context) => answer.status === 200 && when(context), change);

/** The error of §7 in a response; undefined for a success. */
export function errorOf(answer: Answer): ErrorName | undefined {
  const code = isObject(answer.value) ? answer.value['code'] : undefined;
  return answer.status >= 400 && typeof code === 'number' ? errorNamed(code) : undefined;
}

/** Changes the body of an error, or replaces members of it; `name` undefined means every error. */
export function onError(
  name: ErrorName | undefined,
  change: JsonObject | ((body: JsonObject, context: Context) => JsonObject),
  when: Condition = always,
): Hooks {
  return onAnswer(
    (answer, context) =>
      answer.status >= 400 && (name === undefined || errorOf(answer) === name) && when(context),
    (answer, context) => {
      const body = answer.value;
      if (!isObject(body)) return answer;
      const value = typeof change === 'function' ? change(body, context) : { ...body, ...change };
      return { ...answer, value };
    },
  );
}

/** Changes the details of an error. */
export const onDetails = (
  name: ErrorName | undefined,
  change: (details: JsonObject, context: Context) => JsonObject,
  when: Condition = always,
): Hooks =>
  onError(
    name,
    (body, context) => {
      const { details } = body;
      return details !== undefined && isObject(details)
        ? { ...body, details: change(details, context) }
        : body;
    },
    when,
  );

/** Sets or (undefined) removes a header of an answer. */
export function withHeader(answer: Answer, name: string, value: string | undefined): Answer {
  const { [name]: _removed, ...others } = answer.headers;
  return { ...answer, headers: value === undefined ? others : { ...others, [name]: value } };
}

/** Removes `X-RateLimit-*` from a response. */
export function withoutRateHeaders(answer: Answer): Answer {
  return Object.values(RATE_HEADERS).reduce(
    (changed, name) => withHeader(changed, name, undefined),
    answer,
  );
}

/** Changes what the limiter decides and announces. */
export function onAdmission(
  change: (admission: Admission, context: Context) => Admission,
  when: Condition = always,
): Hooks {
  return {
    admission: (admission, context) => (when(context) ? change(admission, context) : admission),
  };
}

/** True for the refusal of the rate limiter (not of the quota). */
export function isRateRefusal({ status, value }: Answer): boolean {
  const details = isObject(value) ? value['details'] : undefined;
  return status === 429 && isObject(details) && details['retry_after'] !== undefined;
}
