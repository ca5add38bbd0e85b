import type { EndpointPath, QueryParameter } from '../spec/endpoints.ts';
import { errorNamed, ERRORS, type ErrorName } from '../spec/error-codes.ts';
import { STATUS, type Finding } from '../spec/finding.ts';
import type { KeyRole } from '../spec/exchange.ts';
import { ETF_LISTINGS, type Country, type EtfSymbol } from '../spec/values.ts';
import type { AcceptedQueries } from './context.ts';
import type { Facts } from './facts.ts';
import type { View } from './view.ts';

/** Why a request must be refused, as named by the requirements on refusals. */
export type Wrong =
  | 'no key'
  | 'unknown key'
  | 'disabled key'
  | 'expired key'
  | 'no access'
  | 'malformed currency_id'
  | 'unknown currency'
  | 'unknown resource'
  | 'unknown path'
  | 'unlisted pair'
  | `missing ${string}`
  | `value of ${string}`;

export interface ExpectedError {
  /** The error of §7; `invalid` is any 400-class error, where no clause names the code. */
  readonly error: ErrorName | 'invalid' | 'unauthenticated' | 'emptyKey';
  readonly wrong: Wrong;
  /** The parameter at fault. */
  readonly parameter?: string;
}

/**
 * The specified answer to a request. `success`: 2xx. `refused`: any of the errors that apply (ruling 8). `open`:
 * unspecified, so either a conforming answer or a 400-class error about one of `parameters`.
 */
type Expectation =
  | { readonly kind: 'success' }
  | { readonly kind: 'refused'; readonly errors: readonly ExpectedError[] }
  | { readonly kind: 'open'; readonly parameters: readonly string[] };

/** A canonical integer. Services differ on signs, leading zeros and spaces. */
const INTEGER = /^(0|[1-9]\d*)$/;

/**
 * The error that a key earns on an endpoint (§5 rule 3), or null. `endpoint` is null for paths outside §4; `forbidden`
 * lists the endpoints closed to the restricted key.
 */
export function refusalOfKey(
  role: KeyRole,
  endpoint: EndpointPath | null,
  forbidden: readonly string[],
): ExpectedError | null {
  if (role !== 'restricted') return REFUSALS[role] ?? null;
  if (endpoint === null || !forbidden.includes(endpoint)) return null;
  return { error: 'forbidden', wrong: 'no access' };
}

/** Errors of keys that no endpoint accepts. */
const REFUSALS: Readonly<Partial<Record<KeyRole, ExpectedError>>> = {
  none: { error: 'unauthenticated', wrong: 'no key' },
  unknown: { error: 'invalidKey', wrong: 'unknown key' },
  disabled: { error: 'invalidKey', wrong: 'disabled key' },
  expired: { error: 'expiredKey', wrong: 'expired key' },
};

/** Whether the key header is empty. Proxies may drop such a header. */
export const sendsEmptyKey = ({ exchange: { role, request } }: View): boolean =>
  role === 'none' && Object.values(request.headers).includes('');

/** Errors of path parameters sent as unknown or malformed. */
function pathErrors(view: View, facts: Facts): ExpectedError[] {
  const errors: ExpectedError[] = [];
  for (const [name, value] of Object.entries(view.exchange.pathParameters)) {
    if (name === 'currency_id' && facts.malformedCurrencyIds.includes(value)) {
      errors.push({ error: 'invalidFormat', wrong: 'malformed currency_id', parameter: name });
    } else if (facts.unknownIds[name]?.includes(value) === true) {
      errors.push({
        error: 'notFound',
        wrong: name === 'currency_id' ? 'unknown currency' : 'unknown resource',
      });
    }
  }
  return errors;
}

/** Whether a value is in the enum, respecting letter case where it matters. */
const inEnum = (facts: QueryParameter, value: string): boolean =>
  facts.caseInsensitive === true
    ? foldedEnum(facts).includes(value.toUpperCase())
    : (facts.enum ?? []).map(String).includes(value);

/** A service may trim values and fold their case. */
const nearEnum = (facts: QueryParameter, value: string): boolean =>
  foldedEnum(facts).includes(value.trim().toUpperCase());

const foldedEnum = (facts: QueryParameter): readonly string[] =>
  (facts.enum ?? []).map((allowed) => String(allowed).toUpperCase());

