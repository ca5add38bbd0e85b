import { packageRoot } from '#src/fs/package-root.ts';
import { proveAll } from '../kill/pool.ts';
import { exitCodeOf } from '../peers/interrupt.ts';
import { mainCurve } from './curve-command.ts';
import { mainOrder } from './order-command.ts';
import { progressLine } from './progress.ts';

/** Faults that the peers are shown when the figures are kept and no other number is given; about a quarter of an hour. */
const PEERS = 36;

/** `npm run prove -- --order` and `--curve`. */
async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--order')) return mainOrder(progressLine());
  const after = (flag: string): number =>
    args.includes(flag) ? Number(args[args.indexOf(flag) + 1]) : Number.NaN;
  const count = after('--curve');
  const seed = after('--seed');
  const peers = after('--peers');
  const save = args.includes('--save');
  if (save && peers === 0) throw new RangeError('Figures are kept with those of the peers only.');
  return mainCurve(
    {
      count: count > 0 ? count : null,
      seed: Number.isNaN(seed) ? 1 : seed,
      peers: peers >= 0 ? peers : save ? PEERS : 0,
      workers: 2,
      date: new Date().toISOString().slice(0, 10),
      save: save ? packageRoot : null,
    },
    progressLine,
    proveAll,
  );
}

process.exitCode = await exitCodeOf(() => main(process.argv.slice(2)));
