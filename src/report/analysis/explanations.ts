import { endpoint as factsOf } from '../../spec/endpoints.ts';
import { isEnveloped } from '../../spec/envelope.ts';
import { codeForm, ERRORS } from '../../spec/error-codes.ts';
import { BAD_KEYS, type Exchange } from '../../spec/exchange.ts';
import { STATUS } from '../../spec/finding.ts';
import { knownAbout } from '../../requirements/catalogue.ts';
import type { Explains } from '../../requirements/definition.ts';
import { isObject, parsedJson } from '../../text/json-value.ts';
import { groupBy } from '../../text/group-by.ts';
import { plural } from '../../text/text.ts';
import { statusOfCode } from '../model/error-code.ts';
import { OF_VALID } from './seen.ts';
import type { RequirementResult, ResultFinding, Results } from '../model/results.ts';

/** A defect that explains many findings and is reported in their place. */
export interface Explanation {
  /** Unique among the causes of a run. */
  readonly name: string;
  readonly message: (endpoints: readonly string[]) => string;
  readonly advice?: string;
  /** What the requirement explains whose findings show it best. */
  readonly shownBy?: Explains;
  readonly isRefusal?: boolean;
  readonly applies: (exchange: Exchange) => boolean;
  /** Whether it explains a finding in such an exchange; `isElsewhere`: other responses have the same field or header wrong. */
  readonly covers: (finding: ResultFinding, isElsewhere: boolean) => boolean;
}

/** True for the requirement whose findings show a defect best. */
export const isShownBy = ({ shownBy }: Explanation, { id }: RequirementResult): boolean =>
  shownBy !== undefined && knownAbout(id).explains === shownBy;

/** `GET /news and 3 other endpoints` */
const namesOf = ([first = '', ...others]: readonly string[]): string =>
  `GET ${first}${others.length === 0 ? '' : ` and ${plural(others.length, 'other endpoint')}`}`;

/** Endpoints where every request with a valid key got the response of a missing route. */
function missingEndpoints({ exchanges }: Results): Explanation {
  const asked = exchanges.filter(
    ({ endpoint, role, response }) =>
      endpoint !== null && role === 'valid' && response !== null && response.status !== 429,
  );
  const byEndpoint = groupBy(asked, ({ endpoint }): string => endpoint ?? '');
  const missing = new Map([...byEndpoint].filter(([, own]) => own.every(isUnrouted)));
  return {
    name: 'missing endpoints',
    message: (endpoints) => {
      const is = endpoints.length === 1 ? 'is' : 'are';
      const answers = endpoints.flatMap((one) => missing.get(one) ?? []);
      const statuses = new Set(answers.map(({ response }) => response?.status));
      return `${namesOf(endpoints)} ${is} missing: every request with a valid key got ${[...statuses].join(' or ')}.`;
    },
    advice: 'Check the routes of the service and of the gateway in front of it.',
    applies: (exchange) => missing.has(exchange.endpoint ?? '') && isUnrouted(exchange),
    covers: (_, isElsewhere) => !isElsewhere,
  };
}

/** Kinds of findings about whether a request had to be refused, whatever the status and the code. */
const OF_REFUSING: readonly string[] = [
  ...OF_VALID,
  'refused-after-reset',
  'refused-before-quota',
  'refused-early',
  'refused-early-always',
  'refused-for-all-keys',
];

/**
 * Status and code from different rows of §7, as when a gateway sets the status and the service the code.
 * @param isStatusDue true if the status is the expected one, so that the code is wrong
 */