/** Errors of query parameters, and the parameters whose handling is unspecified. */
function queryErrors(view: View): { errors: ExpectedError[]; open: string[] } {
  const { endpoint: shape, exchange, query } = view;
  const errors: ExpectedError[] = [];
  const open: string[] = [];
  if (shape === null || exchange.endpoint === null) return { errors, open };
  for (const [name, facts] of Object.entries(shape.query)) {
    const value = query.get(name);
    const missing: Wrong = `missing ${name}`;
    const refuse = (error: ExpectedError['error'], wrong: Wrong): void =>
      void errors.push({ error, wrong, parameter: name });
    // A service may ignore a bad value of an optional parameter.
    const bad: Wrong | undefined =
      facts.required === true && facts.enum !== undefined ? `value of ${name}` : undefined;
    if (value === undefined || value === '') {
      if (facts.required === true) {
        refuse('missingParameter', missing);
        // An empty value may count as missing, as malformed or as none of those allowed.
        if (value === '') refuse(bad === undefined ? 'invalid' : valueError(name), bad ?? missing);
        if (value === '' && bad !== undefined) refuse('invalidFormat', bad);
      } else if (value === '') open.push(name);
    } else if (facts.type === 'integer') {
      if (!integerInRange(facts, value) || isLaterPage(name, value)) open.push(name);
    } else if (facts.enum !== undefined && facts.type !== 'integer-list' && !inEnum(facts, value)) {
      if (bad === undefined || nearEnum(facts, value)) open.push(name);
      else refuse(valueError(name), bad);
    } else if (opensValue(facts, value, name)) open.push(name);
  }
  const names = exchange.request.query.map(([name]) => name);
  for (const [index, name] of names.entries()) {
    // Which of two values counts is unspecified, and unknown parameters may be refused.
    if (names.indexOf(name) < index || !Object.hasOwn(shape.query, name)) open.push(name);
  }
  if (errors.length === 0) errors.push(...listingErrors(view));
  return { errors, open };
}

/** No clause names the code for an invalid country (ruling 9). */
const valueError = (name: string): 'invalid' | 'invalidValue' =>
  name === 'country_code' ? 'invalid' : 'invalidValue';

function integerInRange(facts: QueryParameter, value: string): boolean {
  if (!INTEGER.test(value)) return false;
  const number = Number(value);
  return number >= Math.max(1, facts.minimum ?? 1) && number <= (facts.maximum ?? Infinity);
}

/** Later pages may not exist, and answers beyond the last page are unspecified (§4.1, §4.2). */
const isLaterPage = (name: string, value: string): boolean => name === 'page' && Number(value) > 1;

/** Values that a service may refuse although no clause says so: dates, order fields, identifiers used as filters. */
function opensValue(facts: QueryParameter, value: string, name: string): boolean {
  if (facts.type === 'timestamp' || facts.type === 'date') return true;
  if (facts.type === 'integer-list') {
    return !value.split(',').every((part) => inEnum(facts, part));
  }
  return (
    name === 'order_by' || name === 'currency_id' || name === 'project_id' || name === 'exchange'
  );
}

/** §4.3 rule 2: a valid symbol that is not listed in the country. */
function listingErrors(view: View): ExpectedError[] {
  if (view.exchange.endpoint !== '/etfs/summary-history') return [];
  const symbol = view.query.get('symbol')?.trim().toUpperCase() as EtfSymbol | undefined;
  const country = view.query.get('country_code')?.trim().toUpperCase() as Country | undefined;
  if (symbol === undefined || country === undefined) return [];
  if (ETF_LISTINGS[country]?.includes(symbol) !== false) return [];
  return [{ error: 'invalidFormat', wrong: 'unlisted pair' }];
}

/**
 * Whether an earlier request to this path succeeded with the same values, so that the error must be another
 * parameter's.
 */
function wereAccepted(
  names: readonly string[],
  { exchange: { request } }: View,
  accepted: AcceptedQueries | undefined,
): boolean {
  const sent = request.query.filter(([name]) => names.includes(name)).map(textOf);
  const queries = accepted?.get(request.path) ?? [];
  // Missing and path parameters cannot be looked up.
  if (!names.every((name) => request.query.some(([own]) => own === name))) return false;
  return queries.some((query) => {
    const known = new Set(query.map(textOf));
    return sent.every((text) => known.has(text));
  });
}

const textOf = ([name, value]: readonly [string, string]): string => `${name}=${value}`;

