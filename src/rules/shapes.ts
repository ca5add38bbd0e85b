import { isPlainlyAbsent } from './null-reasons.ts';
import { mayBeAbsent, type EndpointPath } from '../contract/endpoints.ts';
import { errorNamed } from '../contract/error-codes.ts';
import type { RequirementId } from '../contract/requirement-id.ts';
import { FIELDS, MAY_NOT_EXIST, PAGE_FIELDS, RESOURCE_NAMES } from '../contract/resources.ts';
import { ACCEPTANCE, SUMMARY, testedBy } from './acceptance.ts';
import { isHeaderCaseRefusal } from './authentication.ts';
import { isForbiddenWrongly, isJudgeable, type Context } from './context.ts';
import { expectationOf, isInvalidRequestStatus } from './expectation.ts';
import { codeOf, describeAnswer, isAbout, isMislabelled } from './errors.ts';
import { show, type Judgement, type Rule } from './judgement.ts';
import { hasStatedKind } from './relations.ts';
import { validateBody } from './schemas.ts';
import { isBlank, place } from './transport.ts';
import { isObject, type View } from './view.ts';

/** The requirement that an endpoint answers as stated. */
export const ENDPOINT_REQUIREMENTS: Readonly<Record<EndpointPath, RequirementId>> = {
  '/currencies/{currency_id}': '4.1/info',
  '/currencies/{currency_id}/market-snapshot': '4.1/market-snapshot',
  '/currencies/{currency_id}/token-economics': '4.1/token-economics',
  '/currencies/{currency_id}/klines': '4.1/klines',
  '/currencies/{currency_id}/pairs': '4.1/pairs',
  '/currencies/{currency_id}/fundraising': '4.1/fundraising',
  '/news': '4.2/news',
  '/news/featured': '4.2/featured',
  '/etfs/summary-history': '4.3/summary-history',
  '/etfs/{ticker}/history': '4.4/history',
  '/crypto-stocks/{stock_ticker}/market-snapshot': '4.5/market-snapshot',
  '/crypto-stocks/{stock_ticker}/klines': '4.5/klines',
  '/macro/events/{event}/history': '4.6/macro-history',
  '/analyses': '4.6/analyses',
  '/crypto-stocks': '4.7/crypto-stocks',
  '/crypto-stocks/{stock_ticker}/market-cap': '4.7/market-cap',
  '/crypto-stocks/sector': '4.7/sectors',
  '/crypto-stocks/sector/{sector_name}/index': '4.7/sector-index',
  '/indices': '4.7/indices',
  '/indices/{index_ticker}/constituents': '4.7/index-constituents',
  '/indices/{index_ticker}/market-snapshot': '4.7/index-snapshot',
  '/indices/{index_ticker}/klines': '4.7/index-klines',
  '/etfs': '4.7/etfs',
  '/etfs/{ticker}/market-snapshot': '4.7/etf-snapshot',
  '/news/hot': '4.7/hot-news',
  '/news/search': '4.7/news-search',
  '/fundraising/projects': '4.7/projects',
  '/fundraising/projects/{project_id}': '4.7/project',
  '/macro/events': '4.7/macro-events',
  '/analyses/{chart_name}': '4.7/chart-data',
  '/currencies': '4.7/currencies',
};

const acceptanceIds = [
  ...new Set([
    ...Object.values(ENDPOINT_REQUIREMENTS),
    ...ACCEPTANCE.map(({ requirement }) => requirement),
    '5/restricted-elsewhere' as const,
  ]),
];

/** §5 rule 3: a restricted key is refused where the target file says so, and nowhere else. */
function judgeRestricted(view: View, context: Context, into: Judgement): void {
  const { endpoint } = view.exchange;
  if (endpoint === null || context.forbidden.includes(endpoint)) return;
  const asKey = view.status === 401 || view.status === 403;
  // A complaint about something that is wrong with the request is no refusal of the key; about another, nobody knows.
  const told = view.ok || asKey || expectationOf(view, context).kind === 'refused';
  if (!told) return;
  into.expect('5/restricted-elsewhere', view, !asKey, () => ({
    message: `${place(view)} refuses the restricted key, although the target file does not list it as forbidden`,
    expected: 'an answer',
    actual: describeAnswer(view),
  }));
}

