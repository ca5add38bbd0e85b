import { PROFILE_BOUNDS, type Profile } from '#src/ask/profiles.ts';
import {
  deploymentOf,
  drawWorld,
  printWorld,
  readChoice,
  type WorldChoices,
} from '#src/reference/choices/worlds.ts';
import { draw } from '../independent/world.ts';
import { cleanTask, type ProofResult, type ProofTask, type Service } from './catalogue.ts';
import { createPool } from './runner.ts';

/** What is wrong with the run of a world, which must come out green (a violation of nothing, with nothing open). */
export interface WorldProblem {
  /** `red`: something is accused. `undecided`: something is left open. `over-plan`: too many requests. */
  readonly kind: 'red' | 'undecided' | 'over-plan';
  /** The requirement; empty when it is the run as a whole. */
  readonly requirement: string;
  readonly reason: string;
}

/** A world that did not come out green, brought down to the choices that make it so. */
export interface BadWorld {
  readonly seed: number;
  readonly choices: readonly string[];
  readonly problems: readonly WorldProblem[];
  /** True when `choices` are the fewest; else everything that was drawn. */
  readonly shrunk: boolean;
}

/** Summary of `npm run prove -- --worlds N`. */
export interface WorldsProof {
  readonly service: Service;
  readonly tried: number;
  readonly profile: 'standard' | 'full';
  readonly firstSeed: number;
  readonly lastSeed: number;
  readonly red: number;
  readonly undecided: number;
  readonly overPlan: number;
  readonly bad: readonly BadWorld[];
}

interface WorldsOptions {
  /** Whose worlds. */
  readonly service: Service;
  readonly count: number;
  readonly firstSeed: number;
  readonly full: boolean;
  /** Choices that every world makes, see `choicesIn`. */
  readonly forced: WorldChoices;
  /** True when a world makes the forced choices only. */
  readonly plain: boolean;
}

/** Requests with valid keys that a profile may send on any target, the conditional ones that its plan names included. */
const mostRequests = (profile: Profile): number => {
  const { total, repeat } = PROFILE_BOUNDS[profile];
  return total + repeat;
};
const SLOW_AT_ONCE = 6;
/** How many of the bad worlds are brought down to the fewest choices. */
const SHRUNK = 10;
/** Of the full profile some hundred requests may take 800 ms each. */
const LONGEST_RUN_MS = { standard: 400_000, full: 1_500_000 } as const;

/** What is wrong with the run of a world; nothing when it is green. */
export function problemsOf(result: ProofResult): readonly WorldProblem[] {
  const { task, verdict, sentence, outcomes, reasons, validRequests } = result;
  const problems: WorldProblem[] = [];
  for (const [requirement, outcome] of Object.entries(outcomes)) {
    const reason = reasons[requirement] ?? '';
    if (outcome === 'failed' || (outcome === 'warned' && !mayWarn(task, requirement)))
      problems.push({ kind: 'red', requirement, reason });
    if (outcome === 'inconclusive' || outcome === 'error') {
      problems.push({ kind: 'undecided', requirement, reason: `${outcome}: ${reason}` });
    }
  }
  const decided = verdict === 'conforms' || verdict === 'no-violation' || verdict === 'violates';
  if (!decided && problems.length === 0) {
    problems.push({ kind: 'undecided', requirement: '', reason: `${verdict}: ${sentence}` });
  }
  if (validRequests > mostRequests(task.profile)) {
    const reason = `${validRequests} requests with valid keys`;
    problems.push({ kind: 'over-plan', requirement: '', reason });
  }
  return problems;
}

/** Runs worlds, each on a server of its own, and brings those that are not green down to what makes them so. */
export async function proveWorlds(options: WorldsOptions): Promise<WorldsProof> {
  const pool = createPool(LONGEST_RUN_MS[options.full ? 'full' : 'standard']);
  const run: RunAll = async (tasks, onResult) => {
    let done = 0;
    const heard = (result: ProofResult): void => onResult?.(result, (done += 1));
    const slow = new Set(tasks.filter(mostlyWaits));
    const quick = tasks.filter((task) => !slow.has(task));
    // Quick worlds run one a core, and those that mostly wait alongside them.
    const both = [pool.run(quick, heard), pool.run([...slow], heard, SLOW_AT_ONCE)];
    const results = (await Promise.all(both)).flat();
    const byName = new Map(results.map((result) => [result.task.name, result]));
    return tasks.flatMap(({ name }) => byName.get(name) ?? []);
  };
  try {
    return await proveWith(run, options);
  } finally {
    pool.close();
  }
}

