import { random } from '../core/random.ts';
import { CHOICES, RARE } from './choices.ts';

export type ChoiceName = keyof typeof CHOICES;
export type ChoiceValue<N extends ChoiceName> = (typeof CHOICES)[N][number];
/** Choices that differ from the default, by name. */
export type Chosen = Readonly<Record<string, string>>;

/** A whole deployment: what it has and how it behaves. */
export interface World {
  readonly seed: number;
  /** What was chosen other than the default. */
  readonly chosen: Chosen;
  choice<N extends ChoiceName>(name: N): ChoiceValue<N>;
  /** What the value of a choice stands for. */
  of<N extends ChoiceName, M extends Readonly<Record<ChoiceValue<N>, unknown>>>(
    name: N,
    meanings: M,
  ): M[ChoiceValue<N>];
  /** A choice whose values are numbers. */
  count(name: ChoiceName): number;
}

/** Names of all choices, in order. */
export const CHOICE_NAMES = Object.keys(CHOICES) as ChoiceName[];

/** Values of a choice; throws a RangeError that names the choices there are. */
function valuesOf(name: string): readonly [string, ...string[]] {
  if (!Object.hasOwn(CHOICES, name)) {
    throw new RangeError(`no choice is called ${name}; there are ${CHOICE_NAMES.join(', ')}`);
  }
  return CHOICES[name as ChoiceName];
}

/** A world with these choices, the others by default. Throws a RangeError for names or values that do not exist. */
export function worldOf(seed: number, wanted: Chosen = {}): World {
  const chosen: Record<string, string> = {};
  for (const [name, value] of Object.entries(wanted)) {
    const values = valuesOf(name);
    if (!values.includes(value)) {
      throw new RangeError(`${name} has no value ${value}; it has ${values.join(', ')}`);
    }
    if (value !== values[0]) chosen[name] = value;
  }
  const choice = <N extends ChoiceName>(name: N): ChoiceValue<N> =>
    (chosen[name] ?? CHOICES[name][0]) as ChoiceValue<N>;
  return {
    seed,
    chosen,
    choice,
    of: (name, meanings) => meanings[choice(name)],
    count: (name) => Number(choice(name)),
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
    const values = valuesOf(name);
    // The dice roll the same number of times whatever comes, so that a new value moves no other choice.
    const leaves = dice.chance(RARE.has(name) ? often / 4 : often);
    const value = dice.pick(values.slice(1));
    if (leaves) chosen[name] = value;
  }
  return chosen;
}
