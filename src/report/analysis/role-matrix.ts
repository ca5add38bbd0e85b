import { ENDPOINT_PATHS, type EndpointPath } from '../../spec/endpoints.ts';
import { errorNamed } from '../../spec/error-codes.ts';
import { inferredRole, KEY_ROLES, type Exchange, type KeyRole } from '../../spec/exchange.ts';
import { clause, plural } from '../../text/text.ts';
import { accessOf, type Access } from '../../requirements/access.ts';
import { groupBy } from '../../text/group-by.ts';
import { errorCode, statusOfCode } from '../model/error-code.ts';
import type { Outcome, RequirementResult, Results } from '../model/results.ts';
import { isGap, isJudged, isViolated, shownBy } from '../model/status.ts';
import { forbiddenIn } from './rate-windows.ts';

/**
 * Access of a role to an endpoint. `passed`: a judged response is the expected one. `observed`: another error that the
 * judge allows, such as 404 for an unknown id. `inconclusive`: no judged response, or a server error in place of a refusal;
 * `untested`: not requested.
 */
export type CellOutcome = Exclude<Outcome, 'error'>;

/** One kind of response in a cell. */
export type Seen = ReturnType<typeof seenIn>[number];

/** Expected and actual access of one key role to one endpoint. */
export interface RoleCell {
  readonly role: KeyRole;
  readonly access: Access;
  readonly outcome: CellOutcome;
  /** Responses by kind: wrong ones first, those that let the key in before others, then expected ones, then by number. */
  readonly seen: readonly Seen[];
  /** The violated requirement, and the id of the exchange that shows it; null without one. */
  readonly finding: { readonly requirement: string; readonly exchange: string } | null;
  /** Why nothing is known; null otherwise. */
  readonly why: string | null;
}

const cellKey = (role: KeyRole, endpoint: string): string => `${role} ${endpoint}`;

/**
 * Access of each key role to each endpoint, taken from the judged results. Columns: roles that are accepted somewhere, then
 * those that are refused; `due`: the expected responses over all endpoints, the most frequent first. Rows: those where a key
 * was let in by mistake, then those with other findings.
 */