const mismatchedStatus = (exchange: Exchange, isStatusDue: boolean): readonly Explanation[] => {
  const due = statusOfCode(exchange);
  const { response } = exchange;
  if (due === null || response === null) return [];
  const { status } = response;
  return [
    {
      name: `status ${status} for ${due}${isStatusDue ? ', which is right' : ''}`,
      message: (endpoints) => {
        const refusals = `Refusals from ${plural(endpoints.length, 'endpoint')} have`;
        return isStatusDue
          ? `${refusals} the right status ${status}, and the code of another error, to which §7 assigns ${due}.`
          : `${refusals} status ${status} where §7 assigns ${due} to their code.`;
      },
      advice: isStatusDue
        ? 'Keep the status, and take the code from the same table row.'
        : 'Take the status from the same table row as the code, even where a gateway or framework answers.',
      isRefusal: status < 400,
      applies: () => true,
      // It explains findings about the status and the code only, and no code of another error with a wrong status.
      // That a valid request was refused at all is a defect of its own.
      covers: ({ kind = '', pointer, header, facts }) =>
        pointer === '/code' ||
        (pointer === null &&
          !OF_REFUSING.includes(kind) &&
          (header === undefined || (header === STATUS && facts?.['wrong'] !== 'error code'))),
    },
  ];
};

/** Server errors at more endpoints than this share one defect. */
const FEW = 5;

/**
 * A server error explains everything found in it: one defect per endpoint, or per role of a bad key for endpoints where only
 * requests with bad keys get one.
 */
function serverErrors({ exchanges, settings }: Results): (exchange: Exchange) => Explanation {
  const applies = ({ response }: Exchange): boolean => (response?.status ?? 0) >= 500;
  // Of unknown paths, one handler answers.
  const endpointOf = ({ endpoint }: Exchange): string => endpoint ?? 'unknown paths';
  const failed = exchanges.filter(applies);
  const all = new Set(failed.map(endpointOf));
  const isOfKey = ({ role }: Exchange): boolean => BAD_KEYS.includes(role);
  const ofOthers = new Set(failed.filter((one) => !isOfKey(one)).map(endpointOf));
  const isByKey = (exchange: Exchange): boolean =>
    all.size <= FEW && isOfKey(exchange) && !ofOthers.has(endpointOf(exchange));
  const header = (settings?.keyHeader ?? 'X-API-KEY').toLowerCase();
  const wayOf = ({ role, request }: Exchange): string => {
    if (role !== 'none') return `with the ${role} key`;
    const isSent = Object.keys(request.headers).some((one) => one.toLowerCase() === header);
    return isSent ? 'with an empty key' : 'without a key';
  };
  const howOf = ({ role }: Exchange): string =>
    [...new Set(failed.filter((one) => one.role === role).map(wayOf))].join(' and ');
  return (exchange) => ({
    name: `server errors ${isByKey(exchange) ? howOf(exchange) : all.size > FEW ? '' : endpointOf(exchange)}`,
    message: (endpoints) =>
      `${namesOf(endpoints)} ${endpoints.length === 1 ? 'answers with a server error' : 'answer with server errors'}${isByKey(exchange) ? ` ${howOf(exchange)}` : ''}.`,
    shownBy: 'server errors',
    applies,
    covers: (_, isElsewhere) => !isElsewhere,
  });
}

/** Status and headers can still be judged. */
const inBody = ({ pointer }: ResultFinding): boolean => pointer !== null;

/** `12 of 300`: how many responses of a kind to GET requests have a defect. */
function shareOf(
  { exchanges }: Results,
  isOfKind: Explanation['applies'],
  applies: Explanation['applies'],
): string {
  const all = exchanges.filter((one) => one.request.method === 'GET' && isOfKind(one));
  return `${all.filter(applies).length} of ${all.length}`;
}

function notJson(results: Results): Explanation {
  const applies = (exchange: Exchange): boolean => bodyOf(exchange) === undefined;
  const share = shareOf(results, ({ response }) => response !== null, applies);
  const own = results.exchanges.filter((one) => one.request.method === 'GET' && applies(one));
  const are = own.every(({ response }) => response?.text === '') ? 'empty' : 'not JSON';
  return {
    name: 'bodies that are not JSON',
    message: () =>
      `Bodies are ${are} (${share} responses), so nothing in them matches the specification.`,
    shownBy: 'bodies that are not JSON',
    applies,
    covers: inBody,
  };
}

