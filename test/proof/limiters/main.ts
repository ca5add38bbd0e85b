import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { RequirementId } from '#src/spec/requirement-id.ts';
import { requirementOf } from '#src/requirements/catalogue.ts';
import type { Fault } from '#src/reference/faults/fault.ts';
import { listFaults, listLoadFaults } from '#src/reference/catalog.ts';
import { variantsOf } from '#src/reference/choices/choices.ts';
import { LIMITS } from '#src/reference/choices/limits.ts';
import type { LoadResult } from '#src/report/model/load-results.ts';
import { embeddedOptions, startReferenceProcess } from '#src/load/embedded.ts';
import { findK6 } from '#src/load/find-k6.ts';
import type { K6 } from '#src/load/find-k6.ts';
import { runLoad } from '#src/load/load.ts';
import { packageFile } from '#src/load/package-root.ts';
import { SCENARIO_NAMES } from '#src/spec/scenarios.ts';
import type { ScenarioName } from '#src/spec/scenarios.ts';
import { SCENARIOS } from '#src/load/scenarios.ts';
import { jsonRecords } from '#src/text/json-records.ts';
import { Slots } from './slots.ts';

/**
 * Proves that the load scenarios can be trusted: every faulty limiter is caught by a scenario, and the correct limiter
 * and every allowed variant of it pass, several times in a row. Ends with 1 when one survives or is wronged.
 */

const WINDOW_MS = 2500;
/** In shorter windows, the length itself disappears in the tolerance of a second per announcement (ruling 12). */
const MEASURABLE_WINDOW_MS = 6000;

/**
 * What a correct limiter must pass: all but those that are `mix` at another rate. For variants, those whose judgement
 * depends on the kind of limiter.
 */
const CORRECT: readonly ScenarioName[] = SCENARIO_NAMES.filter(
  (name) => !['capacity', 'spike', 'soak'].includes(name),
);
const OF_VARIANTS: readonly ScenarioName[] = [
  'rl-exact',
  'rl-boundary',
  'rl-recovery',
  'rl-retry-after',
  'quota',
];

interface Change {
  readonly windowMs?: number;
  readonly faults?: readonly string[];
  readonly variants?: readonly string[];
}

/** Runs a scenario on a server of its own. Most of its time is waiting; one that floods gets the machine for itself. */
async function once(bench: Bench, scenario: ScenarioName, change: Change): Promise<LoadResult> {
  const weight = SCENARIOS[scenario].heavy === true ? bench.slots.count : 1;
  return bench.slots.use(weight, async () => {
    const settings = { windows: scenario === 'rl-exact' ? 2 : undefined };
    const server = await startReferenceProcess(
      embeddedOptions(scenario, settings, { windowMs: WINDOW_MS, ...change }),
    );
    try {
      return await runLoad({
        scenario,
        settings,
        target: server.target,
        k6: bench.k6,
        command: `assay load ${scenario}`,
        allowRemote: false,
      });
    } finally {
      await server.close();
    }
  });
}

/** What all runs share. */
interface Bench {
  readonly k6: K6;
  readonly slots: Slots;
}

/** Noise of a busy machine ends in no verdict; that is asked again, a verdict never is. `again`: how often. */
async function decided(...args: Parameters<typeof once>) {
  let result = await once(...args);
  let again = 0;
  for (; again < 2 && result.outcome === 'inconclusive'; again += 1) result = await once(...args);
  return { result, again };
}

/** Scenarios that may show what violates some requirements. */
function catchersOf(kills: readonly RequirementId[]): ScenarioName[] {
  return [...new Set(kills.flatMap((id) => requirementOf(id).load ?? []))];
}

/** The scenario that catches the fault, with the requirement; null when none does. */
async function caughtBy(
  bench: Bench,
  fault: Fault,
): Promise<{ readonly scenario: ScenarioName; readonly requirement: string } | null> {
  const kills = fault.kills as readonly string[];
  const change = {
    faults: [fault.id],
    windowMs: kills.includes('8/window-length') ? MEASURABLE_WINDOW_MS : WINDOW_MS,
  };
  for (const scenario of catchersOf(fault.kills)) {
    const { requirements } = (await decided(bench, scenario, change)).result;
    const hit = requirements.find(
      ({ id, outcome }) => (outcome === 'failed' || outcome === 'warned') && kills.includes(id),
    );
    if (hit !== undefined) return { scenario, requirement: hit.id };
  }
  return null;
}

