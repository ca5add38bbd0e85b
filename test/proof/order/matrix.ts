import { requirementOf, isRequirementId } from '#src/requirements/catalogue.ts';
import { judgeAll } from '#src/requirements/judging.ts';
import type { Exchange } from '#src/spec/exchange.ts';
import type { Facts } from '#src/judge/facts.ts';
import type { Asked } from './asked.ts';
import { Replay } from '../kill/replay.ts';

/** Whether some answers of a faulty server break a must or, for faults of a should, anything. */
export function isRed(exchanges: readonly Exchange[], facts: Facts, level: Level): boolean {
  for (const [id, { findings }] of judgeAll(exchanges, facts).requirements) {
    if (findings.length === 0 || !isRequirementId(id)) continue;
    const of = requirementOf(id).level;
    if (of === 'must' || (of === 'should' && level === 'should')) return true;
  }
  return false;
}

/** A request set that one or more checks ask for. */
export interface RequestSet {
  /** Positions of exchanges in the order sent. */
  readonly positions: readonly number[];
  readonly checks: readonly string[];
  /** Of checks that move the clock of the target. */
  readonly movesClock: boolean;
  /** True when its requests have to follow each other. */
  readonly atOnce: boolean;
  /** Of checks that all ask alone. */
  readonly alone: boolean;
}

/** The different sets of requests that checks ask for. */
export function requestSets({ checks, exchanges }: Asked): readonly RequestSet[] {
  const positionOf = new Map(exchanges.map(({ id }, index) => [id, index]));
  const sets = new Map<string, RequestSet & { readonly checks: string[]; alone: boolean }>();
  for (const { name, asked, movesClock, atOnce, alone } of checks) {
    const positions = asked.flatMap((id) => positionOf.get(id) ?? []).toSorted((a, b) => a - b);
    const key = `${String(movesClock)} ${String(atOnce)} ${positions.join(' ')}`;
    const set = sets.get(key) ?? { positions, checks: [], movesClock, atOnce, alone };
    set.alone &&= alone;
    sets.set(key, set);
    set.checks.push(name);
  }
  return [...sets.values()];
}

/** Finds out which requests show a fault, by giving a clean run the answers of a faulty server. */
export class Matrix {
  readonly #facts: Facts;
  readonly #replay: Replay;
  readonly #clean: readonly string[];
  readonly #sets: readonly RequestSet[];

  constructor(asked: Asked, sets: readonly RequestSet[]) {
    this.#facts = asked.facts;
    this.#sets = sets;
    this.#replay = new Replay(asked.exchanges, asked.facts, asked.reference);
    this.#clean = this.#replay.clean.map(told);
  }

  /** Indices of the sets that show the fault, each judged by itself. */
  shownBy(fault: string, level: Level): readonly number[] {
    const { exchanges } = this.#replay.answered([fault]);
    const changed = new Set(
      exchanges.flatMap((exchange, index) =>
        told(exchange) === this.#clean[index] ? [] : [index],
      ),
    );
    const red = new Map<number, boolean>();
    const isRedAlone = (position: number): boolean => {
      const exchange = exchanges[position];
      if (exchange === undefined || !changed.has(position)) return false;
      const known = red.get(position) ?? isRed([exchange], this.#facts, level);
      red.set(position, known);
      return known;
    };
    return this.#sets.flatMap(({ positions }, index) => {
      if (!positions.some((position) => changed.has(position))) return [];
      // An answer that is red alone makes every set red that it is in.
      if (positions.some(isRedAlone)) return [index];
      if (positions.length === 1) return [];
      const answers = positions.flatMap((position) => exchanges[position] ?? []);
      return isRed(answers, this.#facts, level) ? [index] : [];
    });
  }
}

type Level = 'must' | 'should';

const told = ({ response }: Exchange): string =>
  response === null
    ? ''
    : JSON.stringify([
        response.status,
        Object.entries(response.headers).toSorted(([a], [b]) => (a < b ? -1 : 1)),
        response.text,
      ]);
