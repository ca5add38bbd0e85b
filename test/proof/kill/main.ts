import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { listFaults, listVariants } from '#src/reference/catalog.ts';
import type { Fault } from '#src/reference/faults/fault.ts';
import { combinations } from './combinations.ts';
import { proveDefects, renderDefects } from './defects.ts';
import { EVERY, FEW, proveFaults } from './faults.ts';
import { renderOperatorProof } from './operator-figures.ts';
import { proveOperators, type OperatorOptions } from './operators.ts';
import { proveAll } from './pool.ts';
import { readProofFile, saveProof } from './proof-file.ts';
import { greenProof, readProof, renderProof, type Proof } from './proof.ts';
import type { ProofResult, ProofTask } from './task.ts';
import { mainRetold } from './retold-proof.ts';
import { turnOf } from './turn.ts';
import { mainWorlds } from './worlds-command.ts';

const HELP = `npm run prove -- [options]
  Runs the suites against the reference server with each fault made by hand, each variant, and combinations of these.
  Faults that the replay of a clean run shows as it did when they were run last are not run again, but for every ${EVERY}th;
  those that count requests otherwise, or are slow or change how bytes travel, always are.
  --runs           run every fault, whatever its replay shows; renews the figures that only runs can tell
  --fault ID       prove this fault only (repeatable); fewer than ${FEW} faults are always run
  --variant ID     prove this variant only (repeatable)
  --sample N       take every Nth fault and every Nth variant, no combinations
  --combinations N draw N combinations of variants (default 200)
  --repeat N       run the clean server N times and ask for one verdict (default 20)
  --seed N         seed of the drawn combinations and operator faults (default 1), and whose turn it is to be run
                   (default: by the commit, so that over time it comes to all faults)
  --operators [N]  prove N faults made by operators (default 300) and nothing else
  --all            prove all faults made by operators; what the replay of a clean run shows is not run again
                   (with --runs it is)
  --operator ID    only operator faults whose ids begin so (repeatable)
  --profile NAME   smoke, standard or full (repeatable; default standard, then full for what it did not see)
  --json FILE      write the figures of the operator faults
  --save           put them, or those of worlds, into reports/proof.json, from which docs/trust.md is made
  --worlds N       run N honest deployments drawn at random and nothing else; --seed is the first (default: a new one)
  --independent    worlds of the independent service instead of the reference
  --defects        prove the defects of the independent service and nothing else
  --defect ID      only those whose ids begin so (repeatable)
  --retold         judge the replays of all faults told in other ways (each request asked twice, the clock of the server estimated,
                   requests under way together), which must not change what is said; nothing else (4 minutes)
  --full           run worlds with the full profile
  --choose D=V     a choice that every world makes (repeatable)
  --plain          worlds make no other choices
  --once           the first run of a world decides, and nothing is shrunk
  --order          compute the order of checks from the faults of the other half, and write suites/order.txt
  --shrink N       bring at most N bad worlds down to the fewest choices (default 10)
`;

interface Options {
  readonly faults: readonly string[];
  readonly variants: readonly string[];
  readonly sample: number;
  readonly combinations: number;
  readonly repeat: number;
  readonly seed: number;
  /** Whose turn it is to be run although a replay would do. */
  readonly turn: number;
  /** True to run every fault. */
  readonly runs: boolean;
}

function optionsOf(args: readonly string[]): Options {
  const values = (flag: string): string[] =>
    args.flatMap((arg, index) => (arg === flag ? [args[index + 1] ?? ''] : []));
  const number = (flag: string, fallback: number): number => Number(values(flag)[0] ?? fallback);
  const sample = number('--sample', 1);
  return {
    faults: values('--fault'),
    variants: values('--variant'),
    sample,
    combinations: number('--combinations', sample > 1 ? 0 : 200),
    repeat: number('--repeat', sample > 1 ? 2 : 20),
    seed: number('--seed', 1),
    turn: turnOf(values('--seed')[0]),
    runs: args.includes('--runs'),
  };
}

/** Full looks closest, and has a second key; standard is what users run. */
const STANDARD = { profile: 'standard', validKeys: 1, seed: 1 } as const;
const FULL = { profile: 'full', validKeys: 2, seed: 1 } as const;

const isNamed = ({ faults, variants }: Options): boolean => faults.length + variants.length > 0;

function chosen<Entry extends { readonly id: string }>(
  all: readonly Entry[],
  ids: readonly string[],
  options: Options,
): readonly Entry[] {
  return all.filter(({ id }, index) =>
    isNamed(options) ? ids.includes(id) : index % options.sample === 0,
  );
}

/** The run of a fault. */
const taskOf = ({ id, profile }: Pick<Fault, 'id' | 'profile'>): ProofTask => ({
  ...(profile === 'full' ? FULL : STANDARD),
  name: `fault ${id}`,
  faults: [id],
  variants: [],
});

