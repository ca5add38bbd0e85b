import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { listFaults, listOperatorFaults } from '#src/reference/catalog.ts';
import { isRequirementId, requirementOf } from '#src/requirements/catalogue.ts';
import { judgeAll } from '#src/requirements/judging.ts';
import { checksInOrder, ORDER, orderText, type OrderPart, nameOf } from '#src/suite/checks.ts';
import { PROFILES, type Profile } from '#src/ask/profiles.ts';
import { askAll } from './asked.ts';
import { greedyOrder, type RankedSet } from './greedy.ts';
import { choosesOrder } from './half.ts';
import { lookAtAll, type LookTask } from './looks.ts';
import { requestSets, type RequestSet } from './matrix.ts';

/** How much less a fault is worth for the others of its kind: 0 not at all, 1 so that each kind is worth the same. */
const CROWDED = 0.75;

/** What a fault of a should is worth compared with one of a must. */
const SHOULD = 0.25;

/**
 * Requests with a valid key after which the checks belong to the next profile. A little is left for what the data of a
 * target asks for a second time, and for the limiter.
 */
const ENDS: readonly (readonly [profile: Profile, sent: number])[] = [
  ['smoke', 18],
  ['standard', 92],
];

/** `npm run prove -- --order`: computes the order of checks from the faults that choose it, and writes it. */
async function main(): Promise<void> {
  parseArgs({ options: { order: { type: 'boolean' } } });
  const asked = await askAll(1);
  const sets = requestSets(asked);
  const tasks = choosingFaults();
  const looks = await lookAtAll(tasks, (done) => {
    if (done % Math.ceil(tasks.length / 20) === 0)
      process.stdout.write(`${done}/${tasks.length}\n`);
  });
  const computed = new Set(sets.flatMap((set, index) => (isComputed(set) ? [index] : [])));
  const ranked = greedyOrder({
    sets: sets.map((set, index) => (computed.has(index) ? set : { ...set, positions: [] })),
    roles: asked.exchanges.map(({ role }) => role),
    // What only comes at the end of a profile shows nothing before.
    faults: tasks.map(({ weight }, index) => ({
      weight,
      sets: (looks[index] ?? []).filter((set) => computed.has(set)),
    })),
    judged: sets.map(({ positions }, index) => {
      if (!computed.has(index)) return [];
      const answers = positions.flatMap((one) => asked.exchanges[one] ?? []);
      return [...judgeAll(answers, asked.facts).requirements.keys()].filter(
        (id) => isRequirementId(id) && requirementOf(id).level === 'must',
      );
    }),
  });
  await writeFile(ORDER, orderText(inProfiles(ranked, sets)));
  process.stdout.write(`written ${ORDER}\n`);
}

/**
 * Half of the faults by operators, and those by hand. Some operators make hundreds of faults at one endpoint, others
 * one; the more there are of a kind, the less each of them is worth.
 */
function choosingFaults(): (LookTask & { readonly weight: number })[] {
  const faults = [
    ...listOperatorFaults()
      .filter(({ id }) => choosesOrder(id))
      .map(({ id, level, operator, endpoint }) => ({
        id,
        level,
        kind: `${operator} ${endpoint ?? ''}`,
      })),
    ...listFaults().map(({ id }) => ({ id, level: 'should' as const, kind: 'by hand' })),
  ];
  const size = new Map<string, number>();
  for (const { kind } of faults) size.set(kind, (size.get(kind) ?? 0) + 1);
  const rare = faults.map(({ kind }) => (size.get(kind) ?? 1) ** -CROWDED);
  // On average one fault is worth 1, which is what a first look at a requirement is measured by.
  const mean = rare.reduce((sum, one) => sum + one, 0) / faults.length;
  return faults.map(({ id, level }, index) => ({
    fault: id,
    level,
    weight: ((rare[index] ?? 0) / mean) * (level === 'must' ? 1 : SHOULD),
  }));
}

/**
 * What the limiter does is seen in what was asked before: its checks stay at the end of their profile, and so do those
 * that ask nothing of their own. Those of the near-quota key begin it. Those of a second key and those that move the
 * clock come after everything else.
 *
 * The order of standard in `suites/order.txt` was then improved by moving single checks as long as the choosing faults were seen
 * earlier, which is not repeated here.
 */
const isComputed = ({ positions, movesClock, alone }: RequestSet): boolean =>
  positions.length > 0 && !movesClock && !alone;

/** Names of checks by profile: what comes at once with the requests of a profile belongs to it. */
function inProfiles(
  ranked: readonly RankedSet[],
  sets: readonly RequestSet[],
): readonly OrderPart[] {
  const names: Record<Profile, string[]> = { smoke: [], standard: [], full: [] };
  const seen = new Set<string>();
  for (const { set, sent } of ranked) {
    const one = sets[set];
    if (one === undefined || !isComputed(one)) continue;
    const profile = ENDS.find(([, end]) => sent <= end)?.[0] ?? 'full';
    for (const name of one.checks) {
      names[profile].push(name);
      seen.add(name);
    }
  }
  const moving = new Set(sets.flatMap(({ movesClock, checks }) => (movesClock ? checks : [])));
  const last: Record<Profile, string[]> = { smoke: [], standard: [], full: [] };
  let first = 0;
  for (const bound of checksInOrder()) {
    const name = nameOf(bound);
    const { needs = [] } = bound.requirement;
    if (seen.has(name)) continue;
    // The near-quota key has a window of its own. What two keys share takes many requests, and shows little else.
    if (needs.includes('near-quota-key')) names[bound.profile].splice(first++, 0, name);
    else
      (moving.has(name) || needs.includes('second-key') ? last : names)[bound.profile].push(name);
  }
  return [names, last].flatMap((part) =>
    PROFILES.map((profile): OrderPart => [profile, part[profile]]).filter(
      ([, of]) => of.length > 0,
    ),
  );
}

await main();
