import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { PROFILES } from '#src/ask/profiles.ts';
import { listOperatorFaults, listVariants } from '#src/reference/catalog.ts';
import {
  aloneIn,
  cleanTask,
  combinations,
  combinationTask,
  defectTask,
  generator,
  groupsOf,
  groupTask,
  named,
  operatorsNamed,
  redIn,
  sampled,
  sampleOperators,
  shuffled,
  variantTask,
  type Chosen,
  type ProofResult,
  type ProofTask,
} from './kill/catalogue.ts';
import {
  handProof,
  isSeen,
  missedIn,
  operatorProof,
  originOf,
  problemsIn,
  readProofFile,
  renderHand,
  renderOperators,
  saveProof,
  wrongIn,
  type Examined,
  type Origin,
  type Proof,
} from './kill/report.ts';
import { mainMetamorphic } from './kill/metamorphic.ts';
import { createPool, lookAt } from './kill/runner.ts';
import { choicesIn, proveWorlds, renderWorlds } from './kill/worlds.ts';

const HELP = `npm run prove -- [options]
  By default: every fault made by hand, every defect of the independent service, every variant (together with three
  others, and alone where that is not green), 40 combinations of variants, and 6 repeats of the clean run. A fault is
  run where the replay of a clean run does not show it.
  --all            every fault made by hand run, every variant alone, 200 combinations, 20 repeats, every fault made by
                   operators, and 40 honest deployments of each of two services
  --fault ID       prove this fault only (repeatable): it is seen, and the clean server and ten variants are green
  --variant ID     prove this variant only (repeatable)
  --defect ID      prove defects of the independent service only whose ids begin so (repeatable)
  --operator ID    prove operator faults only whose ids begin so (repeatable)
  --operators N    prove N faults made by operators and nothing else, drawn so that every kind has its turn
  --sample N       take every Nth fault, defect and variant, and no combinations
  --combinations N draw N combinations of variants (default 40)
  --repeat N       run the clean server N times and ask for one verdict (default 6)
  --seed N         seed of what is drawn (default 1); with --worlds the first one (default: a new one)
  --runs           run every fault, even if its replay shows it
  --profile NAME   for faults by operators: smoke, standard or full (repeatable; default standard, then full for the rest)
  --json FILE      write the figures of the faults by operators
  --worlds N       run N honest deployments drawn at random and nothing else
  --independent    worlds of the independent service instead of the reference
  --full           run worlds with the full profile
  --choose D=V     a choice that every world makes (repeatable)
  --plain          worlds make no other choices
  --save           keep the figures of worlds in reports/proof.json; those of a whole proof always are
  --metamorphic    judge the replays of all faults with requests repeated or concurrent, which must change nothing
  --order          compute the order of checks from half of the faults by operators, and write suites/order.txt
  --curve [N]      print how many of N faults of the other half (default all) are found after how many requests
`;

const text = { type: 'string' } as const;
const texts = { type: 'string', multiple: true, default: [] as string[] } as const;
const flag = { type: 'boolean', default: false } as const;
const OPTIONS = {
  all: flag,
  fault: texts,
  variant: texts,
  defect: texts,
  operator: texts,
  operators: text,
  sample: text,
  combinations: text,
  repeat: text,
  seed: text,
  runs: flag,
  profile: texts,
  json: text,
  worlds: text,
  independent: flag,
  full: flag,
  choose: texts,
  plain: flag,
  save: flag,
  metamorphic: flag,
  help: flag,
} as const;

type Values = ReturnType<typeof valuesOf>;

const valuesOf = (args: string[]) => parseArgs({ args, options: OPTIONS }).values;

/** The whole number of an option. @throws RangeError when it is none */
function numberOf(values: Values, name: keyof Values, otherwise: number): number {
  const given = Number(values[name] ?? otherwise);
  if (Number.isSafeInteger(given) && given >= 0) return given;
  throw new RangeError(`--${name} takes a whole number.`);
}