/** Successful bodies with the resource in an outer object such as `{code, message, data}` (ruling 21). */
function wrappedBodies(results: Results): Explanation {
  const isGood = ({ endpoint, response }: Exchange): boolean =>
    endpoint !== null && response !== null && response.status >= 200 && response.status <= 299;
  const applies = (exchange: Exchange): boolean =>
    isGood(exchange) &&
    exchange.endpoint !== null &&
    isEnveloped(bodyOf(exchange), factsOf(exchange.endpoint));
  const share = shareOf(results, isGood, applies);
  // No findings are about endpoints whose bodies are not specified.
  const all = results.exchanges.filter((one) => one.request.method === 'GET' && applies(one));
  const paths = all.flatMap(({ endpoint }) => endpoint ?? []);
  return {
    name: 'wrapped',
    message: (endpoints) =>
      `Bodies are wrapped (${share} successful responses; ${namesOf([...new Set([...endpoints, ...paths])])}): the resource is under "data" in an outer object, but the specification requires the bare body.`,
    advice:
      'To judge the inner value, add "envelope: data" to the target file; reports then note the setting.',
    shownBy: 'wrapped bodies',
    applies,
    // An envelope changes neither headers nor status.
    covers: ({ pointer }) => pointer !== null && !pointer.startsWith('/data/'),
  };
}

/** A member of error bodies or pages that is missing or of another type: all findings about it follow from that. */
const memberOf = (
  of: 'error body' | 'page',
  name: string,
  type: string,
  isRight: (value: unknown) => boolean,
): Explanation => ({
  name: `${name} of another type`,
  message: (endpoints) => `${namesOf(endpoints)}: \`${name}\` of the ${of} is not ${type}.`,
  applies(exchange) {
    const { endpoint, response } = exchange;
    const body = bodyOf(exchange);
    const isOne =
      of === 'page'
        ? response?.status === 200 && endpoint && factsOf(endpoint).response.kind === 'page'
        : (response?.status ?? 0) >= 400;
    return isOne === true && isObject(body) && !isRight(body[name]);
  },
  covers: ({ pointer }) => pointer === '' || pointer?.startsWith(`/${name}`) === true,
});

const MEMBERS: readonly Explanation[] = [
  memberOf('error body', 'message', 'a string', (value) => typeof value === 'string'),
  memberOf('error body', 'details', 'an object', isObject),
  memberOf('page', 'list', 'an array', Array.isArray),
];

/** Defects of error bodies, where nearly all errors of a run have them. */
const OF_ERRORS: readonly Explanation[] = [
  {
    name: 'error bodies of another shape',
    message: () =>
      'Error bodies do not have the shape that §7 states: code (number), message (string), details (object).',
    advice: 'Write all error bodies in one place, including those of the router and the gateway.',
    shownBy: 'error bodies of another shape',
    applies: (exchange) => errorBodyOf(exchange) === 'no code',
    covers: inBody,
  },
  {
    name: 'custom error codes',
    message: () => 'Error bodies have custom codes, not those of §7.',
    advice:
      'Map every refusal to its row of the table in §7, in one place: clients decide what to do from the code.',
    shownBy: 'custom error codes',
    applies: (exchange) => errorBodyOf(exchange) === 'own code',
    covers: ({ pointer }) => pointer === '/code',
  },
];

/** What replaces the code of §7 in an error body; null if the code is present or the response is not an error. */
function errorBodyOf(exchange: Exchange): 'own code' | 'no code' | null {
  const body = bodyOf(exchange);
  if ((exchange.response?.status ?? 0) < 400 || body === undefined || body === null) return null;
  const code = codeOf(body);
  if (typeof code !== 'number') return 'no code';
  return codeForm(code) === 'unknown' ? 'own code' : null;
}

