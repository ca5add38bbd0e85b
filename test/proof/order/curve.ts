import { parseArgs } from 'node:util';
import { listOperatorFaults } from '#src/reference/catalog.ts';
import { sampleOperators } from '../kill/catalogue.ts';
import { askAll } from './asked.ts';
import { choosesOrder } from './half.ts';
import { lookAtAll } from './looks.ts';
import { requestSets } from './matrix.ts';
import { runUntilRed } from './until-red.ts';

/** Requests with valid keys after which faults are counted: those of smoke, of one window and a half, and of standard. */
const POINTS = [20, 31, 50, 100];
/** Requests that the average is taken over. */
const OVER = 100;

/**
 * `npm run prove -- --curve [N]`: how many faults that the order of checks was not made for are shown after how many
 * requests with valid keys, by replays of a clean run. What no replay shows, such as what goes by the key or the limiter,
 * is run.
 */
async function main(): Promise<void> {
  const half = listOperatorFaults().filter(
    ({ id, level }) => level === 'must' && !choosesOrder(id),
  );
  const options = { curve: { type: 'boolean' } } as const;
  const { positionals } = parseArgs({ options, allowPositionals: true });
  const given = positionals.join(' ') || String(half.length);
  if (!/^[1-9]\d*$/.test(given)) {
    process.stderr.write(`--curve takes a number of faults from 1 on, not ${given}\n`);
    process.exitCode = 2;
    return;
  }
  const drawn = sampleOperators(half, Math.min(half.length, Number(given)), 1);
  const asked = await askAll(1);
  let sent = 0;
  const sentAt = asked.exchanges.map(({ role }) => {
    sent += role === 'valid' ? 1 : 0;
    return sent;
  });
  const ends = requestSets(asked).map(({ positions }) => sentAt[positions.at(-1) ?? -1]);
  const tasks = drawn.map(({ id }) => ({ fault: id, level: 'must' as const }));
  const looks = await lookAtAll(tasks, (done) => {
    if (done % 50 === 0) process.stdout.write(`${done}/${tasks.length}\n`);
  });
  const after = looks.map((look) => Math.min(...look.flatMap((set) => ends[set] ?? [])));
  for (const [index, { id }] of drawn.entries()) {
    if (Number.isFinite(after[index])) continue;
    after[index] = (await runUntilRed([id], 1)).after ?? Number.POSITIVE_INFINITY;
    process.stdout.write(`run: ${id}, after ${after[index]}\n`);
  }
  const never = drawn.filter((_, index) => !Number.isFinite(after[index]));
  process.stdout.write(never.map(({ id }) => `never      ${id}\n`).join(''));
  for (const point of [...POINTS, sent]) {
    const shown = after.filter((one) => one <= point).length;
    process.stdout.write(`after ${point}: ${share(shown / after.length)}\n`);
  }
  // The average share shown after each of the first hundred requests.
  const area = after.reduce((sum, one) => sum + Math.max(0, OVER + 1 - Math.max(1, one)), 0);
  process.stdout.write(`APFD over ${OVER} requests: ${(area / OVER / after.length).toFixed(3)}; `);
  process.stdout.write(`${after.length} of ${half.length} faults\n`);
}

const share = (value: number): string => `${(100 * value).toFixed(1)} %`;

await main();
