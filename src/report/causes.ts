import { createHash } from 'node:crypto';
import type { Exchange } from '../contract/exchange.ts';
import { isRequirementId, requirementOf } from '../requirements/catalogue.ts';
import type { RequirementResult, ResultFinding, Results } from './results.ts';
import { shape } from './shape.ts';
import { isWrapped } from './wrapped.ts';

/** One finding together with the requirement that it speaks against. */
export interface CauseMember {
  readonly requirement: RequirementResult;
  readonly finding: ResultFinding;
}

/**
 * Findings that very likely have one defect behind them. A reviewer reads causes; a wrong error code on 31 endpoints
 * is one thing to repair, not 31.
 */
export interface Cause {
  /** `f-` and eight hex digits; the same for the same cause in every run, so it can be linked to. */
  readonly id: string;
  /** `failed` when a must is violated, `warned` when only shoulds are touched. */
  readonly outcome: 'failed' | 'warned';
  /** What is wrong, one sentence. */
  readonly message: string;
  /** What to do about it beyond repairing the target, or null. */
  readonly advice: string | null;
  /** The finding with the smallest exchange: the easiest one to read. */
  readonly example: CauseMember;
  /** The exchange of the example; null for findings about a whole run. */
  readonly exchange: Exchange | null;
  readonly members: readonly CauseMember[];
  /** Requirements touched, each once, in the order of the results. */
  readonly requirements: readonly RequirementResult[];
  /** Endpoints touched, as path templates (or paths outside §4), each once. */
  readonly endpoints: readonly string[];
}

/** Which kind of JSON value a text shows, so that `"1.5" (string)` and `"2.5" (string)` count as the same mistake. */
function kind(text: string): string {
  const trimmed = text.trim();
  const named = /\((string|number|boolean)\)$/.exec(trimmed)?.[1];
  if (named !== undefined) return named;
  if (trimmed.startsWith('"')) return 'string';
  if (/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(trimmed)) return 'number';
  return shape(trimmed);
}

function pattern(pointer: string | null): string {
  return pointer === null ? '' : pointer.replace(/\/\d+(?=\/|$)/g, '/*');
}

/** Findings of a requirement; one that failed on a bare assertion still becomes a finding. */
function findingsOf(requirement: RequirementResult): readonly ResultFinding[] {
  if (requirement.findings.length > 0) return requirement.findings;
  const check = requirement.checks.find((one) => one.outcome === requirement.outcome);
  return [
    {
      message: requirement.reason ?? check?.reason ?? requirement.title,
      expected: requirement.title,
      actual: check?.reason ?? requirement.reason ?? 'see the checks of this requirement',
      pointer: null,
      exchange: check?.exchanges[0] ?? requirement.exchanges[0] ?? null,
    },
  ];
}

interface Keyed extends CauseMember {
  readonly outcome: 'failed' | 'warned';
  readonly wrapped: boolean;
  /** Same words, same values, same place: one cause wherever it occurs. */
  readonly everywhere: string;
  /** Same words about other fields of the same section. */
  readonly inSection: string;
}

/** How many different requirements stand behind each key. */
function reach(members: readonly Keyed[], key: (member: Keyed) => string): Map<string, number> {
  const sets = new Map<string, Set<string>>();
  for (const member of members) {
    const set = sets.get(key(member)) ?? new Set<string>();
    sets.set(key(member), set.add(member.requirement.id));
  }
  return new Map([...sets].map(([name, set]) => [name, set.size]));
}

function size(exchange: Exchange | undefined): number {
  if (exchange === undefined) return Number.MAX_SAFE_INTEGER;
  return exchange.request.url.length + (exchange.response?.bytes ?? 0);
}

const WRAPPED_KEY = 'wrapped';
/** What a wrapped body violates in the first place; the others only follow from it. */
const isOfWrapping = ({ id }: { readonly id: string }): boolean =>
  isRequirementId(id) && requirementOf(id).explains === 'wrapped bodies';

