import { numberOf, type Exchange } from '#src/spec/exchange.ts';
import type { Facts } from '#src/judge/facts.ts';
import { isRequirementId, requirementOf } from '#src/requirements/catalogue.ts';
import { judgeAll } from '#src/requirements/judging.ts';
import { generator, shuffled } from './catalogue.ts';
import { redBy } from './replay.ts';
import { cleanRun } from './runner.ts';

/** Another way to tell a run. */
type Transform = (exchanges: readonly Exchange[]) => readonly Exchange[];

/** Makes changed copies of exchanges, each once: what rules remember of one serves for the next fault, too. */
function copier(): (exchange: Exchange, change: Partial<Exchange>) => Exchange {
  const made = new WeakMap<Exchange, Record<string, Exchange>>();
  return (exchange, change) => {
    const own = made.get(exchange) ?? {};
    made.set(exchange, own);
    return (own[JSON.stringify(change)] ??= { ...exchange, ...change });
  };
}

/** What is asked about the content of answers, and not to see the limiter or the quota at work. */
function isOfContent({ response, sequence, purpose, role }: Exchange): boolean {
  const isAnswered = response !== null && response.status !== 429;
  return isAnswered && sequence === undefined && purpose === undefined && role !== 'nearQuota';
}

const sentOn = ({ sentAt, skewMs }: Exchange): number => sentAt + skewMs;
const receivedOn = ({ receivedAt, skewMs }: Exchange): number => receivedAt + skewMs;

/**
 * Every request about content asked twice; both together take the time of the one, so that no answer is repeated when a later
 * one has shown something else.
 */
function askedTwice(): Transform {
  const copy = copier();
  return (exchanges) =>
    exchanges.flatMap((exchange) => {
      const { sentAt, receivedAt } = exchange;
      const times = isOfContent(exchange) ? 2 : 1;
      const took = (receivedAt - sentAt) / times;
      return Array.from({ length: times }, (_, index) =>
        copy(exchange, {
          id: `x${numberOf(exchange.id) * 2 + index}`,
          sentAt: sentAt + took * index,
          receivedAt: sentAt + took * (index + 1),
        }),
      );
    });
}

/** Longer than all windows that a run waits for, and shorter than the way to another day, ms. */
const OTHER_DAY_MS = 6 * 3_600_000;

/**
 * Every request about content asked again when all the others were over, or before the clock was moved to another day: what
 * was answered then is not what the server would say a day later.
 */
function askedAgain(): Transform {
  const copy = copier();
  return (exchanges) => {
    const moved = exchanges.findIndex((exchange, index) => {
      const before = exchanges[index - 1];
      return before !== undefined && receivedOn(exchange) - receivedOn(before) > OTHER_DAY_MS;
    });
    const asked = moved === -1 ? exchanges : exchanges.slice(0, moved);
    const end = Math.max(...asked.map(receivedOn));
    const last = Math.max(...exchanges.map(({ id }) => numberOf(id)));
    const again = asked.flatMap((exchange, index) => {
      const sentAt = end + 5 * index - exchange.skewMs + 1;
      const id = `x${last + numberOf(exchange.id)}`;
      return isOfContent(exchange) ? [copy(exchange, { id, sentAt, receivedAt: sentAt + 1 })] : [];
    });
    const later = exchanges
      .slice(asked.length)
      .map((exchange) => copy(exchange, { id: `x${2 * last + numberOf(exchange.id)}` }));
    return [...asked, ...again, ...later];
  };
}

/** Requests that are sent within so many ms may as well have been under way together. */
const TOGETHER_MS = 50;

