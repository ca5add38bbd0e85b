import type { Profile } from '#src/ask/profiles.ts';
import type { KeyRole } from '#src/contract/exchange.ts';
import { createWorld } from '#src/reference/data/world.ts';
import { createReference, standingClock } from '#src/reference/reference.ts';
import type { CauseMember } from '#src/report/causes.ts';
import { exchangeLine } from '#src/report/evidence-text.ts';
import type { Results } from '#src/report/results.ts';
import { failingPlace, type FailingPlace } from '#src/report/view/failing-lines.tsx';
import { localTarget } from '#src/run/embedded.ts';
import { run, type RunOptions } from '#src/run/run.ts';
import { SuiteRun } from '#src/suite/index.ts';
import { rehearse } from '#src/suite/rehearsal.ts';
import { TRADING_DAY } from '../kill/deployments.ts';

/** What was found against a requirement on a reference server with a fault. */
export interface Example {
  /** Fault of the reference server. */
  readonly fault: string;
  /** `own`: the requests of its own checks show it; `all`: only a whole run does. */
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
    readonly place: FailingPlace | null;
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
  /** Places in `requests`, by requirement and check. */
  readonly asked: AskedByCheck;
}

/** The data of all servers of this process. */
const WORLD = createWorld(1);

/** A second valid key shows whether keys have something to do with each other. */
const VALID_KEYS = 2;

/**
 * Asks what the checks of the selected requirements ask for, and leaves all judgement to the end of the run, when all rules
 * look at everything that was answered. A check by itself would judge its answers once more.
 */
const asking: NonNullable<RunOptions['runner']> = async ({ input, listener }) => {
  const suites = new SuiteRun(input);
  try {
    const checks = await rehearse(suites, false);
    listener.onCollected(checks.length);
    for (const { meta, outcome } of checks) {
      listener.onFinished({ meta: { ...meta, outcome }, state: 'passed', error: null, ms: 0 });
    }
  } finally {
    await suites.close();
    const { sent } = suites;
    if (sent !== null) listener.onClosed(sent.exchanges, sent.session);
  }
  return 'finished';
};

/** A run in this process, one request after the other, against a server whose clock stands still. */
async function runWith(
  profile: Profile,
  faults: readonly string[],
  only: readonly string[],
): Promise<Results> {
  const clock = standingClock(TRADING_DAY);
  const reference = createReference({ clock, control: true, world: WORLD, faults });
  const target = await localTarget(reference, clock);
  const { valid } = target.keys;
  return run({
    target: { ...target, keys: { ...target.keys, valid: valid.slice(0, VALID_KEYS) } },
    reference: true,
    profile,
    seed: 1,
    only,
    skip: [],
    maxRequests: null,
    concurrency: 1,
    failOn: ['must'],
    ...(faults.length === 0 ? {} : { runner: asking }),
  });
}

/** What is tried, the cheapest first. */
const ATTEMPTS = [
  ['own', 'standard'],
  ['own', 'full'],
  ['all', 'full'],
] as const;

/**
 * An example of a finding against a requirement, from the first of the faults that shows one: to its own checks, or else to
 * a whole run. Null when none does.
 */
export async function findExample(id: string, faults: readonly string[]): Promise<Example | null> {
  for (const [asked, profile] of ATTEMPTS) {
    for (const fault of faults) {
      // The next one is only asked for when this one shows nothing.
      // oxlint-disable-next-line no-await-in-loop
      const results = await runWith(profile, [fault], asked === 'own' ? [id] : []);
      const example = exampleIn(results, id);
      if (example !== null) return { fault, asked, ...example };
    }
  }
  return null;
}

function exampleIn(results: Results, id: string): Omit<Example, 'fault' | 'asked'> | null {
  const requirement = results.requirements.find((one) => one.id === id);
  const finding = requirement?.findings[0];
  if (requirement === undefined || finding === undefined) return null;
  if (requirement.outcome !== 'failed' && requirement.outcome !== 'warned') return null;
  const { message, expected, actual, pointer } = finding;
  const exchange = results.exchanges.find((one) => one.id === finding.exchange);
  const member: CauseMember = { requirement, finding };
  const seen =
    exchange === undefined
      ? null
      : {
          line: exchangeLine(exchange),
          role: exchange.role,
          place: failingPlace(member, exchange),
        };
  return { message, expected, actual, pointer, seen };
}

/** What checks ask for, from a whole run that finds nothing wrong. */
export async function cleanRun(): Promise<CleanRun> {
  const results = await runWith('full', [], []);
  const exchanges = new Map(results.exchanges.map((exchange) => [exchange.id, exchange]));
  const requests: AskedRequest[] = [];
  const places = new Map<string, number>();
  const placeOf = (id: string): readonly number[] => {
    const exchange = exchanges.get(id);
    if (exchange === undefined) return [];
    const line = exchangeLine(exchange).replace(/ → .*$/, '');
    const key = `${exchange.role} ${line}`;
    const known = places.get(key);
    if (known !== undefined) return [known];
    places.set(key, requests.length);
    return [requests.push({ line, role: exchange.role }) - 1];
  };
  const asked = results.requirements.map(({ id, checks }) => [
    id,
    Object.fromEntries(
      checks.map(({ title, exchanges: own }) => [title, [...new Set(own.flatMap(placeOf))]]),
    ),
  ]);
  return { requests, asked: Object.fromEntries(asked) as AskedByCheck };
}
