import { createHash } from 'node:crypto';
import type { Exchange } from '../../contract/exchange.ts';
import { besideOf } from './beside.ts';
import { explaining, type Explanation } from './explanations.ts';
import type { RequirementResult, ResultFinding, Results } from '../model/results.ts';
import { shape } from '../model/shape.ts';

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
  /** What the example was found beside; see {@link besideOf}. */
  readonly beside: readonly Exchange[];
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
  /** What it follows from, where that is something else. */
  readonly explanation: Explanation | null;
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

/**
 * Groups the findings of failed and warned requirements by cause. Violations come first, then the causes that touch
 * more requirements, then more findings; ties keep the order of the results. The same results give the same causes.
 */
export function groupCauses(results: Results): readonly Cause[] {
  const exchanges = new Map(results.exchanges.map((exchange) => [exchange.id, exchange]));
  const explanationOf = explaining(results);
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
        explanation: explanationOf(requirement, finding),
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
    const key = member.explanation
      ? JSON.stringify([member.explanation.name])
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
  const explanation = members[0]?.explanation ?? null;
  const plain = members.filter(({ requirement }) => explanation?.isShownBy(requirement) === true);
  const example = (plain.length > 0 ? plain : members).reduce((best, member) =>
    size(exchangeOf(member)) < size(exchangeOf(best)) ? member : best,
  );
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
    outcome: members.some(({ outcome }) => outcome === 'failed') ? 'failed' : 'warned',
    message: explanation?.message([...endpoints]) ?? example.finding.message,
    advice: explanation?.advice ?? null,
    example: { requirement: example.requirement, finding: example.finding },
    exchange: exchangeOf(example) ?? null,
    beside: besideOf(example.finding, exchanges),
    members: members.map(({ requirement, finding }) => ({ requirement, finding })),
    requirements: [...requirements.values()],
    endpoints: [...endpoints],
  };
}
