import { numberOf, type Exchange } from '#src/contract/exchange.ts';
import type { Facts } from '#src/rules/facts.ts';
import { generator } from './random.ts';

/** The exchanges of a run, told in another way that says the same of the server. */
export interface Retelling {
  readonly name: string;
  /** `content`: how many requests a key made is changed, and so is what a limiter may say; section 8 is left out. */
  readonly keeps: 'all' | 'content';
  /** What the server without faults is judged by in this way: by `content` alone where its limiter would say otherwise. */
  readonly clean: 'all' | 'content';
  /** True where answers are only repeated: what was not judged without the repetition must not be judged with it. */
  readonly repeats: boolean;
  /** What is known of the target in this way. */
  facts(facts: Facts): Facts;
  tell(exchanges: readonly Exchange[]): readonly Exchange[];
}

type Change = Partial<Pick<Exchange, 'id' | 'sentAt' | 'receivedAt' | 'skewMs'>>;

/** Changed copies of exchanges, made once: what rules remember of one serves for the next fault, too. */
class Copies {
  readonly #made = new WeakMap<Exchange, Map<string, Exchange>>();

  of(exchange: Exchange, change: Change): Exchange {
    const key = JSON.stringify(change);
    const own = this.#made.get(exchange) ?? new Map<string, Exchange>();
    this.#made.set(exchange, own);
    const copy = own.get(key) ?? { ...exchange, ...change };
    own.set(key, copy);
    return copy;
  }
}

/** What is asked about the content of answers, and not to see the limiter or the quota at work. */
function isOfContent({ response, sequence, purpose, role }: Exchange): boolean {
  return (
    response !== null &&
    response.status !== 429 &&
    sequence === undefined &&
    purpose === undefined &&
    role !== 'nearQuota'
  );
}

/**
 * Every request about content asked again at once, so many times; all of them together take the time of the one, so that
 * no answer is repeated when a later one has shown something else.
 */
function repeatedAtOnce(times: number): Retelling['tell'] {
  const copies = new Copies();
  return (exchanges) =>
    exchanges.flatMap((exchange) => {
      const { sentAt, receivedAt } = exchange;
      const number = isOfContent(exchange) ? times + 1 : 1;
      const took = (receivedAt - sentAt) / number;
      return Array.from({ length: number }, (_, index) =>
        copies.of(exchange, {
          id: `x${placeOf(exchange) * (times + 1) + index}`,
          sentAt: sentAt + took * index,
          receivedAt: sentAt + took * (index + 1),
        }),
      );
    });
}

const placeOf = ({ id }: Exchange): number => numberOf(id);

/**
 * Every request about content asked again when all the others were over, or before the clock was moved to another day: what
 * was answered then is not what the server would say a day later.
 */
function repeatedAtEnd(): Retelling['tell'] {
  const copies = new Copies();
  return (exchanges) => {
    const moved = exchanges.findIndex((exchange, index) => {
      const before = exchanges[index - 1];
      return before !== undefined && targetTime(exchange) - targetTime(before) > OTHER_DAY_MS;
    });
    const asked = moved === -1 ? exchanges : exchanges.slice(0, moved);
    const end = Math.max(...asked.map(targetTime));
    const last = Math.max(...exchanges.map(placeOf));
    const again = asked.flatMap((exchange, index) => {
      if (!isOfContent(exchange)) return [];
      const at = end + 5 * index - exchange.skewMs;
      const id = `x${last + placeOf(exchange)}`;
      return [copies.of(exchange, { id, sentAt: at + 1, receivedAt: at + 2 })];
    });
    const later = exchanges.slice(asked.length).map((exchange) => {
      return copies.of(exchange, { id: `x${2 * last + placeOf(exchange)}` });
    });
    return [...asked, ...again, ...later];
  };
}

/** Longer than all windows that a run waits for, and shorter than the way to another day, ms. */
const OTHER_DAY_MS = 6 * 3_600_000;

