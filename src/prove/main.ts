import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { listFaults, listVariants } from '../reference/catalog.ts';
import { REQUIREMENTS } from '../contract/requirements.ts';
import { packageRoot } from '../run/vitest-runner.ts';
import { proveAll } from './pool.ts';
import { redIn, type ProofResult, type ProofTask } from './task.ts';

/**
 * `npm run prove`: runs the suites against the reference server with each fault and each variant, and writes which
 * requirement each fault turns red. Fails on a fault that nothing sees, on a variant that is not green, and on a
 * must or should requirement that no fault turns red.
 *
 * Flags: `--fault ID` and `--variant ID` (repeatable) prove just those; `--sample N` takes every Nth fault.
 */
async function main(args: readonly string[]): Promise<number> {
  const only = valuesOf(args, '--fault');
  const onlyVariants = valuesOf(args, '--variant');
  const some = only.length + onlyVariants.length > 0;
  const every = Number(valuesOf(args, '--sample')[0] ?? 1);
  const base = { faults: [], variants: [], validKeys: 1, seed: 1 } as const;
  const faults = listFaults().filter(({ id }, index) =>
    some ? only.includes(id) : index % every === 0,
  );
  const variants = listVariants().filter(({ id }) => (some ? onlyVariants.includes(id) : true));
  const tasks: ProofTask[] = [
    ...(some ? [] : [{ ...base, name: 'no fault, standard', profile: 'standard' as const }]),
    ...(some ? [] : [{ ...base, name: 'no fault, full', profile: 'full' as const, validKeys: 2 }]),
    ...variants.map(({ id }) => ({
      ...base,
      name: `variant ${id}`,
      variants: [id],
      profile: 'full' as const,
      validKeys: 2,
    })),
    ...faults.map(({ id, profile }) => ({
      ...base,
      name: `fault ${id}`,
      faults: [id],
      profile: profile ?? ('standard' as const),
      validKeys: profile === 'full' ? 2 : 1,
    })),
  ];
  const results = await proveAll(tasks, (result, done) => {
    if (process.stdout.isTTY)
      process.stdout.write(`\r\u001b[2K${done}/${tasks.length} ${result.task.name}`);
    else if (done % 25 === 0) process.stdout.write(`${done}/${tasks.length} runs\n`);
  });
  if (process.stdout.isTTY) process.stdout.write('\r\u001b[2K');
  return report(results, every === 1 && !some);
}

function valuesOf(args: readonly string[], flag: string): string[] {
  return args.flatMap((arg, index) => (arg === flag ? [args[index + 1] ?? ''] : []));
}

async function report(results: readonly ProofResult[], whole: boolean): Promise<number> {
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  let bad = 0;
  const faults = new Map(listFaults().map((fault) => [fault.id, fault]));
  const killedBy = new Map<string, string[]>();
  let killed = 0;
  let green = 0;
  let redTotal = 0;
  const matrix: Record<string, string[]> = {};
  for (const result of results) {
    const { task } = result;
    const red = redIn(result);
    const fault = faults.get(task.faults[0] ?? '');
    if (fault === undefined) {
      const settled = red.length === 0 && result.verdict === 'conforms';
      if (settled) green += 1;
      else {
        bad += 1;
        say(`NOT GREEN  ${task.name}: ${result.verdict} ${result.sentence}`);
        const listed = Object.entries(result.outcomes).filter(
          ([, outcome]) => !['untested', 'observed'].includes(outcome),
        );
        for (const [id, outcome] of listed)
          say(`    ${outcome} ${id}: ${result.reasons[id] ?? ''}`);
      }
      continue;
    }
    matrix[fault.id] = red;
    redTotal += red.length;
    const missed = fault.kills.filter((id) => !red.includes(id));
    if (missed.length === 0) killed += 1;
    else {
      bad += 1;
      say(
        `SURVIVED   ${fault.id}: ${missed.join(', ')} stayed green; red: ${red.join(', ') || 'nothing'}`,
      );
    }
    for (const id of fault.kills) {
      if (red.includes(id)) killedBy.set(id, [...(killedBy.get(id) ?? []), fault.id]);
    }
  }
  const faultRuns = Object.keys(matrix).length;
  const judged = REQUIREMENTS.filter(({ level }) => level !== 'observe');
  const unproven = judged.filter(({ id }) => !killedBy.has(id));
  say(`faults killed ${killed} of ${faultRuns}`);
  say(`green as they must be ${green} of ${results.length - faultRuns}`);
  if (faultRuns > 0) say(`red requirements per fault ${(redTotal / faultRuns).toFixed(2)}`);
  if (whole) {
    say(`requirements without a killing fault ${unproven.length} of ${judged.length}`);
    for (const { id } of unproven) say(`    ${id}`);
    bad += unproven.length;
    const file = path.join(packageRoot, 'reports', 'proof.json');
    await mkdir(path.dirname(file), { recursive: true });
    const proof = { matrix, killedBy: Object.fromEntries(killedBy) };
    await writeFile(file, `${JSON.stringify(proof, null, 2)}\n`);
    say(`written ${path.relative('', file)}`);
  }
  const broad = Object.entries(matrix).filter(([, red]) => red.length > 6);
  for (const [id, red] of broad) say(`    broad: ${id} turns ${red.length} red`);
  return bad === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