/** Faults of the limiter and the quota; a requirement of level observe cannot be violated. */
function faultsToCatch(): Fault[] {
  const limiter = listFaults().filter(({ kills }) =>
    kills.some((id) => {
      const { section, level } = requirementOf(id);
      return section === '8' && level !== 'observe';
    }),
  );
  return [...listLoadFaults(), ...limiter];
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Every server that must pass, with the scenarios it must pass, those that wait before those that flood. */
function passes(repeat: number) {
  const ofVariants = variantsOf(LIMITS).flatMap(({ id }) =>
    OF_VARIANTS.map((scenario) => ({ server: id, variants: [id], scenario })),
  );
  const all = [
    ...CORRECT.map((scenario) => ({ server: 'correct', variants: [], scenario })),
    ...ofVariants,
  ].flatMap((one) => Array.from({ length: repeat }, (_, index) => ({ ...one, time: index + 1 })));
  const floods = (scenario: ScenarioName): number => Number(SCENARIOS[scenario].heavy === true);
  return all.toSorted((a, b) => floods(a.scenario) - floods(b.scenario));
}

/** Says how far it is, and about how long it still takes. */
function progress(total: number): (line: string) => void {
  const start = Date.now();
  let done = 0;
  return (line) => {
    done += 1;
    const left = (((Date.now() - start) / done) * (total - done)) / 60_000;
    say(`[${String(done).padStart(3)}/${total}, ${left.toFixed(1)} min left] ${line}`);
  };
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      repeat: { type: 'string', default: '3' },
      only: { type: 'string', multiple: true, default: [] },
      parallel: { type: 'string', default: String(2 * availableParallelism()) },
      out: { type: 'string' },
    },
  });
  const repeat = Number(values.repeat);
  const parallel = Number(values.parallel);
  if (![repeat, parallel].every((value) => Number.isInteger(value) && value > 0)) {
    say('--repeat and --parallel take whole numbers above 0.');
    return 2;
  }
  const selected = (id: string): boolean =>
    values.only.length === 0 || values.only.some((part) => id.includes(part));
  const bench = { k6: await findK6({ install: true, say }), slots: new Slots(parallel) };
  const faults = faultsToCatch().filter(({ id }) => selected(id));
  const good = passes(repeat).filter(({ server }) => selected(server));
  say(
    `k6 ${bench.k6.version} (${bench.k6.source}), windows of ${WINDOW_MS} ms, ${parallel} at a time: ${faults.length} faulty limiters, ${good.length} runs that must pass`,
  );
  const start = Date.now();
  const tell = progress(faults.length + good.length);
  const [caught, passed] = await Promise.all([
    Promise.all(
      faults.map(async (fault) => {
        const by = await caughtBy(bench, fault);
        tell(
          by === null
            ? `SURVIVED ${fault.id}: ${fault.title}`
            : `caught   ${fault.id}: ${by.scenario} (${by.requirement})`,
        );
        return { id: fault.id, title: fault.title, by };
      }),
    ),
    Promise.all(
      good.map(async ({ server, variants, scenario, time }) => {
        const { result, again } = await decided(bench, scenario, { variants });
        const { outcome, reason } = result;
        const asked = again === 0 ? '' : `, asked again ${again} times`;
        tell(
          `${outcome === 'passed' ? 'passed  ' : outcome.toUpperCase()} ${server}: ${scenario} ${time}${asked}${outcome === 'passed' ? '' : ` ${reason}`}`,
        );
        return { server, scenario, time, outcome, reason, again };
      }),
    ),
  ]);
  const seconds = Math.round((Date.now() - start) / 1000);
  const survivors = caught.filter(({ by }) => by === null).length;
  const wronged = passed.filter(({ outcome }) => outcome !== 'passed').length;
  const again = passed.reduce((sum, one) => sum + one.again, 0);
  say(
    `${caught.length - survivors} of ${caught.length} faulty limiters caught, ${passed.length - wronged} of ${passed.length} runs passed (${again} asked again), ${seconds} s`,
  );
  // A part is no proof to be kept.
  if (values.only.length === 0) {
    const file =
      values.out ?? path.join(path.dirname(packageFile('load')), 'reports', 'proof-load.json');
    await mkdir(path.dirname(file), { recursive: true });
    const proof = {
      schemaVersion: 1,
      date: new Date(start).toISOString().slice(0, 10),
      k6: bench.k6.version,
      windowMs: WINDOW_MS,
      repeat,
      seconds,
      caught,
      passed,
    };
    await writeFile(file, jsonRecords(proof));
  }
  return survivors + wronged === 0 && caught.length + passed.length > 0 ? 0 : 1;
}

// An exit runs what ends k6; the signal alone would leave it running.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
process.exitCode = await main();
