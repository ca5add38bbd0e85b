import type { EndpointPath } from '../spec/endpoints.ts';
import { numberOf } from '../spec/exchange.ts';
import { FIELDS } from '../spec/resources.ts';
import { groupBy } from '../text/group-by.ts';
import { isJudgeable, type Context } from './context.ts';
import { isNotFound } from './errors.ts';
import { expectationOf, isInvalidRequestStatus } from './expectation.ts';
import { isMaintenance } from './transport.ts';
import { isObject, type View } from './view.ts';

/**
 * Groups answers of one endpoint by list: requests that differ only in `parts` show parts of the same list. Skips
 * requests that must be refused, and answers from the limiter or temporary failures. A 403 counts only if the same key
 * was accepted on the endpoint, or with `forbidden`.
 */
export function sameList(
  views: readonly View[],
  endpoint: EndpointPath,
  parts: readonly string[],
  context: Context,
  { forbidden = false }: { readonly forbidden?: boolean } = {},
): readonly (readonly View[])[] {
  const shown = views.filter((view) => {
    const { exchange, status, wrapped } = view;
    if (exchange.endpoint !== endpoint || exchange.request.method !== 'GET' || wrapped)
      return false;
    const kept = forbidden && status === 403;
    return (
      (kept || reactionOf(view, context) !== 'unknown') &&
      expectationOf(view, context).kind !== 'refused'
    );
  });
  return [...groupBy(shown, (view) => listKey(view, parts)).values()];
}

function listKey({ exchange, query, endpoint }: View, parts: readonly string[]): string {
  const named = new Map<string, string>();
  // A default and its explicit value name the same list.
  for (const [name, facts] of Object.entries(endpoint?.query ?? {})) {
    if (facts.default !== undefined) named.set(name, String(facts.default));
  }
  for (const [name, value] of query) {
    const folds = endpoint?.query[name]?.caseInsensitive === true;
    named.set(name, folds ? value.toUpperCase() : value);
  }
  const others = [...named].filter(([name]) => !parts.includes(name)).toSorted(byName);
  return JSON.stringify([
    exchange.role,
    Object.entries(exchange.pathParameters).toSorted(byName),
    others,
  ]);
}

/** Whether two answers are to the same request. They never confirm each other: a service repeats its mistakes. */
export const isSameRequest = (a: View, b: View): boolean =>
  a === b || (a.exchange.request.path === b.exchange.request.path && queryOf(a) === queryOf(b));

const queryOf = ({ query }: View): string => JSON.stringify([...query].toSorted(byName));

const byName = ([a]: [string, string], [b]: [string, string]): number => (a < b ? -1 : 1);

/**
 * How a service reacts to a value that it may refuse (rulings 4 and 5). `refused`: a 400-class error. `answered`: a
 * body of the specified kind. `broken`: neither, such as a 5xx or an error inside a 200. `unknown`: rate limiting, a
 * redirect, maintenance or a bad key.
 */
type Reaction = 'refused' | 'answered' | 'broken' | 'unknown';

export function reactionOf(view: View, context: Context): Reaction {
  const { status, ok } = view;
  // 5/restricted-elsewhere judges the access of the restricted key.
  if (view.exchange.role === 'restricted' && (status === 401 || status === 403)) return 'unknown';
  if (isMaintenance(view) || (status < 500 && !isJudgeable(view, context))) return 'unknown';
  if (isInvalidRequestStatus(status) || isFilterNotFound(view)) return 'refused';
  return ok && hasStatedKind(view) ? 'answered' : 'broken';
}

/** Filters by identifiers that the target may not know. */
const IDENTIFIERS = ['exchange', 'currency_id', 'project_id'];

/** Ruling 8: a service may first report that a filter's identifier is unknown. */
const isFilterNotFound = (view: View): boolean =>
  isNotFound(view) && IDENTIFIERS.some((name) => view.query.has(name));

/**
 * Whether the body is of the kind in §4: an array, a page with a list, or an object with at least one field of its
 * resource, which excludes `{}` and envelopes.
 */
export function hasStatedKind({ isJson, body, endpoint, resource }: View): boolean {
  if (!isJson) return false;
  const kind = endpoint?.response.kind;
  if (kind === 'array') return Array.isArray(body);
  if (kind === 'page') return isObject(body) && Array.isArray(body['list']);
  if (kind !== 'object') return true;
  const fields = resource === null ? [] : FIELDS[resource];
  return isObject(body) && fields.some(({ path }) => Object.hasOwn(body, path.slice(1)));
}

/** Whether a successful answer has at least one record. */
export function hasRecords(view: View): boolean {
  return view.ok && view.records.length > 0 && hasStatedKind(view);
}

/** Whether `names` covers all parameters with unspecified handling. */
export function opensOnly(view: View, context: Context, names: readonly string[]): boolean {
  const expectation = expectationOf(view, context);
  if (expectation.kind === 'success') return true;
  return (
    expectation.kind === 'open' && expectation.parameters.every((name) => names.includes(name))
  );
}

export function wholeNumber(text: string | undefined): number | undefined {
  if (text === undefined || !/^[+-]?\d{1,15}$/.test(text)) return undefined;
  return Number(text);
}

/** Distance between two requests in the order sent; infinite if unknown. */
export function requestsBetween(a: View, b: View): number {
  const between = Math.abs(numberOf(a.exchange.id) - numberOf(b.exchange.id));
  return Number.isInteger(between) ? between : Number.POSITIVE_INFINITY;
}

export function counted(n: number, what: string): string {
  return n === 1 ? `1 ${what}` : `${n} ${what.replace(/y$/, 'ie')}s`;
}
