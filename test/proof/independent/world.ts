import { CHOICES, RARE } from './choices.ts';
import { random } from './core.ts';

type ChoiceName = keyof typeof CHOICES;
type ChoiceValue<N extends ChoiceName> = (typeof CHOICES)[N][number];
/** Choices that differ from the default, by name. */
export type Chosen = Readonly<Record<string, string>>;

/** Names of all choices, in order. */
export const CHOICE_NAMES = Object.keys(CHOICES) as ChoiceName[];

/** A whole deployment: what it has and how it behaves. */
export type World = ReturnType<typeof worldOf>;

/** A world with these choices, the others by default. Throws a RangeError for names or values that do not exist. */
export function worldOf(seed: number, wanted: Chosen = {}) {
  const chosen: Record<string, string> = {};
  for (const [name, value] of Object.entries(wanted)) {
    if (!Object.hasOwn(CHOICES, name)) {
      throw new RangeError(`no choice is called ${name}; there are ${CHOICE_NAMES.join(', ')}`);
    }
    const values: readonly string[] = CHOICES[name as ChoiceName];
    if (!values.includes(value)) {
      throw new RangeError(`${name} has no value ${value}; it has ${values.join(', ')}`);
    }
    if (value !== values[0]) chosen[name] = value;
  }
  const choice = <N extends ChoiceName>(name: N): ChoiceValue<N> =>
    (chosen[name] ?? CHOICES[name][0]) as ChoiceValue<N>;
  const known = new Map<string, unknown>();
  return {
    seed,
    chosen,
    choice,
    is: <N extends ChoiceName>(name: N, value: ChoiceValue<N>): boolean => choice(name) === value,
    /** What the value of a choice stands for. */
    of: <N extends ChoiceName, M extends Readonly<Record<ChoiceValue<N>, unknown>>>(
      name: N,
      meanings: M,
    ): M[ChoiceValue<N>] => meanings[choice(name)],
    /** A choice whose values are numbers. */
    count: (name: ChoiceName): number => Number(choice(name)),
    /** What is worked out when it is asked for first, and kept. */
    once<T>(key: string, make: () => T): T {
      if (!known.has(key)) known.set(key, make());
      return known.get(key) as T;
    },
  };
}

/** How often a world leaves the defaults: now and then, often, or mostly. */
const RESTLESSNESS = [0.06, 0.2, 0.5, 0.8];

/** Choices drawn from a seed: the same seed, the same choices. */
export function draw(seed: number): Chosen {
  const dice = random('world', seed);
  const often = dice.pick(RESTLESSNESS);
  const chosen: Record<string, string> = {};
  for (const name of CHOICE_NAMES) {
    // The dice roll the same number of times whatever comes, so that a new value moves no other choice.
    const leaves = dice.chance(RARE.has(name) ? often / 4 : often);
    const value = dice.pick<string>(CHOICES[name].slice(1));
    if (leaves) chosen[name] = value;
  }
  return chosen;
}