export function roleMatrix(results: Results) {
  const forbidden = forbiddenIn(results);
  const columns = KEY_ROLES.map((role) => {
    const access = ENDPOINT_PATHS.map((path) => accessOf(role, path, forbidden));
    const due = [...groupBy(access, ({ short }) => short)];
    return {
      role,
      due: due.toSorted(([, a], [, b]) => b.length - a.length).map(([short]) => short),
      barred: access.every(({ allowed }) => !allowed),
    };
  }).toSorted((a, b) => Number(a.barred) - Number(b.barred));
  // Other methods are unspecified (§4).
  const got = results.exchanges.filter(({ request }) => request.method === 'GET');
  const { keys } = results.target;
  const exchanges = groupBy(got, (one) => cellKey(inferredRole(one, keys), one.endpoint ?? ''));
  const against = groupBy(
    results.requirements
      .filter(isViolated)
      .flatMap((requirement) =>
        shownBy({ ...requirement, exchanges: [] }).map((exchange) => ({ requirement, exchange })),
      ),
    ({ exchange }) => exchange,
  );
  const judged = new Set(results.requirements.filter(isJudged).flatMap((one) => one.exchanges));
  const requirements = new Map(results.requirements.map((one) => [one.id, one]));

  const cellOf = (role: KeyRole, endpoint: EndpointPath): RoleCell => {
    const access = accessOf(role, endpoint, forbidden);
    const asked = exchanges.get(cellKey(role, endpoint)) ?? [];
    const own = requirements.get(access.requirement ?? '');
    // A refusal from which the role was inferred says nothing about keys of that role.
    const isTold = (one: Exchange): boolean => one.role === role;
    const isInferred = !asked.some(isTold);
    const answers = asked.map((one) =>
      answerOf(one, access, own, (isTold(one) && against.get(one.id)) || []),
    );
    const seen = seenIn(answers);
    const cell = { role, access, seen, finding: null, why: null };
    const { violated, exchange = '' } = seen[0] ?? {};
    if (violated !== undefined) {
      const finding = { requirement: violated.id, exchange };
      return { ...cell, outcome: violated.outcome as CellOutcome, finding };
    }
    const isUnclear =
      isInferred || seen.some(({ status }) => (access.allowed ? isDenied(status) : status >= 500));
    if (!isUnclear && answers.some((one) => judged.has(one.exchange) && one.due))
      return { ...cell, outcome: 'passed' };
    // Another error that the judge allows (rulings 8, 16).
    const isOpposite = access.allowed ? isDenied : isLetIn;
    const kept = own !== undefined && isJudged(own) ? own.exchanges : [];
    const other = access.allowed ? 'not refused for its key' : 'refused for another reason';
    if (!isUnclear && answers.some((one) => kept.includes(one.exchange) && !isOpposite(one.status)))
      return { ...cell, outcome: 'observed', why: other };
    if (asked.length === 0)
      return { ...cell, outcome: 'untested', why: whyNotAsked(role, own, results) };
    if (own?.reason != null && (isInferred || own.cause?.kind === 'not-selected'))
      return { ...cell, outcome: 'untested', why: clause(own.reason) };
    // The reason of the requirement may be about another endpoint.
    const why = `${seen.map(seenWords).join(', ')}: unclear whether the key was accepted`;
    return { ...cell, outcome: 'inconclusive', why };
  };
  const rows = ENDPOINT_PATHS.map((endpoint) => ({
    endpoint,
    cells: columns.map(({ role }) => cellOf(role, endpoint)),
  }));
  const rankOf = ({ cells }: (typeof rows)[number]): number =>
    cells.some(isAccepted) ? 0 : cells.some(({ finding }) => finding !== null) ? 1 : 2;
  return { columns, rows: rows.toSorted((a, b) => rankOf(a) - rankOf(b)) };
}

/** A response to a role, with the requirement about keys that it violates. */
function answerOf(
  exchange: Exchange,
  access: Access,
  own: RequirementResult | undefined,
  against: readonly { readonly requirement: RequirementResult }[],
) {
  /** 0 without a response. */
  const status = exchange.response?.status ?? 0;
  /** 0 without an error body. */
  const code = errorCode(exchange);
  // A refusal may have the status of a success.
  const due = access.isDue(status, code) && (status >= 400 || statusOfCode(exchange) === null);
  const isAboutKey = access.allowed ? isDenied(status) : isOfKeys(code);
  const found = against.map(({ requirement }) => requirement);
  // When due, the body may be wrong, but the key was accepted or refused as it must be.
  const violated = due ? undefined : found.find((one) => one === own || isAboutKey);
  return { status, code, exchange: exchange.id, due, violated, wrong: violated !== undefined };
}

/** True for a code that only a refusal of the key has, whatever else is wrong with the request. */
const isOfKeys = (code: number): boolean =>
  ['invalidKey', 'expiredKey', 'forbidden'].includes(errorNamed(code) ?? '');

const isDenied = (status: number): boolean => status === 401 || status === 403;

const isLetIn = (status: number): boolean => status >= 200 && status < 300;

function seenIn(answers: readonly ReturnType<typeof answerOf>[]) {
  return [...groupBy(answers, (one) => [one.status, one.code, one.due, one.wrong].join()).values()]
    .map((own) => ({ ...own[0], count: own.length }))
    .toSorted(
      (a, b) =>
        Number(b.wrong) - Number(a.wrong) ||
        Number(hasLetIn(b)) - Number(hasLetIn(a)) ||
        Number(b.due) - Number(a.due) ||
        b.count - a.count,
    );
}

