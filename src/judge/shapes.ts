import { STATUS } from '../spec/finding.ts';
import { mayBeAbsent, type EndpointPath, type ResponseShape } from '../spec/endpoints.ts';
import { perObject } from '../text/remembered.ts';
import { PAGED } from './pages.ts';
import { isHeaderCaseRefusal } from './transport.ts';
import { isForbiddenWrongly, isJudgeable, type Context } from './context.ts';
import { expectationOf } from './expectation.ts';
import { describeAnswer, isAbout, isMislabelled, isNotFound, namedParameter } from './errors.ts';
import { show, type FindingText } from './judgement.ts';
import { readablePointer, validateBody, type BodyProblem } from './schema/schemas.ts';
import { judgeEach, type Judge, type OwnJudgement } from './judge.ts';
import { hasStatedKind } from './relations.ts';
import { SERIES } from './series.ts';
import type { View } from './view.ts';
import { SUMMARY } from './etf-rows.ts';

/** Whether a request asks for a range of a series. */
export const asksForRange = ({ exchange, query }: View): boolean =>
  SERIES.some(
    ({ endpoint, start, end }) =>
      endpoint === exchange.endpoint && (query.has(start) || query.has(end)),
  );

/** Whether a request conforms to §4, so that its answer can be judged. */
export const isAsked = (view: View, context: Context): boolean =>
  isJudgeable(view, context) &&
  !view.wrapped &&
  view.exchange.endpoint !== null &&
  view.exchange.request.method === 'GET' &&
  !isHeaderCaseRefusal(view);

/** If the restricted key has access, its refusals are about the request, as with any other key. */
const isRefusedAsKey = (view: View, { accepted }: Context): boolean => {
  const { role, key, endpoint: path } = view.exchange;
  if (role !== 'restricted') return false;
  return view.status === 401 || view.status === 403 || !accepted.has(`${key ?? ''} ${path ?? ''}`);
};

/** Whether an answer is about the request rather than the key. */
export const isAboutRequest = (view: View, context: Context): boolean =>
  isAsked(view, context) &&
  !isRefusedAsKey(view, context) &&
  expectationOf(view, context).kind !== 'refused';

/** What to check in the answer to a well-formed request. */
interface AnswerCheck {
  /** The parameter tested; undefined if the endpoint itself is. */
  readonly tested: Acceptance | undefined;
  /** False for a success that shows nothing about the parameter. */
  readonly proves: boolean;
}

function checkFor(view: View, context: Context): AnswerCheck | undefined {
  if (!isWellFormedRequest(view, context) || mayBeRefused(view, context) || isAbsentResource(view))
    return undefined;
  // 4/json-body judges bodies that are not JSON.
  if (view.ok && !view.isJson) return undefined;
  const tested = expectationOf(view, context).kind === 'open' ? undefined : testedBy(view);
  // A body of another kind shows nothing about a parameter.
  const proves = tested === undefined || (tested.byContent !== true && hasStatedKind(view));
  return { tested, proves };
}

const isWellFormedRequest = (view: View, context: Context): boolean =>
  isAboutRequest(view, context) && view.endpoint?.response.kind !== 'unstated';

/**
 * Whether the specification allows a refusal. An open parameter does not justify refusing a key that works elsewhere.
 */
const mayBeRefused = (view: View, context: Context): boolean =>
  expectationOf(view, context).kind === 'open' && view.status !== 401;

/** §4: a well-formed request with a good key succeeds, and the body is of the specified kind. */
export const answered = judgeEach((view, context, it) => {
  const check = checkFor(view, context);
  if (check !== undefined && check.tested === undefined) judgeStatus(view, context, it);
  if (check !== undefined && view.ok) judgeKind(view, it);
  if (isWellFormedRequest(view, context) && isAbsentResource(view)) {
    const isOfRounds = view.exchange.endpoint?.endsWith('fundraising') === true;
    const what = isOfRounds ? 'fundraising' : 'token economics';
    it.note(`Answer for a currency without ${what}`, describeAnswer(view), view);
  }
  // A record that is not an object breaks the endpoint's requirement, not a field's.
  for (const problem of fieldProblems(view, context) ?? []) {
    if (problem.breaks !== undefined || problem.isReasonedNull) continue;
    it.found(view, fieldFinding(view, problem));
  }
});