/** Runs tasks; results come in their order. */
type RunAll = (
  tasks: readonly ProofTask[],
  onResult?: (result: ProofResult, done: number) => void,
) => Promise<readonly ProofResult[]>;

async function proveWith(run: RunAll, options: WorldsOptions): Promise<WorldsProof> {
  const { service, count, firstSeed, full, forced, plain } = options;
  const seeds = Array.from({ length: count }, (_, index) => firstSeed + index);
  const tasks = seeds.map((seed) =>
    taskOf(service, seed, plain ? forced : drawDeployment(service, seed, forced), full),
  );
  const results = await run(tasks, (result, done) => tell(result, done, options));
  // A machine that stands still in the middle of a run can spoil its timing, so a second run decides.
  const suspicious = results.filter((result) => problemsOf(result).length > 0);
  const again = await run(suspicious.map(({ task }) => task));
  const bad: BadWorld[] = [];
  const shown = new Set<string>();
  let shrunk = 0;
  for (const result of again) {
    const problems = problemsOf(result);
    const { world } = result.task;
    if (world === undefined || problems.length === 0) continue;
    // One of each kind is enough to shrink: a hundred worlds with the same culprit say no more than one.
    const fresh = problems.filter((problem) => !shown.has(nameOf(problem)));
    const wanted = fresh.length > 0 && shrunk < SHRUNK;
    if (wanted) shrunk += 1;
    for (const problem of problems) shown.add(nameOf(problem));
    const found = wanted ? await shrink(run, result.task, fresh) : undefined;
    const entry: BadWorld = {
      seed: world.seed,
      choices: printWorld(found?.choices ?? world.choices),
      problems: found?.problems ?? problems,
      shrunk: found !== undefined,
    };
    bad.push(entry);
    process.stdout.write(renderBad(entry));
  }
  const having = (kind: WorldProblem['kind']): number =>
    again.filter((result) => problemsOf(result).some((problem) => problem.kind === kind)).length;
  return {
    tried: count,
    service,
    profile: full ? 'full' : 'standard',
    firstSeed,
    lastSeed: firstSeed + count - 1,
    red: having('red'),
    undecided: having('undecided'),
    overPlan: having('over-plan'),
    bad,
  };
}

const nameOf = ({ kind, requirement }: WorldProblem): string => `${kind} ${requirement}`;

/**
 * The seed of the run against a world: half of the worlds are examined as by default, the others with a seed of their own,
 * so that what a seed draws is proved as well. It follows from the seed of the world and changes none of its choices; of
 * four neighbours all have one or none, since keys and fixtures of a world follow its seed in steps of two and four.
 */
export const runSeedOf = (world: number): number => (Math.floor(world / 4) % 2 === 0 ? world : 1);

const taskOf = (
  service: Service,
  seed: number,
  choices: WorldChoices,
  full: boolean,
): ProofTask => ({
  ...cleanTask(full ? 'full' : 'standard', `world ${seed}`),
  service,
  validKeys: 1,
  seed: runSeedOf(seed),
  world: { seed, choices },
});

/** The fewest choices that still show one of the problems. */
async function shrink(
  run: RunAll,
  task: ProofTask,
  problems: readonly WorldProblem[],
): Promise<{ choices: WorldChoices; problems: readonly WorldProblem[] }> {
  const wanted = new Set(problems.map(nameOf));
  let left = problems;
  const { seed = 0, choices = {} } = task.world ?? {};
  const kept = await fewest(Object.entries(choices), async (entries) => {
    const world = { seed, choices: Object.fromEntries(entries) };
    const [result] = await run([{ ...task, world }]);
    const found = result === undefined ? [] : problemsOf(result);
    const same = found.some((problem) => wanted.has(nameOf(problem)));
    if (same) left = found;
    return same;
  });
  return { choices: Object.fromEntries(kept), problems: left };
}

/** Prints what is wrong with a world, which is not yet the last word: it is run once more. */
function tell(result: ProofResult, done: number, { count }: WorldsOptions): void {
  const problems = problemsOf(result);
  if (problems.length > 0) {
    const ids = problems.map(({ kind, requirement }) => `${kind} ${requirement}`.trim());
    process.stdout.write(`${done}/${count} ${result.task.name}: ${ids.join(', ')}\n`);
  } else if (done % 50 === 0) process.stdout.write(`${done}/${count}\n`);
}