const targetTime = ({ receivedAt, skewMs }: Exchange): number => receivedAt + skewMs;

/** By how much an estimate from `Date`, which has whole seconds, moves from answer to answer, ms. */
const MOVES_MS = 400;

/**
 * As a run sees a server whose clock cannot be moved and is right: times are those of our clock, and that of the server is
 * estimated anew with each answer.
 */
function estimated(seed: number | null): Retelling['tell'] {
  const copies = new Copies();
  return (exchanges) => {
    const random = generator(seed ?? 0);
    return exchanges.map((exchange) => {
      const skewMs = seed === null ? 0 : Math.round((2 * random() - 1) * MOVES_MS);
      return copies.of(exchange, {
        sentAt: exchange.sentAt + exchange.skewMs,
        receivedAt: targetTime(exchange),
        skewMs,
      });
    });
  };
}

/** Requests that are sent within so many ms may as well have been under way together. */
const TOGETHER_MS = 50;

/** Requests of the same moment under way together, in an order drawn by chance. */
function inFlight(seed: number): Retelling['tell'] {
  const copies = new Copies();
  return (exchanges) => {
    const random = generator(seed);
    return flightsOf(exchanges).flatMap((flight) => together(flight, random, copies));
  };
}

/** Requests about content that were sent at about the same time; every other request is alone. */
function flightsOf(exchanges: readonly Exchange[]): readonly (readonly Exchange[])[] {
  const flights: Exchange[][] = [];
  for (const exchange of exchanges) {
    const flight = flights.at(-1);
    const [first] = flight ?? [];
    const joins =
      first !== undefined &&
      isOfContent(first) &&
      isOfContent(exchange) &&
      sentAtOf(exchange) - sentAtOf(first) <= TOGETHER_MS;
    if (joins) flight?.push(exchange);
    else flights.push([exchange]);
  }
  return flights;
}

const sentAtOf = ({ sentAt, skewMs }: Exchange): number => sentAt + skewMs;

function together(
  flight: readonly Exchange[],
  random: () => number,
  copies: Copies,
): readonly Exchange[] {
  if (flight.length === 1) return flight;
  const from = Math.min(...flight.map(sentAtOf));
  const to = Math.max(...flight.map(targetTime));
  return flight
    .map((exchange) => ({ exchange, drawn: random() }))
    .toSorted((a, b) => a.drawn - b.drawn)
    .map(({ exchange }, index) =>
      copies.of(exchange, {
        id: flight[index]?.id ?? exchange.id,
        sentAt: from - exchange.skewMs,
        receivedAt: to - exchange.skewMs,
      }),
    );
}

const asTold = (facts: Facts): Facts => facts;

function withoutControl({ clockTold: _told, ...facts }: Facts): Facts {
  return facts;
}

const REPEATED = { keeps: 'content', clean: 'content', repeats: true, facts: asTold } as const;
const ESTIMATED = { keeps: 'all', clean: 'all', repeats: false, facts: withoutControl } as const;

/** As a run without control of the clock sees it, with its estimates right at once: what other estimates are compared with. */
export const KNOWN_CLOCK: Retelling = { ...ESTIMATED, name: 'clock known', tell: estimated(null) };

/** Ways to tell a run that must not change what is said of the server. */
export const RETELLINGS: readonly Retelling[] = [
  { ...REPEATED, name: 'asked twice', tell: repeatedAtOnce(1) },
  { ...REPEATED, name: 'asked three times', tell: repeatedAtOnce(2) },
  { ...REPEATED, name: 'asked again at the end', tell: repeatedAtEnd() },
  { ...ESTIMATED, name: 'clock estimated, 1', tell: estimated(1) },
  { ...ESTIMATED, name: 'clock estimated, 2', tell: estimated(2) },
  // Of requests under way together nobody knows which the limiter counted first, so it is accused of less.
  {
    name: 'in flight together',
    keeps: 'content',
    clean: 'all',
    repeats: false,
    facts: asTold,
    tell: inFlight(1),
  },
];
