import { validateHeaderName, validateHeaderValue } from 'node:http';
import { listFaults, listOperatorFaults, listVariants } from '#src/reference/catalog.ts';
import type { Fault } from '#src/reference/faults/fault.ts';
import type { Hooks, Modification } from '#src/reference/hooks.ts';
import type { OperatorFault } from '#src/reference/operators/operators.ts';
import type { ReferenceAnswer } from '#src/reference/reference.ts';
import type { WorldChoices } from '#src/reference/choices/worlds.ts';
import type { Outcome, Verdict } from '#src/report/model/results.ts';
import type { Profile } from '#src/ask/profiles.ts';
import { DEFECTS } from '../independent/defects.ts';

/**
 * Where the clock of the server starts: a Wednesday afternoon with both markets' last month free of surprises, so that an
 * unsettled row is there, and with Labor Day in that month, so that a holiday is.
 */
export const TRADING_DAY = Date.UTC(2026, 8, 9, 15);

/** Which service a proof runs against: the reference, or the one written by a hand that never saw the checks. */
export type Service = 'reference' | 'independent';

/** One run of the suites against one server. */
export interface ProofTask {
  readonly name: string;
  readonly faults: readonly string[];
  readonly variants: readonly string[];
  readonly profile: Profile;
  /** How many valid keys the run gets. */
  readonly validKeys: number;
  readonly seed: number;
  /** The service that is run against; the reference by default. */
  readonly service?: Service;
  /** True for a look at the replay of a clean run in place of a run; see `replay.ts`. */
  readonly replayed?: true;
  /** True for a server that answers without a connection. */
  readonly inProcess?: true;
  /** Defect of the independent service. */
  readonly defect?: string;
  /** The deployment that is run against; a plain one by default. */
  readonly world?: { readonly seed: number; readonly choices: WorldChoices };
}

/** What a run came to. */
export interface ProofResult {
  readonly task: ProofTask;
  readonly verdict: Verdict;
  readonly exitCode: number;
  readonly sentence: string;
  /** Requirements by outcome; `passed` is left out of what travels between processes. */
  readonly outcomes: Readonly<Record<string, Outcome>>;
  /** First finding or reason of each requirement that did not pass. */
  readonly reasons: Readonly<Record<string, string>>;
  readonly validRequests: number;
  /** Of a replay: why it cannot stand for a run, whatever it shows. */
  readonly needsRun?: string;
  /**
   * Of a replay: the same text for faults that change the same answers in the same way, `''` for those that change none;
   * missing where a run may tell more.
   */
  readonly effect?: string;
}

/** Requirements that a run turned red: musts failed and shoulds warned. */
export function redIn({ outcomes }: ProofResult): string[] {
  return Object.entries(outcomes).flatMap(([id, outcome]) =>
    outcome === 'failed' || outcome === 'warned' ? [id] : [],
  );
}

/** Standard is what users run, with one key; full looks closest, and has a second one. */
const KEYS: Readonly<Record<Profile, number>> = { smoke: 1, standard: 1, full: 2 };

const taskOf = (name: string, profile: Profile, more: Partial<ProofTask>): ProofTask => ({
  name,
  faults: [],
  variants: [],
  profile,
  validKeys: KEYS[profile],
  seed: 1,
  ...more,
});

/** A run of a profile against the reference server as it is. */
export const cleanTask = (profile: Profile, name = `clean, ${profile}`): ProofTask =>
  taskOf(name, profile, {});

/** The run of a fault. */
export const faultTask = (id: string, profile: Profile): ProofTask =>
  taskOf(`fault ${id}, ${profile}`, profile, { faults: [id] });

/** The run of a variant, which must stay green. */
export const variantTask = (id: string): ProofTask =>
  taskOf(`variant ${id}`, 'full', { variants: [id] });

/** The run of several variants at a time, which must stay green. */
export const groupTask = (variants: readonly string[]): ProofTask =>
  taskOf(`variants ${variants.join(' + ')}, full`, 'full', { variants });

/** The run of a combination of variants, which must stay green, in this process: the runs of groups use a connection. */
export const combinationTask = (variants: readonly string[]): ProofTask =>
  taskOf(`variants ${variants.join(' + ')}`, 'standard', { variants, inProcess: true });

/** The run of a defect of the independent service. */
export const defectTask = (defect: string): ProofTask =>
  taskOf(`defect ${defect}`, 'full', { service: 'independent', defect });

/** The runs of the variants of a group, each alone; none for other tasks. */
export const aloneIn = ({ profile, variants }: ProofTask): readonly ProofTask[] =>
  profile === 'full' && variants.length > 1 ? variants.map(variantTask) : [];

/** Variants that are run at a time. */
const GROUP = 4;

/** Variants in groups, drawn by chance; those that answer the same question are in different ones. */
export function groupsOf(ids: readonly string[], seed: number): readonly (readonly string[])[] {
  const questions = new Map(listVariants().map(({ id, question }) => [id, question]));
  const groups: string[][] = [];
  for (const id of shuffled(ids, generator(seed))) {
    const fits = groups.find(
      (group) =>
        group.length < GROUP && group.every((one) => questions.get(one) !== questions.get(id)),
    );
    if (fits === undefined) groups.push([id]);
    else fits.push(id);
  }
  return groups;
}

/** What the proof is about: all of it, or what was named, or every so manieth of it. */
export interface Chosen {
  readonly faults: readonly Fault[];
  readonly variants: readonly string[];
  readonly defects: readonly string[];
}

