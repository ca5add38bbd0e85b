import { readChoice } from '#src/reference/worlds/worlds.ts';
import { readProofFile, saveProof } from './proof-file.ts';
import type { Proof } from './proof.ts';
import { problemsOf, proveWorlds, renderBad, renderWorlds } from './worlds.ts';

/** `npm run prove -- --worlds N`: exit code 1 when one of them is not green. */
export async function mainWorlds(args: readonly string[]): Promise<number> {
  const values = (flag: string): string[] =>
    args.flatMap((arg, index) => (arg === flag ? [args[index + 1] ?? ''] : []));
  const count = Number(values('--worlds')[0]);
  const firstSeed = Number(values('--seed')[0] ?? Date.now() % 1_000_000_000);
  const once = args.includes('--once');
  process.stdout.write(`first seed ${firstSeed}\n`);
  const proof = await proveWorlds({
    service: args.includes('--independent') ? 'independent' : 'reference',
    count,
    firstSeed,
    full: args.includes('--full'),
    forced: Object.fromEntries(
      values('--choose').map(args.includes('--independent') ? pairOf : readChoice),
    ),
    plain: args.includes('--plain'),
    once,
    shrink: Number(values('--shrink')[0] ?? 10),
    onResult(result, done) {
      const problems = problemsOf(result);
      // Not yet the last word: each of these is run once more.
      if (problems.length > 0) {
        const ids = problems.map(({ kind, requirement }) => `${kind} ${requirement}`.trim());
        process.stdout.write(`${done}/${count} ${result.task.name}: ${ids.join(', ')}\n`);
        if (once)
          process.stdout.write(
            problems.map(({ requirement, reason }) => `    ${requirement}: ${reason}\n`).join(''),
          );
      } else if (done % 50 === 0) process.stdout.write(`${done}/${count}\n`);
    },
    onBad: (world) => void process.stdout.write(renderBad(world)),
  });
  process.stdout.write(renderWorlds(proof));
  if (args.includes('--save')) {
    const { worlds = [] } = await readProofFile().catch((): Partial<Proof> => ({}));
    const others = worlds.filter(
      ({ service, profile }) => service !== proof.service || profile !== proof.profile,
    );
    process.stdout.write(`written ${await saveProof({ worlds: [...others, proof] })}\n`);
  }
  return proof.bad.length === 0 ? 0 : 1;
}

/** `name=value` of a choice of the independent service, which checks it itself. */
function pairOf(text: string): readonly [name: string, value: string] {
  const cut = text.indexOf('=');
  return [text.slice(0, cut), text.slice(cut + 1)];
}
