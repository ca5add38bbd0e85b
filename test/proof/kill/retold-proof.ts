import type { Exchange } from '#src/contract/exchange.ts';
import { isRequirementId, requirementOf } from '#src/requirements/catalogue.ts';
import { judgeAll } from '#src/requirements/judging.ts';
import type { Facts } from '#src/rules/facts.ts';
import { cleanRun, redIn, type CleanRun } from './replayed.ts';
import { KNOWN_CLOCK, RETELLINGS, type Retelling } from './retold.ts';

/** What is said of a server when a run is told in another way, and should not be, or the other way round. */
export interface Difference {
  readonly retelling: string;
  /** Undefined for the server without faults. */
  readonly fault: string | undefined;
  readonly requirement: string;
  /**
   * `hidden`: it was red and passes; `silent`: it was red and is not judged; `vouched`: it was not judged and passes, by
   * nothing but repetition; `accused`: the server without faults is red.
   */
  readonly how: 'hidden' | 'silent' | 'vouched' | 'accused';
  /** What the finding says. */
  readonly finding: string;
}

/** What rules say: requirements that are red, with the first finding, and those that were judged, red or not. */
interface Said {
  readonly red: ReadonlyMap<string, string>;
  readonly judged: ReadonlySet<string>;
}

/**
 * Judges the replays of a clean run with each of these faults, as they are and told in other ways, and compares. What is
 * true of a server is true however often it is asked, however its clock is estimated, and whatever was under way together.
 */
export class RetoldRun {
  readonly #run: CleanRun;
  readonly #ways: readonly Way[];
  readonly #plain: Way;
  readonly #known: Way;

  private constructor(run: CleanRun, retellings: readonly Retelling[]) {
    this.#run = run;
    this.#plain = new Way(PLAIN, run);
    this.#known = new Way(KNOWN_CLOCK, run);
    this.#ways = retellings.map((retelling) => new Way(retelling, run));
  }

  /** Runs the suites once against the server without faults. */
  static async of(retellings: readonly Retelling[] = RETELLINGS): Promise<RetoldRun> {
    const run = await cleanRun({ profile: 'standard', validKeys: 1, seed: 1 });
    return new RetoldRun(run, retellings);
  }

  /** What is wrongly said of the server without faults. */
  clean(): readonly Difference[] {
    return this.#ways.flatMap((way) =>
      [...way.clean.red]
        .filter(([id]) => way.retelling.clean === 'all' || !isOfLimits(id))
        .map(([requirement, finding]) =>
          differenceOf(way, undefined, requirement, 'accused', finding),
        ),
    );
  }

  /** What is said otherwise of the server with a fault. */
  differencesOf(fault: string): readonly Difference[] {
    const { exchanges } = this.#run.replay.answered([fault]);
    const plain = this.#plain.saidOf(exchanges);
    const known = this.#known.saidOf(exchanges);
    return this.#ways.flatMap((way) => {
      const before = way.retelling.facts(this.#run.facts).clockTold === true ? plain : known;
      return compared(way, fault, before, way.saidOf(exchanges));
    });
  }
}

const PLAIN: Retelling = {
  name: 'as it was',
  keeps: 'all',
  clean: 'all',
  repeats: false,
  facts: (facts) => facts,
  tell: (exchanges) => exchanges,
};

/** One way to tell runs, with what is said of the server without faults. */
class Way {
  readonly retelling: Retelling;
  readonly clean: Said;
  readonly #facts: Facts;
  /** Exchanges of the clean run, told so: what is said of them by themselves is known. */
  readonly #judged: ReadonlySet<Exchange>;

  constructor(retelling: Retelling, { replay, facts }: CleanRun) {
    this.retelling = retelling;
    this.#facts = retelling.facts(facts);
    const clean = retelling.tell(replay.clean);
    this.clean = saidOf(clean, this.#facts);
    this.#judged = new Set(clean);
  }

  saidOf(exchanges: readonly Exchange[]): Said {
    const told = this.retelling.tell(exchanges);
    return saidOf(told, this.#facts, (exchange) => !this.#judged.has(exchange));
  }
}

function saidOf(
  exchanges: readonly Exchange[],
  facts: Facts,
  isFresh?: (exchange: Exchange) => boolean,
): Said {
  const judgement = judgeAll(exchanges, facts, isFresh);
  const judged = [...judgement.requirements].flatMap(([id, { exchanges: on }]) =>
    on.size > 0 && isRequirementId(id) && requirementOf(id).level !== 'observe' ? [id] : [],
  );
  return { red: redIn(judgement), judged: new Set(judged) };
}

function compared(way: Way, fault: string, before: Said, after: Said): readonly Difference[] {
  const { keeps, repeats } = way.retelling;
  const lost = [...before.red].flatMap(([id, finding]) =>
    after.red.has(id)
      ? []
      : [differenceOf(way, fault, id, after.judged.has(id) ? 'hidden' : 'silent', finding)],
  );
  const vouched = [...after.judged].flatMap((id) =>
    repeats && !before.judged.has(id) && !after.red.has(id)
      ? [differenceOf(way, fault, id, 'vouched', '')]
      : [],
  );
  return [...lost, ...vouched].filter(
    ({ requirement }) => keeps === 'all' || !isOfLimits(requirement),
  );
}

const differenceOf = (
  { retelling }: Way,
  fault: string | undefined,
  requirement: string,
  how: Difference['how'],
  finding: string,
): Difference => ({ retelling: retelling.name, fault, requirement, how, finding });

/** True for what is said of the limiter. */
const isOfLimits = (requirement: string): boolean => requirement.startsWith('8/');

/** One difference as a line. */
const renderDifference = ({
  retelling,
  fault = 'no fault',
  requirement,
  how,
  finding,
}: Difference): string => `${how} ${requirement}, ${retelling}, ${fault}: ${finding}`;

/** `npm run prove -- --retold`: exit code 1 when something is said of a server in one way and not in another. */
export async function mainRetold(faults: readonly string[]): Promise<number> {
  const run = await RetoldRun.of();
  const found = [...run.clean()];
  for (const [index, fault] of faults.entries()) {
    found.push(...run.differencesOf(fault));
    if ((index + 1) % 50 === 0)
      process.stdout.write(`${index + 1}/${faults.length} faults retold\n`);
  }
  process.stdout.write(found.map((one) => `${renderDifference(one)}\n`).join(''));
  process.stdout.write(`${found.length} differences, ${faults.length} faults\n`);
  return found.length === 0 ? 0 : 1;
}
