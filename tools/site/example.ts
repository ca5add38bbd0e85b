import type { Profile } from '#src/ask/profiles.ts';
import type { KeyRole } from '#src/spec/exchange.ts';
import type { RequirementId } from '#src/spec/requirement-id.ts';
import { createWorld } from '#src/reference/data/world.ts';
import { createReference, manualClock } from '#src/reference/reference.ts';
import { exchangeLine } from '#src/report/analysis/evidence-text.ts';
import { failingExcerpt, type FailingExcerpt } from '#src/report/page/evidence/failing-lines.tsx';
import { requirementOf } from '#src/requirements/catalogue.ts';
import { judgeFor } from '#src/requirements/judging.ts';
import { contextOf } from '#src/judge/context.ts';
import { localTarget } from '#src/run/embedded.ts';
import { run } from '#src/run/run.ts';
import type { Target } from '#src/target/target.ts';
import { SuiteRun } from '#src/suite/index.ts';
import { rehearse } from '#src/suite/rehearsal.ts';
import { TRADING_DAY } from '#proof/kill/catalogue.ts';

/** What was found against a requirement on a reference server with a fault. */
export interface Example {
  /** Fault of the reference server. */
  readonly fault: string;
  /** `own`: the requests of its own checks show it; `all`: only those of all checks do. */
  readonly asked: 'own' | 'all';
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  readonly pointer: string | null;
  /** Request and answer that show it; null for what several exchanges show together. */
  readonly seen: {
    /** `GET /etfs → 400`. */
    readonly line: string;
    readonly role: KeyRole;
    readonly excerpt: FailingExcerpt | null;
  } | null;
}

/** Requests that a check sends, as `GET /path?query`, with the kind of key. */
export interface AskedRequest {
  readonly line: string;
  readonly role: KeyRole;
}

/** What the checks of each requirement ask for in a run that finds nothing wrong, by title of the check. */
export type AskedByCheck = Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>;

/** A whole run that finds nothing wrong. */
export interface CleanRun {
  /** Every request that a check names as its own, once. */
  readonly requests: readonly AskedRequest[];
  /** Indexes in `requests`, by requirement and check. */
  readonly asked: AskedByCheck;
}

/** The data of all servers of this process. */
const WORLD = createWorld(1);

/** A second valid key shows whether keys have something to do with each other. */
const VALID_KEYS = 2;

/** A server with faults in this process, whose clock stands still, and the target that describes it. */
async function targetWith(faults: readonly string[]): Promise<Target> {
  const clock = manualClock(TRADING_DAY);
  const reference = createReference({ clock, control: true, world: WORLD, faults });
  const target = await localTarget(reference, clock);
  const { valid } = target.keys;
  return { ...target, keys: { ...target.keys, valid: valid.slice(0, VALID_KEYS) } };
}

/** What is tried, the cheapest first. */
const ATTEMPTS = [
  ['own', 'standard'],
  ['own', 'full'],
  ['all', 'full'],
] as const;

/**
 * An example of a finding against a requirement, from the first of the faults that shows one: to its own checks, or else to
 * all. Null when none does.
 */
export async function findExample(
  id: RequirementId,
  faults: readonly string[],
): Promise<Example | null> {
  for (const [asked, profile] of ATTEMPTS) {
    for (const fault of faults) {
      // The next one is only asked for when this one shows nothing.
      const found = await foundWith(id, fault, profile, asked === 'own' ? [id] : []);
      if (found !== null) return { fault, asked, ...found };
    }
  }
  return null;
}

/**
 * Asks what a run asks, one request after the other, and lets the rules of one requirement judge all that is answered. What
 * a run does besides, for all other requirements, would take most of the time.
 */
async function foundWith(
  id: RequirementId,
  fault: string,
  profile: Profile,
  only: readonly string[],
): Promise<Omit<Example, 'fault' | 'asked'> | null> {
  const suites = new SuiteRun({
    runId: 'example',
    target: await targetWith([fault]),
    profile,
    seed: 1,
    only,
    skip: [],
    maxRequests: null,
    concurrency: 1,
    path: null,
    tell: null,
  });
  try {
    await rehearse(suites, false);
  } finally {
    await suites.close();
  }
  if (suites.sent === null) return null;
  const { exchanges, session } = suites.sent;
  const { requirements } = judgeFor(id, exchanges, contextOf(session.facts, exchanges));
  const finding = requirements.get(id)?.findings[0];
  if (finding === undefined) return null;
  const { message, expected, actual, pointer } = finding;
  const exchange = exchanges.find((one) => one.id === finding.exchange);
  const seen =
    exchange === undefined
      ? null
      : {
          line: exchangeLine(exchange),
          role: exchange.role,
          excerpt: failingExcerpt({ requirement: requirementOf(id), finding }, exchange),
        };
  return { message, expected, actual, pointer, seen };
}

/** What checks ask for, from a whole run that finds nothing wrong. */
export async function cleanRun(): Promise<CleanRun> {
  const results = await run({
    target: await targetWith([]),
    reference: true,
    profile: 'full',
    seed: 1,
    only: [],
    skip: [],
    maxRequests: null,
    concurrency: 1,
    failOn: ['must'],
  });
  const exchanges = new Map(results.exchanges.map((exchange) => [exchange.id, exchange]));
  const requests: AskedRequest[] = [];
  const indexes = new Map<string, number>();
  const indexOf = (id: string): readonly number[] => {
    const exchange = exchanges.get(id);
    if (exchange === undefined) return [];
    const line = exchangeLine(exchange).replace(/ → .*$/, '');
    const key = `${exchange.role} ${line}`;
    const known = indexes.get(key);
    if (known !== undefined) return [known];
    indexes.set(key, requests.length);
    return [requests.push({ line, role: exchange.role }) - 1];
  };
  const asked = results.requirements.map(({ id, checks }) => [
    id,
    Object.fromEntries(
      checks.map(({ title, exchanges: own }) => [title, [...new Set(own.flatMap(indexOf))]]),
    ),
  ]);
  return { requests, asked: Object.fromEntries(asked) as AskedByCheck };
}