/** Why a role was not tested: its key is missing, or the run did not include it. */
function whyNotAsked(
  role: KeyRole,
  own: RequirementResult | undefined,
  { target, profile }: Results,
): string {
  if (profile === 'recorded' || profile === 'watched')
    return `no such request in the ${profile} traffic`;
  const isIssued = role !== 'none' && role !== 'unknown';
  if (role === 'nearQuota' && target.keys[role]?.length === 0)
    return 'the monitor does not use the near-quota key';
  if (isIssued && (target.keys[role] ?? []).length === 0) return `no such key: set keys.${role}`;
  // Few requests need the near-quota key in any profile, and the requirement is about the valid one.
  if (role === 'nearQuota') return 'not requested in this run';
  if (own !== undefined && isGap(own.outcome) && own.reason !== null) return clause(own.reason);
  return `not requested in this run${profile === 'smoke' ? '; use --profile standard' : ''}`;
}

/** `401 400101`, `200`, `no response`. */
export const answerWords = ({ status, code }: Pick<Seen, 'status' | 'code'>): string =>
  status === 0 ? 'no response' : code === 0 ? String(status) : `${status} ${code}`;

/** `401 400101 ×3`. */
export const seenWords = (seen: Seen): string => `${answerWords(seen)} ×${seen.count}`;

/** `Invalid keys were refused in 61 of 62 pairs of key and endpoint, 1 accepted at least once`, and the same for the restricted key. */
export function refusalWords({ rows }: Pick<ReturnType<typeof roleMatrix>, 'rows'>): string {
  const all = rows.flatMap((row) => row.cells);
  const cells = all.filter(({ access }) => !access.allowed);
  const restricted = cells.filter(({ role }) => role === 'restricted');
  const invalid = cells.filter(({ role }) => role !== 'restricted');
  const isTried = all.some(({ role, seen }) => role === 'restricted' && seen.length > 0);
  return [
    refusalsIn(invalid, 'Invalid keys were', 'tested'),
    ...(restricted.length > 0
      ? [refusalsIn(restricted, 'the restricted key was', 'tried where it is forbidden')]
      : isTried
        ? []
        : ['no restricted key was tried']),
  ].join('; ');
}

const hasLetIn = ({ wrong, status }: { wrong: boolean; status: number }): boolean =>
  wrong && isLetIn(status);

/** True for a cell where a key was let in that had to be refused. */
export const isAccepted = ({ seen }: Pick<RoleCell, 'seen'>): boolean => seen.some(hasLetIn);

function refusalsIn(cells: readonly RoleCell[], whose: string, tried: string): string {
  const of = (...outcomes: readonly CellOutcome[]): readonly RoleCell[] =>
    cells.filter(({ outcome }) => outcomes.includes(outcome));
  const tested = cells.length - of('untested').length;
  if (tested === 0) return `${whose} not ${tried}`;
  const wrong = of('failed', 'warned', 'waived');
  const accepted = wrong.filter(isAccepted);
  const otherwise = wrong.filter((cell) => !isAccepted(cell));
  const refused = of('passed', 'observed').length + otherwise.length;
  const told = (own: readonly RoleCell[], words: string): readonly string[] => {
    const waived = own.filter(({ outcome }) => outcome === 'waived').length;
    return own.length === 0
      ? []
      : [`${own.length} ${words}${waived === 0 ? '' : ` (${waived} waived)`}`];
  };
  const open = [...told(of('inconclusive'), 'inconclusive'), ...told(of('untested'), 'not tested')];
  if (of('inconclusive').length === tested) return `${whose} not judged: ${open.join(', ')}`;
  return [
    `${whose} refused in ${refused} of ${plural(tested, 'pair')} of key and endpoint`,
    ...told(otherwise, 'with the wrong error'),
    ...told(of('observed'), 'with another permitted error'),
    ...told(accepted, 'accepted at least once'),
    ...open,
  ].join(', ');
}