// Which documented parameter value a request tests.

/** Names of the documented values that a service must accept. */
export const STATED_VALUES = [
  'largest limit',
  'bounds of page_size',
  'symbol in another case',
  'country in another case',
  'listed pair',
  'language',
  'category',
  'list of categories',
] as const;
export type StatedValue = (typeof STATED_VALUES)[number];

/** A query parameter and one of its documented values. */
export interface Acceptance {
  readonly endpoint: EndpointPath;
  readonly parameter: string;
  readonly applies: (query: ReadonlyMap<string, string>) => boolean;
  readonly value: StatedValue;
  /** Set where a 200 is not enough: other rules check the content. */
  readonly byContent?: true;
  /** Set where nearly every request sends the value, so that only a refusal naming the parameter counts. */
  readonly whenNamed?: true;
}

const exactly =
  (parameter: string, value: string | number): Acceptance['applies'] =>
  (query) =>
    query.get(parameter) === String(value);
const inOtherCase =
  (parameter: string): Acceptance['applies'] =>
  (query) =>
    /[a-z]/.test(query.get(parameter) ?? '');
const filter = (
  endpoint: EndpointPath,
  parameter: 'language' | 'category',
  value: StatedValue,
): Acceptance => ({
  endpoint,
  parameter,
  applies: (query) => query.has(parameter),
  value,
  byContent: true,
});

/** Documented values per endpoint (§4, §8, rulings 4 and 22). If a request matches several, the first one counts. */
export const ACCEPTANCE: readonly Acceptance[] = [
  ...SERIES.flatMap(({ endpoint, limit }): Acceptance[] => {
    const value = 'largest limit';
    if (limit === null) return [];
    return [{ endpoint, parameter: 'limit', applies: exactly('limit', limit.maximum), value }];
  }),
  ...PAGED.flatMap(({ endpoint, minimum, maximum }) => {
    const size = { endpoint, parameter: 'page_size', value: 'bounds of page_size' } as const;
    const largest = { ...size, applies: exactly('page_size', maximum) };
    if (minimum === 1) return [largest];
    // Most requests use the smallest page size.
    return [largest, { ...size, applies: exactly('page_size', minimum), whenNamed: true as const }];
  }),
  {
    endpoint: SUMMARY,
    parameter: 'symbol',
    applies: inOtherCase('symbol'),
    value: 'symbol in another case',
  },
  {
    endpoint: SUMMARY,
    parameter: 'country_code',
    applies: inOtherCase('country_code'),
    value: 'country in another case',
  },
  {
    endpoint: SUMMARY,
    parameter: 'symbol',
    applies: (query) => query.get('symbol') !== 'BTC' || query.get('country_code') !== 'US',
    value: 'listed pair',
  },
  filter('/news', 'language', 'language'),
  filter('/news', 'category', 'category'),
  filter('/news/featured', 'language', 'language'),
  {
    ...filter('/news/featured', 'category', 'list of categories'),
    applies: (query) => query.get('category')?.includes(',') === true,
  },
  filter('/news/featured', 'category', 'category'),
];

/** The entry that an answer tests: the parameter named by a refusal, otherwise the first match. */
export function testedBy(view: View): Acceptance | undefined {
  const { endpoint } = view.exchange;
  const tested = ACCEPTANCE.filter(
    (entry) => entry.endpoint === endpoint && entry.applies(view.query),
  );
  const usual = tested.find(({ whenNamed }) => whenNamed !== true);
  if (view.ok) return usual;
  const named = tested.find(({ parameter }) => isAbout(view, parameter));
  return named ?? usual;
}

/** Checks that a documented value is accepted (see `ACCEPTANCE`). */
export const accepted = (value: StatedValue): Judge => ACCEPTED[value];

