import path from 'node:path';
import { packageRoot } from '#src/fs/package-root.ts';
import { mainCurve } from './curve/curve-command.ts';
import { progressLine } from './curve/progress.ts';
import { proveAll } from './kill/pool.ts';
import { exitCodeOf } from './peers/interrupt.ts';
import { writePeersPage } from './peers/page.ts';
import { mainPeers } from './peers/peers-command.ts';

const HELP = `npm run bench:peers -- [options]
  --date YYYY-MM-DD  day that is written into the results (default today)
  --faults N         size of the sample of faults made by hand (default 48)
  --variants N       size of the sample of variants (default 20)
  --seeds N          seeds that the clean server is shown with (default 5)
  --seed N           seed of the samples and of the runs (default 1)
  --workers N        runs at the same time (default 2)
  --curve N          faults made by operators that tell how much is shown after how many requests (default 400)
  --curve-peers N    how many of them the peers are shown (default 36)
  --only PART        faults or curve, and not both
  --out FOLDER       where reports and docs go (default the package)
  --render           write docs/peers.md from reports/peers.json and reports/curve.json again, run nothing

Ends with 1 where Assay shows too few faults after some number of requests, or not more than a peer.
`;

interface Options {
  readonly date: string;
  readonly faults: number;
  readonly variants: number;
  readonly seeds: number;
  readonly seed: number;
  readonly workers: number;
  readonly curve: number;
  readonly curvePeers: number;
  readonly only: string | undefined;
  readonly out: string;
}

/** @throws RangeError with the way out when an option makes no sense */
function optionsOf(args: readonly string[]): Options {
  const value = (flag: string): string | undefined =>
    args.includes(flag) ? (args[args.indexOf(flag) + 1] ?? '') : undefined;
  const number = (flag: string, fallback: number, least = 1): number => {
    const given = Number(value(flag) ?? fallback);
    if (Number.isSafeInteger(given) && given >= least) return given;
    throw new RangeError(`${flag} takes a whole number of at least ${least}.`);
  };
  const date = value('--date') ?? new Date().toISOString().slice(0, 10);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) throw new RangeError('--date takes YYYY-MM-DD.');
  const only = value('--only');
  if (only !== undefined && only !== 'faults' && only !== 'curve') {
    throw new RangeError('--only takes faults or curve.');
  }
  return {
    date,
    faults: number('--faults', 48),
    variants: number('--variants', 20, 0),
    seeds: number('--seeds', 5),
    seed: number('--seed', 1, 0),
    workers: number('--workers', 2),
    curve: number('--curve', 400),
    curvePeers: number('--curve-peers', 36),
    only,
    out: path.resolve(value('--out') ?? packageRoot),
  };
}

/** `npm run bench:peers`: faults made by hand, and then how many faults are shown after how many requests. */
async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    process.stdout.write(HELP);
    return 0;
  }
  const options = optionsOf(args);
  const { date, seed, workers, out, only, curve, curvePeers } = options;
  if (args.includes('--render')) {
    process.stdout.write(`written ${await writePeersPage(out)}\n`);
    return 0;
  }
  if (only !== 'curve') await mainPeers(options);
  if (only === 'faults') return 0;
  return mainCurve(
    { count: curve, seed, peers: Math.min(curve, curvePeers), workers, date, save: out },
    progressLine,
    proveAll,
  );
}

process.exitCode = await exitCodeOf(() => main(process.argv.slice(2)));