/** §4: a well-formed request with a good key is answered, and the body is of the stated kind. */
const answers: Rule = {
  name: 'answers',
  requirements: acceptanceIds,
  each(view, context, into) {
    if (!isJudgeable(view, context) || view.wrapped || view.exchange.endpoint === null) return;
    if (view.exchange.request.method !== 'GET' || isHeaderCaseRefusal(view)) return;
    const expectation = expectationOf(view, context);
    const expected = expectation.kind;
    const unstated = view.endpoint?.response.kind === 'unstated';
    if (view.exchange.role === 'restricted') {
      judgeRestricted(view, context, into);
      return;
    }
    // What is open about a parameter is no reason to refuse a key that is good elsewhere.
    const asKey = expected === 'open' && view.status === 401;
    // Parameters of purpose-only endpoints are not shown: whichever was sent, the endpoint exists (ruling 16).
    if (expected === 'refused') return;
    if (expectation.kind === 'open' && !unstated && !asKey) {
      judgeBlame(view, expectation.parameters, into);
      return;
    }
    if (unstated) {
      // An identifier that nobody knows may be refused as not found.
      if (view.status === 404 && hasDoubtfulId(view, context) && !isUnknownPath(view)) return;
      // A known thing may have nothing of the kind yet, such as an ETF on its first day (ruling 11).
      if (isNotFound(view) && Object.keys(view.exchange.pathParameters).length > 0) return;
      judgePurposeOnly(ENDPOINT_REQUIREMENTS[view.exchange.endpoint], view, into);
      return;
    }
    if (isAbsence(view)) {
      const what = view.exchange.endpoint.endsWith('fundraising')
        ? 'fundraising'
        : 'token economics';
      into.read(`Answer for a currency without ${what}`, describeAnswer(view), view);
      return;
    }
    const tested = asKey ? undefined : testedBy(view);
    const requirement = tested?.requirement ?? ENDPOINT_REQUIREMENTS[view.exchange.endpoint];
    // Whether a body is JSON at all is a requirement of its own; without one there is no kind to judge.
    if (view.ok && !view.isJson) return;
    // An answer of another kind shows nothing about a parameter.
    const proves = tested === undefined || (tested.byContent !== true && hasStatedKind(view));
    if (view.status === 200 && !proves) {
      judgeKind(view, into);
      return;
    }
    const asForbidden = isForbiddenWrongly(view, context);
    into.expect(requirement, view, view.status === 200, () => ({
      message: `${place(view)} ${view.ok ? 'answers with another status than 200' : asForbidden ? 'keeps out a valid key that works elsewhere' : 'refuses a request that the specification allows'}`,
      expected: `status 200${asForbidden ? '; a key that may not call every endpoint belongs under keys.restricted' : ''}`,
      actual: describeAnswer(view),
    }));
    if (!view.ok) return;
    // What is answered shows as much of the country as of the symbol.
    for (const other of ACCEPTANCE) {
      if (other.endpoint !== SUMMARY || view.exchange.endpoint !== SUMMARY) continue;
      if (proves && other.applies(view.query)) into.judged(other.requirement, view);
    }
    judgeKind(view, into);
  },
};

/**
 * A refusal may be for another parameter, of which nobody knows whether it is right. One that names a value of a stated
 * list says itself that it is for that.
 */
function judgeBlame(view: View, open: readonly string[], into: Judgement): void {
  const { endpoint } = view.exchange;
  if (!isInvalidRequestStatus(view.status)) return;
  const blamed = ACCEPTANCE.find(
    (entry) =>
      entry.endpoint === endpoint &&
      view.endpoint?.query[entry.parameter]?.enum !== undefined &&
      !open.includes(entry.parameter) &&
      entry.applies(view.query) &&
      isAbout(view, entry.parameter),
  );
  if (blamed === undefined) return;
  into.found(blamed.requirement, view, {
    message: `${place(view)} refuses ${blamed.parameter}=${view.query.get(blamed.parameter) ?? ''}, which the specification allows`,
    expected: `an answer, or a refusal of ${open.join(' or ')}`,
    actual: describeAnswer(view),
    pointer: '/message',
  });
}

function hasDoubtfulId(view: View, { doubtfulIds = {} }: Context): boolean {
  return Object.entries(view.exchange.pathParameters).some(
    ([name, value]) => doubtfulIds[name]?.includes(value) === true,
  );
}

/** Ruling 11: a known currency without token economics or fundraising is answered as what is not found. */
function isAbsence(view: View): boolean {
  return mayBeAbsent(view.exchange.endpoint) && isNotFound(view);
}

/** The refusal of §7 for a path that is not known; an identifier with signs in it may lead a router astray. */
function isUnknownPath(view: View): boolean {
  return (
    errorNamed(codeOf(view) ?? 0) === 'unknownEndpoint' &&
    Object.values(view.exchange.pathParameters).every((id) => /^[\w.-]+$/.test(id))
  );
}

/** The refusal of §7 for what an identifier does not find. */
function isNotFound(view: View): boolean {
  return view.status === 404 && errorNamed(codeOf(view) ?? 0) === 'notFound';
}