/** What `npm run prove -- --worlds N` prints about a world that is not green. */
function renderBad({ seed, choices, problems, shrunk }: BadWorld): string {
  const lines = problems
    .slice(0, 12)
    .map(({ kind, requirement, reason }) => `    ${kind} ${requirement}: ${reason}\n`);
  return `WORLD ${seed}  ${choices.join(' ') || 'plain'}${shrunk ? '' : '  (not shrunk)'}\n${lines.join('')}`;
}

/** The figures that are printed at the end of worlds. */
export function renderWorlds(proof: WorldsProof): string {
  const { service, tried, profile, firstSeed, lastSeed, red, undecided, overPlan } = proof;
  return (
    `worlds tried                         ${tried} (${service}, seeds ${firstSeed} to ${lastSeed}, ${profile})\n` +
    `red                                  ${red}\n` +
    `undecided                            ${undecided}\n` +
    `over plan                            ${overPlan}\n`
  );
}

/** Reads choices such as `D=V`. The independent service checks its own when it starts. @throws Error for others */
export function choicesIn(texts: readonly string[], service: Service): WorldChoices {
  const pairOf = (text: string): readonly [string, string] => {
    const cut = text.indexOf('=');
    return [text.slice(0, cut), text.slice(cut + 1)];
  };
  return Object.fromEntries(texts.map(service === 'independent' ? pairOf : readChoice));
}

/** The choices of the world of a seed. `forced` ones are made whatever the seed says. */
function drawDeployment(service: Service, seed: number, forced: WorldChoices = {}): WorldChoices {
  return service === 'reference' ? drawWorld(seed, forced) : { ...draw(seed), ...forced };
}

/** Latency from which on a world mostly waits, ms. */
const SLOW_MS = 20;

/** True for a deployment that waits more than it computes, so that many can run alongside each other. */
function mostlyWaits({ service, world }: ProofTask): boolean {
  if (world === undefined) return false;
  return service === 'reference'
    ? deploymentOf(world.choices).realTime
    : Number(world.choices['latency'] ?? 0) >= SLOW_MS;
}

/**
 * Choices of the independent service that leave a should aside: keys of details (ruling 10), the exact code for an
 * unknown country (ruling 9), the limit of an ETF history (ruling 4), a listing without recent rows.
 */
const LEAVES_ASIDE: Readonly<Record<string, readonly string[]>> = {
  'details=sparse': ['7/validation-details', '7/details-keys', '7/not-found-details'],
  'unknown-country=format': ['4.3/country-enum-code'],
  'etf-limit=ignored': ['4.4/limit-exact', '4.4/limit-part'],
  'etf-closed=some-lately': ['4.3/recent', '4.4/recent'],
  'etf-closed=some-long-ago': ['4.3/recent', '4.4/recent'],
  'etf-closed=whole-listing': ['4.3/recent', '4.4/recent'],
};

/** True when a deployment leaves this should aside on purpose. */
const mayWarn = ({ world }: ProofTask, requirement: string): boolean =>
  Object.entries(world?.choices ?? {}).some(
    ([name, value]) => LEAVES_ASIDE[`${name}=${value}`]?.includes(requirement) === true,
  );

/**
 * The fewest members of `items` for which `holds` stays true: parts are left out, halves first, then ever smaller ones,
 * down to single members. `holds` is taken to be true of all of them. One left out of the outcome would make it false.
 */
export async function fewest<Item>(
  items: readonly Item[],
  holds: (items: readonly Item[]) => Promise<boolean>,
): Promise<readonly Item[]> {
  let kept = items;
  let size = Math.ceil(kept.length / 2);
  while (kept.length > 0) {
    let shrunk = false;
    for (let start = 0; start < kept.length;) {
      const rest = [...kept.slice(0, start), ...kept.slice(start + size)];
      if (await holds(rest)) {
        kept = rest;
        shrunk = true;
      } else {
        start += size;
      }
    }
    // Leaving out one member may make another one needless, so single ones are tried until none can go.
    if (size === 1 && !shrunk) break;
    size = Math.max(1, Math.ceil(size / 2));
  }
  return kept;
}