/**
 * Groups the findings of failed and warned requirements by cause. Violations come first, then the causes that touch
 * more requirements, then more findings; ties keep the order of the results. The same results give the same causes.
 */
export function groupCauses(results: Results): readonly Cause[] {
  const exchanges = new Map(results.exchanges.map((exchange) => [exchange.id, exchange]));
  const wrapped = new Map<string, boolean>();
  const wrappedExchange = (id: string | null): boolean => {
    const exchange = id === null ? undefined : exchanges.get(id);
    if (exchange === undefined || results.target.envelope !== null) return false;
    const known = wrapped.get(exchange.id);
    if (known !== undefined) return known;
    const answer = isWrapped(exchange);
    wrapped.set(exchange.id, answer);
    return answer;
  };

  const members: Keyed[] = [];
  for (const requirement of results.requirements) {
    const { outcome } = requirement;
    if (outcome !== 'failed' && outcome !== 'warned') continue;
    for (const finding of findingsOf(requirement)) {
      const { message, expected, actual, pointer } = finding;
      members.push({
        requirement,
        finding,
        outcome,
        // Headers and status are the same inside and outside of an envelope; only the body is judged wrongly.
        wrapped:
          isOfWrapping(requirement) ||
          (pointer !== null && !pointer.startsWith('/data/') && wrappedExchange(finding.exchange)),
        everywhere: JSON.stringify([outcome, shape(message), expected, actual, pattern(pointer)]),
        inSection: JSON.stringify([
          outcome,
          requirement.section,
          shape(message),
          shape(expected),
          kind(actual),
        ]),
      });
    }
  }

  const everywhere = reach(members, (member) => member.everywhere);
  const inSection = reach(members, (member) => member.inSection);
  const groups = new Map<string, Keyed[]>();
  for (const member of members) {
    const key = member.wrapped
      ? JSON.stringify([WRAPPED_KEY, member.outcome])
      : (everywhere.get(member.everywhere) ?? 0) > 1
        ? member.everywhere
        : (inSection.get(member.inSection) ?? 0) > 1
          ? member.inSection
          : JSON.stringify([member.outcome, member.requirement.id]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [member]);
    else group.push(member);
  }

  return [...groups]
    .map(([key, group]) => toCause(key, group, exchanges))
    .toSorted(
      (a, b) =>
        Number(a.outcome === 'warned') - Number(b.outcome === 'warned') ||
        b.requirements.length - a.requirements.length ||
        b.members.length - a.members.length,
    );
}

function toCause(
  key: string,
  members: readonly Keyed[],
  exchanges: ReadonlyMap<string, Exchange>,
): Cause {
  const exchangeOf = (member: CauseMember): Exchange | undefined =>
    member.finding.exchange === null ? undefined : exchanges.get(member.finding.exchange);
  const plain = members.filter((member) => isOfWrapping(member.requirement));
  const example = (plain.length > 0 ? plain : members).reduce((best, member) =>
    size(exchangeOf(member)) < size(exchangeOf(best)) ? member : best,
  );
  const isEnvelope = key.startsWith(`["${WRAPPED_KEY}"`);
  const requirements = new Map(
    members.map(({ requirement }) => [requirement.id, requirement] as const),
  );
  const endpoints = new Set<string>();
  for (const member of members) {
    const exchange = exchangeOf(member);
    if (exchange !== undefined) endpoints.add(exchange.endpoint ?? exchange.request.path);
  }
  return {
    id: `f-${createHash('sha256').update(key).digest('hex').slice(0, 8)}`,
    outcome: example.outcome,
    message: isEnvelope
      ? 'Bodies are wrapped: the resource sits under "data" of an outer object, but the bare body is specified.'
      : example.finding.message,
    advice: isEnvelope
      ? 'To judge what is inside, add "envelope: data" to the target file; the report then carries a note about it.'
      : null,
    example: { requirement: example.requirement, finding: example.finding },
    exchange: exchangeOf(example) ?? null,
    members: members.map(({ requirement, finding }) => ({ requirement, finding })),
    requirements: [...requirements.values()],
    endpoints: [...endpoints],
  };
}
