import { DAY, HOUR } from '../../spec/time.ts';
import { startOf } from './calendar.ts';
import { CURRENCY_FACTS, type CurrencyFacts } from './facts/currency-facts.ts';
import { createKlines } from './klines.ts';
import { createPath, type PricePath } from './paths.ts';
import { digits, noise, round, stream } from './prng.ts';

/** A currency with its identifier and its functions of time. */
export interface Currency extends CurrencyFacts {
  /** 19 decimal digits: beyond 2^53, so a client that reads it as a number loses digits. */
  readonly id: string;
  readonly path: PricePath;
  readonly klines: ReturnType<typeof createKlines>;
  /** 24-hour turnover at an instant, USD. */
  turnover24h(time: number): number;
}

/** Distance between the two neighbouring ids; doubles of this size are 128 and more apart. */
const NEIGHBOUR = 37n;

/** All currencies of a seed. The second one's id equals the first one's when read as a double. */
export function createCurrencies(seed: number): readonly Currency[] {
  const taken = new Set<string>();
  return CURRENCY_FACTS.map((facts, index) => {
    let id = `1${digits(stream(seed, 'currency-id', facts.symbol), 18)}`;
    if (index === 0) id = roomForNeighbour(id);
    const [first] = taken;
    if (index === 1 && first !== undefined) id = String(BigInt(first) + NEIGHBOUR);
    while (taken.has(id)) id = String(BigInt(id) + 1n);
    taken.add(id);
    return createCurrency(seed, facts, id);
  });
}

/** Moves an id onto a multiple of 2048, where it and its neighbour round to the same double. */
function roomForNeighbour(id: string): string {
  return String((BigInt(id) / 2048n) * 2048n);
}

function createCurrency(seed: number, facts: CurrencyFacts, id: string): Currency {
  const { symbol, base, volatility, growth } = facts;
  const stable = facts.sectors.includes('stable');
  const path = createPath({ seed, name: symbol, base, volatility, growth, market: !stable });
  const slow = stream(seed, 'turnover', symbol, 'slow');
  const fast = stream(seed, 'turnover', symbol, 'fast');
  const turnover24h = (time: number): number =>
    round(
      facts.turnover *
        1e6 *
        Math.exp(0.45 * noise(slow, time / (3 * DAY)) + 0.2 * noise(fast, time / (6 * HOUR))),
      2,
    );
  const klines = createKlines({
    path,
    hours: 'always',
    volume: (day) => turnover24h(startOf(day + 1)) / path.opening(day),
  });
  return { ...facts, id, path, klines, turnover24h };
}