/** Runs that have to stay green. */
function greenTasks(options: Options): ProofTask[] {
  const named = isNamed(options);
  // The envelope violates the bare specification on purpose; the target file then says so.
  const variants = chosen(listVariants(), options.variants, options);
  const clean = { faults: [], variants: [] };
  return [
    ...(named
      ? []
      : [
          { ...clean, ...FULL, name: 'clean, full' },
          ...Array.from({ length: options.repeat }, (_, index) => ({
            ...clean,
            ...STANDARD,
            name: `clean, repeat ${index + 1}`,
          })),
        ]),
    ...variants.map(({ id }) => ({ ...FULL, name: `variant ${id}`, faults: [], variants: [id] })),
    ...(named ? [] : combinations(listVariants(), options.combinations, options.seed)).map(
      (ids) => ({ ...STANDARD, name: `variants ${ids.join(' + ')}`, faults: [], variants: ids }),
    ),
  ];
}

/** Runs tasks and shows how far it is; `what` says what they are. */
async function runAll(tasks: readonly ProofTask[], what = 'runs'): Promise<ProofResult[]> {
  const started = Date.now();
  const results = await proveAll(tasks, ({ task }, done) => {
    const left = Math.round(((Date.now() - started) / done / 1000) * (tasks.length - done));
    const far = `${done}/${tasks.length} ${what}, about ${left} s left`;
    if (process.stdout.isTTY) process.stdout.write(`\r\u001b[2K${far}: ${task.name}`);
    else if (done % 50 === 0) process.stdout.write(`${far}\n`);
  });
  if (process.stdout.isTTY) process.stdout.write('\r\u001b[2K');
  return results;
}

/**
 * A machine that stands still in the middle of a run can spoil its timing. A run that is not green is done once more,
 * when nothing else is under way; what was wrong the first time is printed, and a second time decides.
 */
async function secondLook(results: readonly ProofResult[]): Promise<ProofResult[]> {
  const again = new Map<string, ProofResult>();
  for (const { task, ...rest } of results) {
    const { green, name, wrong } = greenProof({ task, ...rest });
    if (green) continue;
    process.stdout.write(`ONCE MORE  ${name}\n${wrong.map((line) => `    ${line}\n`).join('')}`);
    for (const result of await proveAll([task])) again.set(name, result);
  }
  return results.map((result) => again.get(result.task.name) ?? result);
}

const PROFILES = ['smoke', 'standard', 'full'] as const;
const DEFAULT_OPERATORS = 300;

/** Options of the proof by operators; undefined when it was not asked for. */
function operatorOptions(args: readonly string[], seed: number): OperatorOptions | undefined {
  const at = args.indexOf('--operators');
  const all = args.includes('--all');
  if (at === -1 && !all) return undefined;
  const values = (flag: string): string[] =>
    args.flatMap((arg, index) => (arg === flag ? [args[index + 1] ?? ''] : []));
  const wanted = values('--profile');
  const asked = Number(args[at + 1]);
  return {
    count: all ? null : at !== -1 && asked > 0 ? asked : DEFAULT_OPERATORS,
    seed,
    profiles: PROFILES.filter((profile) =>
      wanted.length === 0 ? profile !== 'smoke' : wanted.includes(profile),
    ),
    // Of a sample each fault is run, which shows as well that a replay sees no more than a run.
    replay: all && !args.includes('--runs'),
    ids: values('--operator'),
  };
}

async function mainOperators(
  options: OperatorOptions,
  file: string | undefined,
  save: boolean,
): Promise<number> {
  const proof = await proveOperators(options, runAll);
  process.stdout.write(renderOperatorProof(proof));
  if (file !== undefined) {
    await mkdir(path.dirname(path.resolve(file)), { recursive: true });
    await writeFile(file, `${JSON.stringify(proof, null, 2)}\n`);
  }
  if (save) process.stdout.write(`written ${await saveProof({ operators: proof })}\n`);
  return proof.survivors.some(({ level }) => level === 'must') ? 1 : 0;
}

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    process.stdout.write(HELP);
    return 0;
  }
  if (args.includes('--worlds')) return mainWorlds(args);
  if (args.includes('--defects')) {
    const ids = args.flatMap((arg, index) => (arg === '--defect' ? [args[index + 1] ?? ''] : []));
    const proof = await proveDefects(ids, runAll);
    process.stdout.write(renderDefects(proof));
    return proof.survivors.some(({ level }) => level === 'must') ? 1 : 0;
  }
  const options = optionsOf(args);
  const operators = operatorOptions(args, options.seed);
  if (operators !== undefined) {
    const at = args.indexOf('--json');
    return mainOperators(operators, at === -1 ? undefined : args[at + 1], args.includes('--save'));
  }
  const faults = chosen(listFaults(), options.faults, options);
  if (args.includes('--retold')) return mainRetold(faults.map(({ id }) => id));
  const greens = greenTasks(options);
  if (faults.length + greens.length === 0) {
    process.stderr.write('Nothing to prove: no fault or variant has such an id.\n');
    return 2;
  }
  const kept: Partial<Proof> = await readProofFile().catch(() => ({}));
  const { others, ...proved } = await proveFaults(
    faults,
    greens,
    { taskOf, known: kept.faults ?? {}, runs: options.runs, turn: options.turn },
    runAll,
  );
  const whole = options.sample === 1 && !isNamed(options);
  const proof = readProof(await secondLook(others), proved, whole, kept);
  process.stdout.write(renderProof(proof, proved.looks));
  if (whole) {
    process.stdout.write(`written ${await saveProof(proof)}\n`);
  }
  return proof.holds ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