/** One for the whole command: its processes know their modules, and the clean run that they replay. */
const pool = createPool();

/** Runs tasks and shows how far it is; `what` says what they are. */
async function runAll(tasks: readonly ProofTask[], what: string): Promise<ProofResult[]> {
  const started = Date.now();
  const results = await pool.run(tasks, ({ task }, done) => {
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
  const again = new Map<string, readonly ProofResult[]>();
  for (const result of results) {
    const wrong = wrongIn(result);
    if (wrong.length === 0) continue;
    const { name } = result.task;
    process.stdout.write(`ONCE MORE  ${name}\n${wrong.map((line) => `    ${line}\n`).join('')}`);
    again.set(name, await pool.run([result.task, ...aloneIn(result.task)]));
  }
  return results.flatMap((result) => {
    const [second = result, ...alone] = again.get(result.task.name) ?? [];
    // Who is not green alone is the one to name.
    return alone.some((one) => wrongIn(one).length > 0) ? alone : second;
  });
}

/** Runs that have to stay green. */
function greenTasks(chosen: Chosen, values: Values, isWhole: boolean): ProofTask[] {
  const seed = numberOf(values, 'seed', 1);
  const ids = listVariants().map(({ id }) => id);
  if (values.fault.length > 0) {
    const ten = shuffled(ids, generator(seed)).slice(0, 10);
    return [cleanTask('full'), ...new Set([...chosen.variants, ...ten])].map((one) =>
      typeof one === 'string' ? variantTask(one) : one,
    );
  }
  if (isNamed(values)) return chosen.variants.map(variantTask);
  const variants = values.all
    ? chosen.variants.map(variantTask)
    : groupsOf(chosen.variants, seed).map(groupTask);
  return [
    cleanTask('full'),
    ...Array.from(
      { length: numberOf(values, 'repeat', isWhole ? (values.all ? 20 : 6) : 2) },
      (_, index) => cleanTask('standard', `clean, repeat ${index + 1}`),
    ),
    ...variants,
    ...combinations(
      numberOf(values, 'combinations', isWhole ? (values.all ? 200 : 40) : 0),
      seed,
    ).map(combinationTask),
  ];
}

const isNamed = ({ fault, variant, defect }: Values): boolean =>
  fault.length + variant.length + defect.length > 0;

/** Faults made by hand, defects, and what has to stay green. */
async function proveHand(values: Values, origin: Origin): Promise<number> {
  const isWhole = !isNamed(values) && values.sample === undefined;
  const chosen = isNamed(values)
    ? named({ faults: values.fault, variants: values.variant, defects: values.defect })
    : sampled(Math.max(1, numberOf(values, 'sample', 1)));
  const greens = await runAll(greenTasks(chosen, values, isWhole), 'runs that stay green');
  const defects = await runAll(chosen.defects.map(defectTask), 'defects');
  const examined: Examined = {
    faults: await lookAt(
      chosen.faults,
      (fault, result) => missedIn(fault, result).length === 0,
      ['standard', 'full'],
      { runAll, isRun: values.runs || values.all },
    ),
    defects: defects.map((result) => ({
      of: result.task.defect ?? '',
      result,
      seen: isSeen('must', result),
    })),
    greens: await secondLook(greens),
  };
  if (isNamed(values)) {
    for (const { result } of [...examined.faults, ...examined.defects])
      process.stdout.write(`RED        ${result.task.name}: ${redIn(result).join(', ')}\n`);
  }
  const proof = handProof(examined, origin);
  const problems = [
    ...problemsIn(examined),
    ...(isWhole ? proof.unproven.map((id) => `UNPROVEN   ${id}: no fault turns it red`) : []),
  ];
  process.stdout.write(problems.map((line) => `${line}\n`).join(''));
  process.stdout.write(renderHand(proof, examined));
  if (isWhole) process.stdout.write(`written ${await saveProof(proof)}\n`);
  process.stdout.write(problems.length === 0 ? 'The proof holds.\n' : 'The proof does not hold.\n');
  return problems.length === 0 ? 0 : 1;
}

/** Faults made by operators; exit code 1 when one that breaks a must is not seen. */
async function proveOperators(values: Values, origin: Origin): Promise<number> {
  const all = listOperatorFaults();
  const wanted = values.operator.length > 0 ? operatorsNamed(values.operator) : all;
  const count = values.all ? wanted.length : numberOf(values, 'operators', wanted.length);
  const profiles = PROFILES.filter((profile) =>
    values.profile.length === 0 ? profile !== 'smoke' : values.profile.includes(profile),
  );
  const faults = sampleOperators(wanted, count, numberOf(values, 'seed', 1));
  const looks = await lookAt(faults, ({ level }, result) => isSeen(level, result), profiles, {
    runAll,
    isRun: values.runs,
  });
  const proof = operatorProof(looks, { origin, generated: all.length, profiles });
  process.stdout.write(renderOperators(proof));
  if (values.json !== undefined) {
    await mkdir(path.dirname(path.resolve(values.json)), { recursive: true });
    await writeFile(values.json, `${JSON.stringify(proof, null, 2)}\n`);
  }
  if (faults.length === all.length)
    process.stdout.write(`written ${await saveProof({ operators: proof })}\n`);
  return proof.survivors.some(({ level }) => level === 'must') ? 1 : 0;
}

/** Honest deployments; exit code 1 when one of them is not green. */
async function mainWorlds(values: Values, count: number, origin: Origin): Promise<number> {
  const firstSeed = numberOf(values, 'seed', Date.now() % 1_000_000_000);
  const service = values.independent ? 'independent' : 'reference';
  process.stdout.write(`first seed ${firstSeed}\n`);
  const proof = await proveWorlds({
    service,
    count,
    firstSeed,
    full: values.full,
    forced: choicesIn(values.choose, service),
    plain: values.plain,
  });
  process.stdout.write(renderWorlds(proof));
  if (values.save || values.all) {
    const { worlds = [] } = await readProofFile().catch((): Partial<Proof> => ({}));
    const others = worlds.filter(
      (one) => one.service !== proof.service || one.profile !== proof.profile,
    );
    process.stdout.write(
      `written ${await saveProof({ worlds: [...others, { ...proof, origin }] })}\n`,
    );
  }
  return proof.bad.length === 0 ? 0 : 1;
}

/** Honest deployments of each service that a proof of everything runs. */
const WORLDS = 40;

async function main(args: string[]): Promise<number> {
  const values = valuesOf(args);
  const origin = originOf(args);
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const profile = values.profile.find((name) => !PROFILES.some((one) => one === name));
  if (profile !== undefined) throw new RangeError(`There is no profile ${profile}.`);
  if (values.worlds !== undefined) return mainWorlds(values, numberOf(values, 'worlds', 0), origin);
  if (values.metamorphic) {
    const { faults } = sampled(Math.max(1, numberOf(values, 'sample', 1)));
    return mainMetamorphic(faults.map(({ id }) => id));
  }
  if (values.operator.length > 0 || values.operators !== undefined)
    return proveOperators(values, origin);
  const codes = [await proveHand(values, origin)];
  if (values.all) {
    codes.push(await proveOperators(values, origin));
    for (const independent of [false, true])
      codes.push(await mainWorlds({ ...values, independent }, WORLDS, origin));
  }
  return Math.max(...codes);
}

try {
  const args = process.argv.slice(2);
  if (args.includes('--order')) await import('./order/main.ts');
  else if (args.includes('--curve')) await import('./order/curve.ts');
  else process.exitCode = await main(args);
} catch (error) {
  const isMistyped = error instanceof RangeError || (error instanceof TypeError && 'code' in error);
  if (!isMistyped) throw error;
  process.stderr.write(`${error.message}\nSee npm run prove -- --help.\n`);
  process.exitCode = 2;
} finally {
  pool.close();
}