/** The specified answer to this request. */
export function expectationOf(
  view: View,
  facts: Facts & { readonly acceptedQueries?: AcceptedQueries },
): Expectation {
  const { role, endpoint } = view.exchange;
  const ofKey = refusalOfKey(role, endpoint, facts.forbidden);
  const errors = pathErrors(view, facts);
  if (ofKey !== null) errors.unshift(sendsEmptyKey(view) ? { ...ofKey, error: 'emptyKey' } : ofKey);
  if (endpoint === null) {
    errors.push({ error: 'unknownEndpoint', wrong: 'unknown path' });
    return { kind: 'refused', errors };
  }
  if (view.exchange.request.method !== 'GET') return { kind: 'open', parameters: [] };
  const query = queryErrors(view);
  errors.push(...query.errors);
  for (const [name, value] of Object.entries(view.exchange.pathParameters)) {
    if (facts.doubtfulIds?.[name]?.includes(value) === true) query.open.push(name);
  }
  if (errors.length > 0 && query.open.length === 0) return { kind: 'refused', errors };
  const [first] = errors;
  if (first !== undefined) {
    // A service may refuse an open parameter first, but it must refuse (ruling 8).
    const { wrong } = first;
    const open = wereAccepted(query.open, view, facts.acceptedQueries) ? [] : query.open;
    const others = open.map((parameter) => ({ error: 'invalid', wrong, parameter }) as const);
    return { kind: 'refused', errors: [...errors, ...others] };
  }
  if (query.open.length > 0) return { kind: 'open', parameters: query.open };
  return { kind: 'success' };
}

/** The only error of a request; undefined if it has none or several. */
export function soleError(
  view: View,
  facts: Parameters<typeof expectationOf>[1],
): ExpectedError | undefined {
  const expectation = expectationOf(view, facts);
  if (expectation.kind !== 'refused' || expectation.errors.length > 1) return undefined;
  return expectation.errors[0];
}

/** A 4xx other than those for keys, unknown paths and rate limits. */
export function isInvalidRequestStatus(status: number): boolean {
  return status >= 400 && status < 500 && ![401, 403, 404, 429].includes(status);
}

/** The five-digit code in the generic example of §7; a reading on any validation failure (ruling 6). */
export const GENERIC_CODE = ERRORS.invalidFormat.twin;

/** Whether status and code match the expected error (ruling 6). */
export function matchesError(
  expected: ExpectedError['error'],
  status: number,
  code: unknown,
): boolean {
  if (expected === 'unauthenticated') return status === 401;
  // Services treat an empty header as a missing key or as a malformed request.
  if (expected === 'emptyKey') return status === 401 || isInvalidRequestStatus(status);
  if (expected === 'invalid') return isInvalidRequestStatus(status);
  const error = ERRORS[expected];
  if (status !== error.status) return false;
  if (code === GENERIC_CODE && isValidation(expected)) return true;
  return code === error.code || code === error.twin;
}

/** Validation errors of §7. */
export function isValidation(name: ExpectedError['error'] | undefined): boolean {
  return name === 'invalidFormat' || name === 'missingParameter' || name === 'invalidValue';
}

/** Whether a code is the one of an expected error; true for errors that need none. */
export const hasCode = (expected: ExpectedError['error'], code: number | undefined): boolean =>
  !Object.hasOwn(ERRORS, expected) ||
  matchesError(expected, ERRORS[expected as ErrorName].status, code);

/**
 * Where an answer differs from the expected errors: in its code if the status is expected, otherwise in its status if only a
 * status is expected or if the status is not the one of the code.
 */
export function placeOfError(
  status: number,
  code: number | undefined,
  expected: readonly ExpectedError['error'][],
): Pick<Finding, 'header'> & { readonly pointer?: '/code' } {
  const named = errorNamed(code ?? 0);
  const isExpected = expected.some(
    (error) => Object.hasOwn(ERRORS, error) && ERRORS[error as ErrorName].status === status,
  );
  if (isExpected) return { pointer: '/code' };
  const isOfStatus =
    status < 400 ||
    (named !== undefined && ERRORS[named].status !== status) ||
    expected.every((error) => !Object.hasOwn(ERRORS, error));
  return isOfStatus ? { header: STATUS } : { pointer: '/code' };
}

/** The expected error, in words. */
export function describeError(expected: ExpectedError['error']): string {
  if (expected === 'unauthenticated' || expected === 'emptyKey') return 'status 401';
  if (expected === 'invalid') return 'a 400-class error';
  const { status, code, twin } = ERRORS[expected];
  return `status ${status} and code ${code} (or ${twin})`;
}