/** The faults and variants with these ids, and what begins with these. @throws RangeError for what there is not */
export function named(ids: Readonly<Record<keyof Chosen, readonly string[]>>): Chosen {
  const exactly = <Entry extends { readonly id: string }>(
    what: string,
    all: readonly Entry[],
    wanted: readonly string[],
  ): Entry[] =>
    wanted.map((id) => {
      const found = all.find((one) => one.id === id);
      if (found === undefined) throw new RangeError(`Nothing to prove: there is no ${what} ${id}.`);
      return found;
    });
  return {
    faults: exactly('fault', listFaults(), ids.faults),
    variants: exactly('variant', listVariants(), ids.variants).map(({ id }) => id),
    defects: beginning(DEFECTS, ids.defects).map(({ id }) => id),
  };
}

/** Those whose ids begin with one of some texts. */
const beginning = <Entry extends { readonly id: string }>(
  all: readonly Entry[],
  starts: readonly string[],
): Entry[] => all.filter(({ id }) => starts.some((start) => id.startsWith(start)));

/** The faults made by operators whose ids begin so. */
export const operatorsNamed = (starts: readonly string[]): readonly OperatorFault[] =>
  beginning(listOperatorFaults(), starts);

/** Every so manieth fault, variant and defect; none of the faults by operators. */
export function sampled(every: number): Chosen {
  const some = <Entry>(all: readonly Entry[]): Entry[] =>
    all.filter((_, index) => index % every === 0);
  return {
    faults: some(listFaults()),
    variants: some(listVariants()).map(({ id }) => id),
    defects: some(DEFECTS).map(({ id }) => id),
  };
}

/** A small generator of pseudo-random numbers (mulberry32), so that a seed gives the same draw everywhere. */
export function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A list in an order drawn by chance. */
export function shuffled<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map((value) => ({ value, sortKey: random() }))
    .toSorted((a, b) => a.sortKey - b.sortKey)
    .map(({ value }) => value);
}

/**
 * Draws combinations of two to six variants. Variants that answer the same question exclude each other. No combination
 * comes twice as long as there are enough of them.
 */
export function combinations(count: number, seed: number): readonly (readonly string[])[] {
  const variants = listVariants();
  const random = generator(seed);
  const drawn = new Map<string, readonly string[]>();
  for (let tries = 0; drawn.size < count && tries < count * 50; tries += 1) {
    const size = 2 + Math.floor(random() * 5);
    const byQuestion = new Map<string, string>();
    for (let index = 0; index < size; index += 1) {
      const variant = variants[Math.floor(random() * variants.length)];
      if (variant !== undefined && !byQuestion.has(variant.question)) {
        byQuestion.set(variant.question, variant.id);
      }
    }
    if (byQuestion.size < 2) continue;
    const ids = [...byQuestion.values()].toSorted();
    drawn.set(ids.join(), ids);
  }
  return [...drawn.values()];
}

/**
 * Draws `count` faults so that every operator on every endpoint has its turn before any has a second one. The same seed
 * draws the same faults.
 */
export function sampleOperators(
  faults: readonly OperatorFault[],
  count: number,
  seed: number,
): readonly OperatorFault[] {
  const random = generator(seed);
  const strata = new Map<string, OperatorFault[]>();
  for (const fault of faults) {
    const name = `${fault.operator} ${fault.endpoint ?? ''}`;
    const stratum = strata.get(name);
    if (stratum === undefined) strata.set(name, [fault]);
    else stratum.push(fault);
  }
  const open = shuffled([...strata.values()], random).map((stratum) => shuffled(stratum, random));
  const drawn: OperatorFault[] = [];
  for (let round = 0; drawn.length < Math.min(count, faults.length); round += 1) {
    for (const stratum of open) {
      const fault = stratum[round];
      if (fault !== undefined && drawn.length < count) drawn.push(fault);
    }
  }
  return drawn;
}

/**
 * Points where a fault changes how requests are counted over time. A run goes by what it is told of its windows: it waits,
 * and asks again; the requests of the clean run come when they came then.
 */
const COUNTING: readonly (keyof Hooks)[] = ['limiter', 'quota', 'bucket', 'admission'];

/** Why a fault needs a run whatever it would answer to a replay; null when it can be replayed. */
export function beyondReplay({ hooks = [], settings = {} }: Modification): string | null {
  const hook = COUNTING.find((name) => [hooks].flat().some((one) => one[name] !== undefined));
  const how = hook ?? (settings.counted === undefined ? undefined : 'counted');
  return how === undefined ? null : `it changes how requests are counted (${how})`;
}

/** Headers that say how the bytes travel, and not what they say. */
const TRAVEL: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Why an answer within this process is not what a client gets over a connection; null when it is. Without a connection
 * nothing is late, and nothing is lost or changed on the way.
 */
export function beyondProcess({ status, headers, body, delayMs }: ReferenceAnswer): string | null {
  if (delayMs > 0) return 'an answer is late';
  const travel = Object.keys(headers).find((name) => TRAVEL.has(name));
  if (travel !== undefined) return `an answer has the header ${travel}`;
  // Answers of these classes have no body on a connection, or are not the last one.
  if (status < 200 || ((status === 204 || status === 304) && body !== ''))
    return `an answer has the status ${status} and a body`;
  const length = headers['content-length'];
  if (length !== undefined && body !== '' && length !== String(Buffer.byteLength(body)))
    return 'an answer has another length than it says';
  const changed = Object.entries(headers).find(([name, value]) => !travelsAsIs(name, value));
  return changed === undefined ? null : `the header ${changed[0]} is not one that HTTP carries`;
}

function travelsAsIs(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch {
    return false;
  }
  // White space around a value is no part of it.
  return value === value.trim();
}