/** Ruling 16: parameters are unknown, so a validation failure says that the endpoint exists. A blank body says nothing. */
function judgePurposeOnly(requirement: RequirementId, view: View, into: Judgement): void {
  if (isBlank(view)) return;
  const exists = view.ok || isInvalidRequestStatus(view.status);
  into.expect(requirement, view, exists && view.isJson, () => ({
    message: `${place(view)} does not answer`,
    expected: 'status 200 and JSON, or a 400-class error about parameters that are not shown',
    actual: view.isJson ? describeAnswer(view) : `${describeAnswer(view)}, not JSON`,
  }));
}

function judgeKind(view: View, into: Judgement): void {
  const { endpoint } = view.exchange;
  const kind = view.endpoint?.response.kind;
  if (endpoint === null || kind === undefined) return;
  if (kind === 'unstated') return;
  const words = {
    array: 'an array',
    object: 'an object with the stated fields',
    page: 'an object with an array `list`',
  };
  into.expect(ENDPOINT_REQUIREMENTS[endpoint], view, isOfKind(kind, view), () => ({
    message: `${place(view)} answers with a body of another kind`,
    expected: words[kind],
    actual: show(view.body),
    pointer: view.root,
  }));
}

/** An object must have at least one field of its resource: `{}` is no answer, and an envelope is another object. */
function isOfKind(kind: 'array' | 'object' | 'page', { body, resource }: View): boolean {
  if (kind === 'array') return Array.isArray(body);
  if (!isObject(body)) return false;
  if (kind === 'page') return Array.isArray(body['list']);
  const fields = resource === null ? [] : FIELDS[resource];
  return fields.some(({ place: at }) => Object.hasOwn(body, at.slice(1)));
}

const fieldIds: RequirementId[] = [
  ...new Set(
    [...RESOURCE_NAMES.flatMap((name) => FIELDS[name]), ...PAGE_FIELDS].map(({ id }) => id),
  ),
].map((id) => id as RequirementId);

/** §2: every field of every record is there and has the stated type. */
const fields: Rule = {
  name: 'fields',
  requirements: [...fieldIds, '2/null-figures'],
  each(view, context, into) {
    const shape = view.endpoint?.response;
    if (!view.ok || !view.isJson || view.wrapped || shape?.resource === undefined) return;
    // An error body with a wrong status has no fields of a record to miss.
    if (!isJudgeable(view, context) || isMislabelled(view)) return;
    // Nor has an object of another kind, which the endpoint's own requirement is about.
    if (shape.kind === 'object' && !isOfKind('object', view)) return;
    if (shape.kind === 'page' && isObject(view.body)) {
      for (const { id } of PAGE_FIELDS) into.judged(id, view);
    }
    if (view.records.length > 0) {
      for (const { id, place: at } of FIELDS[shape.resource]) {
        if (view.records.some(({ value }) => reaches(value, at))) {
          into.judged(id, view);
        }
      }
      if (MAY_NOT_EXIST[shape.resource] !== undefined) into.judged('2/null-figures', view);
    }
    for (const problem of validateBody(shape, view.body)) {
      const requirement = (problem.requirement ?? recordRequirement(view)) as
        RequirementId | undefined;
      if (requirement === undefined) continue;
      if (requirement === '2/null-figures' && isPlainlyAbsent(view, problem.place)) {
        const field = problem.place.split('/').at(-1) ?? '';
        into.read(`A ${field} that does not exist`, 'null', view);
        continue;
      }
      into.found(requirement, view, {
        message: `${place(view)}: ${problem.message}`,
        expected: problem.expected,
        actual: problem.actual,
        pointer: `${view.root}${problem.place}`,
      });
    }
  },
};

/** A record that is no object at all violates the endpoint's own requirement. */
function recordRequirement(view: View): RequirementId | undefined {
  return view.exchange.endpoint === null
    ? undefined
    : ENDPOINT_REQUIREMENTS[view.exchange.endpoint];
}

/** Whether a place such as `/fundraising_rounds/*` exists in a record; the top level always does. */
function reaches(record: unknown, at: string): boolean {
  const [, ...keys] = at.split('/');
  let level: readonly unknown[] = [record];
  for (const [index, key] of keys.entries()) {
    if (index === keys.length - 1 && key !== '*') return level.some(isObject);
    level = level.flatMap((value) => {
      if (key === '*') return Array.isArray(value) ? (value as readonly unknown[]) : [];
      return isObject(value) && key !== undefined ? [value[key]] : [];
    });
  }
  return level.length > 0;
}

export const SHAPE_RULES: readonly Rule[] = [answers, fields];