/** Requests about content of the same moment under way together, in an order drawn by chance. */
function inFlight(): Transform {
  const copy = copier();
  return (exchanges) => {
    const random = generator(1);
    const flights: Exchange[][] = [];
    for (const exchange of exchanges) {
      const [first] = flights.at(-1) ?? [];
      const joins =
        first !== undefined &&
        isOfContent(first) &&
        isOfContent(exchange) &&
        sentOn(exchange) - sentOn(first) <= TOGETHER_MS;
      if (joins) flights.at(-1)?.push(exchange);
      else flights.push([exchange]);
    }
    return flights.flatMap((flight) => {
      if (flight.length === 1) return flight;
      const from = Math.min(...flight.map(sentOn));
      const to = Math.max(...flight.map(receivedOn));
      return shuffled(flight, random).map((exchange, index) =>
        copy(exchange, {
          id: flight[index]?.id ?? exchange.id,
          sentAt: from - exchange.skewMs,
          receivedAt: to - exchange.skewMs,
        }),
      );
    });
  };
}

/** Ways to tell a run that must not change what is said of the content of answers. */
export const TRANSFORMATIONS: Readonly<Record<string, Transform>> = {
  'asked twice': askedTwice(),
  'asked again at the end': askedAgain(),
  'in flight together': inFlight(),
};

/** What rules say: requirements that are red, with the first finding, and those that were judged, red or not. */
interface Said {
  readonly red: ReadonlyMap<string, string>;
  readonly judged: ReadonlySet<string>;
}

/** What is said of exchanges, but for the limiter: how many requests a key made is changed. */
export function saidOf(
  exchanges: readonly Exchange[],
  facts: Facts,
  known?: ReadonlySet<Exchange>,
): Said {
  const judgement = judgeAll(exchanges, facts, known && ((exchange) => !known.has(exchange)));
  const isMeant = (id: string): boolean =>
    !id.startsWith('8/') && isRequirementId(id) && requirementOf(id).level !== 'observe';
  const judged = [...judgement.requirements].filter(
    ([id, { exchanges: on }]) => on.size > 0 && isMeant(id),
  );
  return {
    red: new Map([...redBy(judgement)].filter(([id]) => isMeant(id))),
    judged: new Set(judged.map(([id]) => id)),
  };
}

/**
 * `npm run prove -- --metamorphic`: judges the replays of a clean run with each of these faults, as they are and transformed.
 * Findings must not depend on how often a request was sent, or on what was in flight with it. Exit code 1 if they do.
 */
export async function mainMetamorphic(faults: readonly string[]): Promise<number> {
  const replay = await cleanRun({ profile: 'standard', validKeys: 1, seed: 1 });
  const plain = new Set(replay.clean);
  const ways = Object.entries(TRANSFORMATIONS).map(([name, transform]) => {
    const clean = transform(replay.clean);
    // What is said of these by themselves is known.
    return { name, transform, known: new Set(clean), red: saidOf(clean, replay.facts).red };
  });
  const found = ways.flatMap(({ name, red }) =>
    [...red].map(([id, finding]) => `accused ${id}, ${name}, no fault: ${finding}`),
  );
  for (const [index, fault] of faults.entries()) {
    const { exchanges } = replay.answered([fault]);
    const before = saidOf(exchanges, replay.facts, plain);
    for (const { name, transform, known } of ways) {
      const after = saidOf(transform(exchanges), replay.facts, known);
      for (const [id, finding] of before.red)
        if (!after.red.has(id))
          found.push(
            `${after.judged.has(id) ? 'hidden' : 'silent'} ${id}, ${name}, ${fault}: ${finding}`,
          );
      // What was not judged without the repetition must not pass with it.
      for (const id of name.startsWith('asked') ? after.judged : [])
        if (!before.judged.has(id) && !after.red.has(id))
          found.push(`vouched ${id}, ${name}, ${fault}`);
    }
    if ((index + 1) % 50 === 0) process.stdout.write(`${index + 1}/${faults.length} faults\n`);
  }
  process.stdout.write(found.map((line) => `${line}\n`).join(''));
  process.stdout.write(`${found.length} differences, ${faults.length} faults\n`);
  return found.length === 0 ? 0 : 1;
}
