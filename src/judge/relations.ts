import type { EndpointPath } from '../spec/endpoints.ts';
import { errorNamed } from '../spec/error-codes.ts';
import { numberOf } from '../spec/exchange.ts';
import { isJudgeable, type Context } from './context.ts';
import { codeOf } from './errors.ts';
import { expectationOf, isInvalidRequestStatus } from './expectation.ts';
import { isMaintenance } from './transport.ts';
import { isObject, type View } from './view.ts';

/**
 * Answers of one endpoint to requests that differ only in `parts`: the same list, of which each shows a part. Requests
 * that must be refused are left out, and so is what the limiter or a passing failure answered. A 403 is left out unless
 * the same key was accepted at the endpoint, or `forbidden` says to keep it.
 */
export function sameList(
  views: readonly View[],
  endpoint: EndpointPath,
  parts: readonly string[],
  context: Context,
  { forbidden = false }: { readonly forbidden?: boolean } = {},
): readonly (readonly View[])[] {
  const groups = new Map<string, View[]>();
  for (const view of views) {
    const { exchange } = view;
    if (exchange.endpoint !== endpoint || exchange.request.method !== 'GET') continue;
    if (view.wrapped) continue;
    const kept = forbidden && view.status === 403;
    if (!kept && reactionOf(view, context) === 'unknown') continue;
    if (expectationOf(view, context).kind === 'refused') continue;
    const key = listKey(view, parts);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [view]);
    else group.push(view);
  }
  return [...groups.values()];
}

function listKey({ exchange, query, endpoint }: View, parts: readonly string[]): string {
  const named = new Map<string, string>();
  // A default that is stated and its explicit value name the same list.
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

/**
 * True for two answers to one request as it was sent. Neither says anything of the other: what a service gets wrong it gets
 * wrong again, so an answer never vouches for one that was only asked for once more.
 */
export const isSameRequest = (a: View, b: View): boolean =>
  a === b || (a.exchange.request.path === b.exchange.request.path && queryOf(a) === queryOf(b));

const queryOf = ({ query }: View): string => JSON.stringify([...query].toSorted(byName));

const byName = ([a]: [string, string], [b]: [string, string]): number => (a < b ? -1 : 1);

/**
 * How a service reacts to a value that it may refuse (rulings 4 and 5). `refused`: a 400-class error; `answered`: a body
 * of the stated kind; `broken`: neither, such as a 5xx or an error inside a 200; `unknown`: the limiter, a redirect,
 * maintenance or a bad key got in the way.
 */
export type Reaction = 'refused' | 'answered' | 'broken' | 'unknown';

export function reactionOf(view: View, context: Context): Reaction {
  const { status, ok } = view;
  // Whether the restricted key may ask at all is judged by 5/restricted-elsewhere.
  if (view.exchange.role === 'restricted' && (status === 401 || status === 403)) return 'unknown';
  if (isMaintenance(view) || (status < 500 && !isJudgeable(view, context))) return 'unknown';
  if (isInvalidRequestStatus(status) || findsNoFilter(view)) return 'refused';
  return ok && hasStatedKind(view) ? 'answered' : 'broken';
}

/** Filters by something that the target may not know. */
const IDENTIFIERS = ['exchange', 'currency_id', 'project_id'];

/** Ruling 8: what a filter names may be unknown, and that may be said first. */
function findsNoFilter(view: View): boolean {
  return (
    view.status === 404 &&
    errorNamed(codeOf(view) ?? 0) === 'notFound' &&
    IDENTIFIERS.some((name) => view.query.has(name))
  );
}

/** True when the body is of the kind that §4 states: an array, or a page with a list. */
export function hasStatedKind({ isJson, body, endpoint }: View): boolean {
  if (!isJson) return false;
  const kind = endpoint?.response.kind;
  if (kind === 'array') return Array.isArray(body);
  if (kind === 'page') return isObject(body) && Array.isArray(body['list']);
  return kind === 'object' ? isObject(body) : true;
}

/** True for a successful answer of the stated kind with at least one record: what there is to ask for is there. */
export function hasRecords(view: View): boolean {
  return view.ok && view.records.length > 0 && hasStatedKind(view);
}

/** True when the parameters of which the specification leaves the treatment open are among `names`. */
export function opensOnly(view: View, context: Context, names: readonly string[]): boolean {
  const expectation = expectationOf(view, context);
  if (expectation.kind === 'success') return true;
  return (
    expectation.kind === 'open' && expectation.parameters.every((name) => names.includes(name))
  );
}

/** The whole number that a text stands for; undefined for other texts. */
export function wholeNumber(text: string | undefined): number | undefined {
  if (text === undefined || !/^[+-]?\d{1,15}$/.test(text)) return undefined;
  return Number(text);
}

/** How many requests lie between two, the later one included; endless when their ids do not tell. */
export function requestsBetween(a: View, b: View): number {
  const between = Math.abs(numberOf(a.exchange.id) - numberOf(b.exchange.id));
  return Number.isInteger(between) ? between : Number.POSITIVE_INFINITY;
}

/** `n` things, in words. */
export function counted(n: number, what: string): string {
  return n === 1 ? `1 ${what}` : `${n} ${what.replace(/y$/, 'ie')}s`;
}
