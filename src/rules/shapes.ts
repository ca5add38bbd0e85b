import { STATUS } from '../contract/finding.ts';
import {
  ENDPOINT_PATHS,
  ENDPOINTS,
  mayBeAbsent,
  type EndpointPath,
} from '../contract/endpoints.ts';
import { errorNamed } from '../contract/error-codes.ts';
import { FIELDS } from '../contract/resources.ts';
import { ACCEPTANCE, SUMMARY, testedBy } from './acceptance.ts';
import { isHeaderCaseRefusal } from './key-header.ts';
import { isForbiddenWrongly, isJudgeable, type Context } from './context.ts';
import { expectationOf, isInvalidRequestStatus } from './expectation.ts';
import { codeOf, describeAnswer, isAbout, isMislabelled } from './errors.ts';
import { show, type FindingText, type Judgement, type Rule } from './judgement.ts';
import { hasStatedKind } from './relations.ts';
import { validateBody, type BodyProblem } from './schemas.ts';
import { place } from './transport.ts';
import { SERIES } from './series.ts';
import { isObject, type View } from './view.ts';
import { criteria, Criterion } from './criterion.ts';

/** What this file decides. */
export const SHAPES = criteria('restrictedElsewhere');

/** Whether each endpoint whose answer is stated answers so; what is said of those of §4.7 stands there. */
export const ANSWERED = Object.fromEntries(
  ENDPOINT_PATHS.filter((path) => ENDPOINTS[path].response.kind !== 'unstated').map((path) => [
    path,
    new Criterion(`answer of ${path}`),
  ]),
) as Readonly<Record<EndpointPath, Criterion>>;

const acceptanceIds = [
  ...new Set([
    ...Object.values(ANSWERED),
    ...ACCEPTANCE.map(({ criterion }) => criterion),
    SHAPES.restrictedElsewhere,
  ]),
];

/** §5 rule 3: a restricted key is refused where the target file says so, and nowhere else. */
function judgeRestricted(view: View, context: Context, into: Judgement): void {
  const { endpoint } = view.exchange;
  if (endpoint === null || context.forbidden.includes(endpoint)) return;
  const asKey = view.status === 401 || view.status === 403;
  // Beyond the recent window any 4xx is right (ruling 5), so a 403 to a range says nothing about the key.
  if (view.status === 403 && asksForRange(view)) return;
  // A complaint about something that is wrong with the request is no refusal of the key; about another, nobody knows.
  const told = view.ok || asKey || expectationOf(view, context).kind === 'refused';
  if (!told) return;
  into.expect(SHAPES.restrictedElsewhere, view, !asKey, () => ({
    message: `${place(view)} refuses the restricted key, although the target file does not list it as forbidden`,
    expected: 'an answer',
    actual: describeAnswer(view),
  }));
}

/** Whether a request asks for a range of a series. */
const asksForRange = ({ exchange, query }: View): boolean =>
  SERIES.some(
    ({ endpoint, start, end }) =>
      endpoint === exchange.endpoint && (query.has(start) || query.has(end)),
  );

/** Whether an endpoint was asked as §4 says, so that its answer may be judged. */
const isAsked = (view: View, context: Context): boolean =>
  isJudgeable(view, context) &&
  !view.wrapped &&
  view.exchange.endpoint !== null &&
  view.exchange.request.method === 'GET' &&
  !isHeaderCaseRefusal(view);

/** Where the restricted key is let in, what it is told is about the request, as it is with any other key. */
const isKeptOut = (view: View, { accepted }: Context): boolean => {
  const { role, key, endpoint: path } = view.exchange;
  if (role !== 'restricted') return false;
  return view.status === 401 || view.status === 403 || !accepted.has(`${key ?? ''} ${path ?? ''}`);
};

/** Whether an answer says something about what was asked for, and not about the key. */
export const isAboutRequest = (view: View, context: Context): boolean =>
  isAsked(view, context) &&
  !isKeptOut(view, context) &&
  expectationOf(view, context).kind !== 'refused';

