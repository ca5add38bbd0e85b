import { ENDPOINT_PATHS, type EndpointPath } from '../../spec/endpoints.ts';
import { KEY_ROLES, type Exchange, type KeyRole } from '../../spec/exchange.ts';
import { plural } from '../../text/text.ts';
import { accessOf, MAX_FINDINGS, type Access } from '../../requirements/access.ts';
import { groupBy } from '../model/group-by.ts';
import { errorCode } from '../model/error-code.ts';
import type { RequirementResult, Results } from '../model/results.ts';
import { outcomeOf } from '../model/waivable.ts';
import { isJudged } from '../model/status.ts';

/**
 * Access of a role to an endpoint. `passed`: as expected. `failed`, `warned`, `waived`: there is a finding. `inconclusive`:
 * requested, but no response shows it. `untested`: not requested.
 */
export type CellOutcome = 'passed' | 'failed' | 'warned' | 'waived' | 'inconclusive' | 'untested';

/** One kind of response in a cell. */
export interface Seen {
  /** HTTP status; 0 without a response. */
  readonly status: number;
  /** Code of the error body; 0 without one. */
  readonly code: number;
  readonly count: number;
  /** Id of the first exchange that shows it. */
  readonly exchange: string;
  /** True for the expected response. */
  readonly due: boolean;
  /** True when a finding about the key refers to such a response. */
  readonly wrong: boolean;
}

export interface CellFinding {
  readonly requirement: string;
  /** Id of the exchange that shows it; null when only its requirement is known. */
  readonly exchange: string | null;
}

/** Expected and actual access of one key role to one endpoint. */
export interface RoleCell {
  readonly role: KeyRole;
  readonly endpoint: EndpointPath;
  readonly access: Access;
  readonly outcome: CellOutcome;
  /** Responses by kind: wrong ones first, then expected ones, then the others, the most frequent first. */
  readonly seen: readonly Seen[];
  readonly finding: CellFinding | null;
  /** Why nothing is known; null otherwise. */
  readonly why: string | null;
}

/** A key role with its expected responses. */
export interface RoleColumn {
  readonly role: KeyRole;
  /** The expected responses over all endpoints, the most frequent first. */
  readonly due: readonly string[];
  /** True when it is refused everywhere. */
  readonly barred: boolean;
}

/** Every endpoint of §4 with every key role (§5). */
export interface RoleMatrix {
  /** Roles that are accepted somewhere, then those that are refused. */
  readonly columns: readonly RoleColumn[];
  readonly rows: readonly {
    readonly endpoint: EndpointPath;
    /** In the order of `columns`. */
    readonly cells: readonly RoleCell[];
  }[];
}

interface Known {
  /** Exchanges that some requirement was judged on: only these pass a cell. */
  readonly judged: ReadonlySet<string>;
  readonly exchanges: ReadonlyMap<string, readonly Exchange[]>;
  readonly findings: ReadonlyMap<string, readonly RequirementResult[]>;
  readonly requirements: ReadonlyMap<string, RequirementResult>;
  readonly results: Results;
}

const cellKey = (role: KeyRole, endpoint: string): string => `${role} ${endpoint}`;

/** Access of each key role to each endpoint, taken from the judged results. */
export function roleMatrix(results: Results): RoleMatrix {
  const known = knownOf(results);
  const forbidden = results.settings?.forbidden ?? [];
  const columns = KEY_ROLES.map((role): RoleColumn => {
    const access = ENDPOINT_PATHS.map((path) => accessOf(role, path, forbidden));
    const counts = new Map<string, number>();
    for (const { short } of access) counts.set(short, (counts.get(short) ?? 0) + 1);
    return {
      role,
      due: [...counts].toSorted(([, a], [, b]) => b - a).map(([short]) => short),
      barred: access.every(({ allowed }) => !allowed),
    };
  }).toSorted((a, b) => Number(a.barred) - Number(b.barred));
  const rows = ENDPOINT_PATHS.map((endpoint) => ({
    endpoint,
    cells: columns.map(({ role }) =>
      cellOf(role, endpoint, accessOf(role, endpoint, forbidden), known),
    ),
  }));
  return { columns, rows };
}