const codeOf = (body: unknown): unknown => (isObject(body) ? body['code'] : undefined);

/** Minimum number of errors for a statement about all of them, and the share for which it must hold. */
const ENOUGH_ERRORS = 6;
const NEARLY_ALL = 0.8;

/** Defects of nearly all errors of a run, which therefore share one cause. */
function wrongErrors(exchanges: readonly Exchange[]): readonly Explanation[] {
  const errors = exchanges.filter(
    (exchange) => (exchange.response?.status ?? 0) >= 400 && bodyOf(exchange) !== undefined,
  );
  return OF_ERRORS.filter(
    ({ applies }) =>
      errors.length >= ENOUGH_ERRORS && errors.filter(applies).length >= NEARLY_ALL * errors.length,
  );
}

/** The body of a response; undefined when it is not JSON. A truncated one proves nothing. */
const bodyOf = ({ response }: Exchange): unknown =>
  response === null || response.truncated === true ? null : parsedJson(response.text);

/** True for a response from the router or a gateway. */
function isUnrouted(exchange: Exchange): boolean {
  if (![404, 405, 410, 501].includes(exchange.response?.status ?? 0)) return false;
  const code = codeOf(bodyOf(exchange));
  return code === undefined || code === ERRORS.unknownEndpoint.code;
}

/** Finds the defect that explains a finding, if that is a different one. */
export function explaining(results: Results) {
  // The exchanges of a load are not kept.
  if (results.exchanges.length === 0) return () => null;
  const exchanges = new Map(results.exchanges.map((exchange) => [exchange.id, exchange]));
  const isOfCode = ({ kind, pointer }: ResultFinding): boolean =>
    (kind === 'refused-otherwise' || kind === 'wrong-refusal-code') && pointer === '/code';
  const findings = results.requirements.flatMap((one) => one.findings.filter(isOfCode));
  const wrongCodes = new Set(findings.map(({ exchange }) => exchange));
  const missing = missingEndpoints(results);
  const serverError = serverErrors(results);
  // A field or header that other responses have wrong, too, does not follow from a server error or a missing endpoint.
  const placeOf = ({ kind, pointer, header }: ResultFinding): string =>
    JSON.stringify([kind, pointer, header]);
  const isOfPart = ({ kind, pointer, header = STATUS }: ResultFinding): boolean =>
    kind !== 'refused-otherwise' && (Boolean(pointer) || header !== STATUS);
  const elsewhere = new Set(
    results.requirements
      .flatMap((one) => one.findings.filter(isOfPart))
      .filter(({ exchange: id }) => {
        const exchange = exchanges.get(id ?? '');
        return exchange && ![missing, serverError(exchange)].some((one) => one.applies(exchange));
      })
      .map(placeOf),
  );
  const kinds: readonly Explanation[] = [
    missing,
    notJson(results),
    ...wrongErrors(results.exchanges),
    ...(results.target.envelope === null ? [wrappedBodies(results)] : []),
    ...MEMBERS,
  ];
  const known = new Map<string, readonly Explanation[]>();
  const kindsOf = (id: string | null): readonly Explanation[] => {
    const exchange = exchanges.get(id ?? '');
    if (exchange === undefined) return [];
    const found = known.get(exchange.id) ?? [
      ...[serverError(exchange), ...kinds].filter((kind) => kind.applies(exchange)),
      ...mismatchedStatus(exchange, wrongCodes.has(exchange.id)),
    ];
    known.set(exchange.id, found);
    return found;
  };
  return (requirement: RequirementResult, finding: ResultFinding): Explanation | null =>
    kindsOf(finding.exchange).find(
      (kind) =>
        kind.covers(finding, elsewhere.has(placeOf(finding))) || isShownBy(kind, requirement),
    ) ??
    kinds.find((kind) => isShownBy(kind, requirement)) ??
    null;
}