/** §4: a well-formed request with a good key is answered, and the body is of the stated kind. */
const answers: Rule = {
  name: 'answers',
  judges: acceptanceIds,
  each(view, context, into) {
    if (!isAsked(view, context) || view.exchange.endpoint === null) return;
    if (view.exchange.role === 'restricted') judgeRestricted(view, context, into);
    if (!isAboutRequest(view, context) || view.endpoint?.response.kind === 'unstated') return;
    const expectation = expectationOf(view, context);
    // What is open about a parameter is no reason to refuse a key that is good elsewhere.
    const asKey = expectation.kind === 'open' && view.status === 401;
    if (expectation.kind === 'open' && !asKey) {
      judgeBlame(view, expectation.parameters, into);
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
    const criterion = tested?.criterion ?? ANSWERED[view.exchange.endpoint];
    // Whether a body is JSON at all is a requirement of its own; without one there is no kind to judge.
    if (view.ok && !view.isJson) return;
    // An answer of another kind shows nothing about a parameter.
    const proves = tested === undefined || (tested.byContent !== true && hasStatedKind(view));
    if (view.status === 200 && !proves) {
      judgeKind(view, into);
      return;
    }
    const asForbidden = isForbiddenWrongly(view, context);
    into.expect(criterion, view, view.status === 200, () => ({
      message: `${place(view)} ${view.ok ? 'answers with another status than 200' : asForbidden ? 'keeps out a valid key that works elsewhere' : 'refuses a request that the specification allows'}`,
      expected: `status 200${asForbidden ? '; a key that may not call every endpoint belongs under keys.restricted' : ''}`,
      actual: describeAnswer(view),
      header: STATUS,
    }));
    if (!view.ok) return;
    // What is answered shows as much of the country as of the symbol.
    for (const other of ACCEPTANCE) {
      if (other.endpoint !== SUMMARY || view.exchange.endpoint !== SUMMARY) continue;
      if (proves && other.applies(view.query)) into.judged(other.criterion, view);
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
  into.found(blamed.criterion, view, {
    message: `${place(view)} refuses ${blamed.parameter}=${view.query.get(blamed.parameter) ?? ''}, which the specification allows`,
    expected: `an answer, or a refusal of ${open.join(' or ')}`,
    actual: describeAnswer(view),
    pointer: '/message',
  });
}

/** Ruling 11: a known currency without token economics or fundraising is answered as what is not found. */
function isAbsence(view: View): boolean {
  return mayBeAbsent(view.exchange.endpoint) && isNotFound(view);
}

/** The refusal of §7 for what an identifier does not find. */
export function isNotFound(view: View): boolean {
  return view.status === 404 && errorNamed(codeOf(view) ?? 0) === 'notFound';
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
  into.expect(ANSWERED[endpoint], view, isOfKind(kind, view), () => ({
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

/**
 * What is wrong with the fields of an answer; undefined where none can be judged. An error body with a wrong status has no
 * fields of a record to miss, nor has an object of another kind, which the endpoint's own requirement is about.
 */
export function fieldProblems(view: View, context: Context): readonly BodyProblem[] | undefined {
  const shape = view.endpoint?.response;
  if (!view.ok || !view.isJson || view.wrapped || shape?.resource === undefined) return undefined;
  if (!isJudgeable(view, context) || isMislabelled(view)) return undefined;
  if (shape.kind === 'object' && !isOfKind('object', view)) return undefined;
  let known = problems.get(view);
  if (known === undefined) problems.set(view, (known = validateBody(shape, view.body)));
  return known;
}

/** Problems of each body, looked for once: every field of it asks for them. */
const problems = new WeakMap<View, readonly BodyProblem[]>();

/** What is said of a problem. */
export const fieldFinding = (view: View, problem: BodyProblem): FindingText => ({
  message: `${place(view)}: ${problem.message}`,
  expected: problem.expected,
  actual: problem.actual,
  pointer: `${view.root}${problem.place}`,
});

/** A record that is no object at all is no answer of the endpoint. */
const records: Rule = {
  name: 'records',
  judges: Object.values(ANSWERED),
  each(view, context, into) {
    const { endpoint } = view.exchange;
    if (endpoint === null) return;
    for (const problem of fieldProblems(view, context) ?? []) {
      if (problem.breaks === undefined && !problem.isReasonedNull) {
        into.found(ANSWERED[endpoint], view, fieldFinding(view, problem));
      }
    }
  },
};

export const SHAPE_RULES: readonly Rule[] = [answers, records];