function knownOf(results: Results): Known {
  // Other methods are unspecified (§4).
  const got = results.exchanges.filter(({ request }) => request.method === 'GET');
  const exchanges = groupBy(got, ({ role, endpoint }) => cellKey(role, endpoint ?? ''));
  const findings = new Map<string, RequirementResult[]>();
  for (const requirement of results.requirements) {
    if (violated(requirement) === null) continue;
    for (const id of new Set(requirement.findings.map(({ exchange }) => exchange))) {
      if (id !== null) findings.set(id, [...(findings.get(id) ?? []), requirement]);
    }
  }
  const requirements = new Map(results.requirements.map((one) => [one.id, one]));
  const judged = new Set(results.requirements.filter(isJudged).flatMap((one) => one.exchanges));
  return { judged, exchanges, findings, requirements, results };
}

function violated(requirement: RequirementResult): 'failed' | 'warned' | 'waived' | null {
  const outcome = outcomeOf(requirement);
  return outcome === 'failed' || outcome === 'warned' || outcome === 'waived' ? outcome : null;
}

function cellOf(role: KeyRole, endpoint: EndpointPath, access: Access, known: Known): RoleCell {
  const asked = known.exchanges.get(cellKey(role, endpoint)) ?? [];
  const own = known.requirements.get(access.requirement ?? '');
  const against = asked.flatMap((one) => {
    const requirement = accusing(one, access, own, known);
    return requirement === null ? [] : [{ requirement, exchange: one.id }];
  });
  const wrong = new Set(against.map(({ exchange }) => exchange));
  const [first] = against;
  const cell = { role, endpoint, access, seen: seenIn(asked, access, wrong) };
  if (first !== undefined) {
    return {
      ...cell,
      outcome: violated(first.requirement) ?? 'failed',
      finding: { requirement: first.requirement.id, exchange: first.exchange },
      why: null,
    };
  }
  if (asked.some((one) => known.judged.has(one.id) && isFine(one, access, own))) {
    return { ...cell, outcome: 'passed', finding: null, why: null };
  }
  const outcome = asked.length === 0 ? 'untested' : 'inconclusive';
  const why = asked.length === 0 ? whyNotAsked(role, own, known) : whyOpen(cell.seen, own);
  return { ...cell, outcome, finding: null, why };
}

/** The requirement about keys that an exchange violates; null when none. */
function accusing(
  exchange: Exchange,
  access: Access,
  own: RequirementResult | undefined,
  { findings }: Known,
): RequirementResult | null {
  const status = exchange.response?.status ?? 0;
  const found = findings.get(exchange.id) ?? [];
  // The body may be wrong, but the key was accepted.
  if (access.allowed && access.isDue(status, 0)) return null;
  const said = found.find((one) => one === own || (access.allowed && isTurnedAway(status)));
  if (said !== undefined) return said;
  // Only the first findings of a requirement are recorded.
  const cut = own !== undefined && own.findings.length >= MAX_FINDINGS && violated(own) !== null;
  if (!cut || !own.exchanges.includes(exchange.id)) return null;
  const wrong = access.allowed ? isTurnedAway(status) : !access.isDue(status, errorCode(exchange));
  return wrong ? own : null;
}

const isTurnedAway = (status: number): boolean => status === 401 || status === 403;

/**
 * An expected response, or another allowed one: its requirement was judged on it without a finding (rulings 8 and 16). A
 * refused valid key and an accepted invalid key are never fine.
 */
function isFine(exchange: Exchange, access: Access, own: RequirementResult | undefined): boolean {
  const status = exchange.response?.status ?? 0;
  if (access.isDue(status, errorCode(exchange))) return true;
  if (access.allowed ? isTurnedAway(status) : isLetIn(status)) return false;
  return own !== undefined && isJudged(own) && own.exchanges.includes(exchange.id);
}

const isLetIn = (status: number): boolean => status >= 200 && status < 300;