const acceptanceOf = (value: StatedValue): Judge =>
  judgeEach((view, context, it) => {
    const own = ACCEPTANCE.filter(
      (entry) => entry.value === value && entry.endpoint === view.exchange.endpoint,
    );
    if (own.length === 0) return;
    const check = checkFor(view, context);
    if (check === undefined) return;
    const { tested, proves } = check;
    if (tested?.value === value && (proves || view.status !== 200))
      judgeStatus(view, context, it, tested);
    // The answer confirms the country as well as the symbol.
    const isShown = view.ok && proves && view.exchange.endpoint === SUMMARY;
    if (isShown && own.some(({ applies }) => applies(view.query))) it.judged(view);
  });

const ACCEPTED = Object.fromEntries(
  STATED_VALUES.map((value) => [value, acceptanceOf(value)]),
) as Readonly<Record<StatedValue, Judge>>;

function judgeStatus(view: View, context: Context, it: OwnJudgement, tested?: Acceptance): void {
  const asForbidden = isForbiddenWrongly(view, context);
  it.expect(view, view.status === 200, () => ({
    ...(view.ok || asForbidden
      ? { kind: view.ok ? 'other-success' : 'key-kept-out' }
      : { kind: 'request-refused', facts: { of: refusedFor(view, tested?.parameter) } }),
    expected: `status 200${asForbidden ? '; a key that may not call every endpoint belongs under keys.restricted' : ''}`,
    actual: describeAnswer(view),
    header: STATUS,
  }));
}

/** The parameter that was refused: the one that the request tests, or else the one that the refusal names. */
function refusedFor(view: View, parameter = namedParameter(view) ?? ''): string {
  const { exchange, query, endpoint: shape } = view;
  const sent = new Map([...Object.entries(exchange.pathParameters), ...query]).get(parameter);
  if (sent !== undefined) return ` with ${parameter}=${sent}`;
  return Object.hasOwn(shape?.query ?? {}, parameter) ? ` without ${parameter}` : '';
}

/** Ruling 11: a known currency without token economics or fundraising may yield not found. */
function isAbsentResource(view: View): boolean {
  return mayBeAbsent(view.exchange.endpoint) && isNotFound(view);
}

function judgeKind(view: View, it: OwnJudgement): void {
  const kind = view.endpoint?.response.kind;
  if (kind === undefined || kind === 'unstated') return;
  const words = {
    array: 'an array',
    object: 'an object with the stated fields',
    page: 'an object with an array `list`',
  };
  it.expect(view, hasStatedKind(view), () => ({
    kind: 'other-body',
    expected: words[kind],
    actual: show(view.body),
    pointer: view.root,
  }));
}

/**
 * Schema problems of an answer; undefined if its fields cannot be judged. Mislabelled errors and objects of another
 * kind are excluded: they have no record fields to miss.
 */
export function fieldProblems(view: View, context: Context): readonly BodyProblem[] | undefined {
  const shape = view.endpoint?.response;
  if (!view.ok || !view.isJson || view.wrapped || shape?.resource === undefined) return undefined;
  if (!isJudgeable(view, context) || isMislabelled(view)) return undefined;
  if (shape.kind === 'object' && !hasStatedKind(view)) return undefined;
  return problemsOf(view, shape);
}

/** Validated once, since every field requirement asks. */
const problemsOf = perObject((view: View, shape: ResponseShape) => validateBody(shape, view.body));

export const fieldFinding = (view: View, problem: BodyProblem): FindingText => ({
  kind:
    problem.is === 'null' || problem.keyword === 'type' || problem.keyword === 'required'
      ? `field-${problem.is}`
      : 'field-value',
  facts: {
    field: readablePointer(problem.pointer),
    is: problem.actual,
    due: `${problem.expected}${problem.alike === 0 ? '' : ` (${problem.alike} more)`}`,
  },
  expected: problem.expected,
  actual: problem.actual,
  pointer: `${view.root}${problem.pointer}`,
});
