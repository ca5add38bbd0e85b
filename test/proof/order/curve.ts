import { parseArgs } from 'node:util';
import { listOperatorFaults } from '#src/reference/catalog.ts';
import { startEmbedded } from '#src/run/embedded.ts';
import { sampleOperators, TRADING_DAY } from '../kill/catalogue.ts';
import { runSuitesOn } from '../kill/runner.ts';
import type { Exchange } from '#src/spec/exchange.ts';
import type { Facts } from '#src/judge/facts.ts';
import { askAll } from './asked.ts';
import { choosesOrder } from './half.ts';
import { lookAtAll } from './looks.ts';
import { sentUntilRed } from './matrix.ts';

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
  const sent = validIn(asked.exchanges, asked.exchanges.length);
  const tasks = drawn.map(({ id }) => ({ fault: id, level: 'must' as const }));
  const looks = await lookAtAll('shownAfter', tasks, (done) => {
    if (done % 50 === 0) process.stdout.write(`${done}/${tasks.length}\n`);
  });
  const after = looks.map((count) => validIn(asked.exchanges, count));
  for (const [index, { id }] of drawn.entries()) {
    const replayed = after[index] ?? Number.POSITIVE_INFINITY;
    if (replayed <= OVER) continue;
    after[index] = Math.min(replayed, await sentInRun(id));
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

/** Requests with valid keys that a full run had sent when its answers showed the fault; infinite when it saw none. */
async function sentInRun(fault: string): Promise<number> {
  const embedded = await startEmbedded({ faults: [fault], seed: 1, now: TRADING_DAY });
  try {
    const results = await runSuitesOn(embedded.target, { profile: 'full', seed: 1 });
    const sent = results.exchanges.toSorted((a, b) => a.sentAt - b.sentAt);
    const { facts } = results;
    return facts === undefined
      ? Number.POSITIVE_INFINITY
      : validIn(sent, sentUntilRed(sent, facts as Facts));
  } finally {
    await embedded.close();
  }
}

/** Requests with a valid key among the first ones; infinite when they are. */
const validIn = (sent: readonly Exchange[], count: number): number =>
  Number.isFinite(count)
    ? sent.slice(0, count).filter(({ role }) => role === 'valid').length
    : count;

const share = (value: number): string => `${(100 * value).toFixed(1)} %`;

await main();