function seenIn(
  asked: readonly Exchange[],
  access: Access,
  wrong: ReadonlySet<string>,
): readonly Seen[] {
  const kinds = new Map<string, Seen>();
  for (const exchange of asked) {
    const status = exchange.response?.status ?? 0;
    const code = errorCode(exchange);
    const isWrong = wrong.has(exchange.id);
    const key = `${status} ${code} ${isWrong}`;
    const known = kinds.get(key);
    kinds.set(key, {
      status,
      code,
      count: (known?.count ?? 0) + 1,
      exchange: known?.exchange ?? exchange.id,
      due: !isWrong && access.isDue(status, code),
      wrong: isWrong,
    });
  }
  return [...kinds.values()].toSorted(
    (a, b) =>
      Number(b.wrong) - Number(a.wrong) || Number(b.due) - Number(a.due) || b.count - a.count,
  );
}

/** Why a role was not tested: its key is missing, or the run did not include it. */
function whyNotAsked(
  role: KeyRole,
  own: RequirementResult | undefined,
  { results }: Known,
): string {
  const setting = `keys.${role}`;
  const lacks = results.requirements.some(
    ({ cause }) => cause?.kind === 'setting' && cause.setting === setting,
  );
  const issued = role !== 'none' && role !== 'unknown';
  if (lacks || (issued && (results.target.keys[role] ?? []).length === 0)) {
    return `no such key: set ${setting}`;
  }
  if (own?.outcome === 'untested' && own.reason !== null) return own.reason;
  return `not in profile ${results.profile}`;
}

const whyOpen = (seen: readonly Seen[], own: RequirementResult | undefined): string =>
  own?.outcome === 'inconclusive' && own.reason !== null
    ? own.reason
    : `${seen.map(seenWords).join(', ')}: unclear whether the key was accepted`;

/** `401 400101`, `200`, `no response`. */
export const answerWords = ({ status, code }: Pick<Seen, 'status' | 'code'>): string =>
  status === 0 ? 'no response' : code === 0 ? String(status) : `${status} ${code}`;

/** `401 400101 ×3`. */
export const seenWords = (seen: Seen): string => `${answerWords(seen)} ×${seen.count}`;

/** `217 combinations of endpoint and role: 180 as expected, 35 not tested` */
export function matrixWords({ rows }: RoleMatrix): string {
  const cells = rows.flatMap((row) => row.cells);
  const count = (...outcomes: readonly CellOutcome[]): number =>
    cells.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const parts: readonly (readonly [number, string])[] = [
    [count('passed'), 'as expected'],
    [count('failed', 'warned'), 'not as expected'],
    [count('waived'), 'waived'],
    [count('inconclusive'), 'inconclusive'],
    [count('untested'), 'not tested'],
  ];
  const said = parts.flatMap(([number, words]) => (number === 0 ? [] : [`${number} ${words}`]));
  return `${cells.length} combinations of endpoint and role: ${said.join(', ')}`;
}

/**
 * `Invalid keys were refused in 60 of 62 cases, 1 accepted, 1 with the wrong error`. Accepted keys, wrong errors and untested
 * cases are counted separately: none may read as a refusal.
 */
export function refusalWords({ rows }: RoleMatrix): string {
  const cells = rows.flatMap((row) => row.cells).filter(({ access }) => !access.allowed);
  const count = (...outcomes: readonly CellOutcome[]): number =>
    cells.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const wrong = cells.filter(({ outcome }) => ['failed', 'warned', 'waived'].includes(outcome));
  const letIn = wrong.filter(({ seen }) => seen.some((one) => one.wrong && isLetIn(one.status)));
  const waived = (among: readonly RoleCell[]): string => {
    const own = among.filter(({ outcome }) => outcome === 'waived').length;
    return own === 0 ? '' : ` (${own} waived)`;
  };
  const otherwise = wrong.filter((cell) => !letIn.includes(cell));
  const others: readonly (readonly [number, string])[] = [
    [letIn.length, `accepted${waived(letIn)}`],
    [otherwise.length, `with the wrong error${waived(otherwise)}`],
    [count('inconclusive'), 'inconclusive'],
    [count('untested'), 'not tested'],
  ];
  const said = others.flatMap(([number, words]) => (number === 0 ? [] : [`${number} ${words}`]));
  return [
    `Invalid keys were refused in ${count('passed')} of ${plural(cells.length, 'case')}`,
    ...said,
  ].join(', ');
}
