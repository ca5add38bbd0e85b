import { suggestion } from '../../text/closest-name.ts';
import type { Modification } from '../hooks.ts';
import type { Network } from '../http-server.ts';
import { dice, stream } from '../data/prng.ts';
import type { Choice, Dimension, TargetDraft } from './choice.ts';
import { DIMENSIONS, modificationOf } from './choices.ts';
import type { World } from '../world.ts';

/** Answers that differ from the default, by dimension: a whole deployment in a few words. */
export type WorldChoices = Readonly<Record<string, string>>;

/** An honest deployment: what the server, the network and the target file are to be. */
export interface Deployment {
  readonly modifications: readonly Modification[];
  readonly network: Network;
  readonly start: number | undefined;
  readonly realTime: boolean;
  readonly validKeys: number;
  readonly target: (file: TargetDraft, world: World) => TargetDraft;
}

/** How many dimensions deviate from the default: worlds from almost plain to very odd. */
const DENSITIES = [0.04, 0.1, 0.2, 0.4];
const RARELY = 0.25;

/** Draws a world. `forced` answers are taken as they are; the seed decides about all other dimensions. */
export function drawWorld(seed: number, forced: WorldChoices = {}): WorldChoices {
  const roll = dice(stream(seed, 'world'));
  const density = roll.pick(DENSITIES);
  const drawn: Record<string, string> = {};
  for (const { name, choices, rarely = false } of DIMENSIONS) {
    // Always as many rolls, so that a forced answer or a new one elsewhere leaves the others alone.
    const own = dice(stream(seed, 'world', name));
    const others = [...choices.keys()].slice(1);
    const odd = own.chance(rarely ? density * RARELY : density);
    const value = own.pick(others);
    if (odd) drawn[name] = value;
  }
  return withoutDefaults({ ...drawn, ...forced });
}

/** Reads `dimension=value`. Throws for what does not exist, naming the nearest. */
export function readChoice(text: string): readonly [name: string, value: string] {
  const at = text.indexOf('=');
  const [name, value] = at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
  choiceOf(name, value);
  return [name, value];
}

/** A world as a list of choices, one `dimension=value` each; a plain deployment is an empty list. */
export const printWorld = (choices: WorldChoices): readonly string[] =>
  Object.entries(choices).map(([name, value]) => `${name}=${value}`);

/** What a world is made of. Choices apply in the order of the dimensions. */
export function deploymentOf(choices: WorldChoices): Deployment {
  for (const [name, value] of Object.entries(choices)) choiceOf(name, value);
  const made = DIMENSIONS.flatMap(({ name }) => {
    const value = choices[name];
    return value === undefined ? [] : [choiceOf(name, value)];
  });
  return {
    modifications: made.map(modificationOf),
    network: Object.assign({}, ...made.map(({ network }) => network ?? {})),
    start: made.findLast(({ start }) => start !== undefined)?.start,
    realTime: made.some(({ realTime }) => realTime === true),
    validKeys: made.findLast(({ validKeys }) => validKeys !== undefined)?.validKeys ?? 1,
    target: (file, world) =>
      made.reduce((draft, { target }) => target?.(draft, world) ?? draft, file),
  };
}

function choiceOf(name: string, value: string): Choice {
  const found: Dimension | undefined = DIMENSIONS.find((one) => one.name === name);
  if (found === undefined) {
    const names = DIMENSIONS.map((one) => one.name);
    throw new Error(
      `Worlds have no dimension "${name}". ${suggestion(name, names, JSON.stringify)}`.trimEnd(),
    );
  }
  const choice = found.choices.get(value);
  if (choice === undefined) {
    throw new Error(
      `The dimension "${name}" has no answer "${value}". There are: ${[...found.choices.keys()].join(', ')}.`,
    );
  }
  return choice;
}

const withoutDefaults = (choices: WorldChoices): WorldChoices =>
  Object.fromEntries(
    DIMENSIONS.flatMap(({ name, choices: known }) => {
      const value = choices[name];
      const [fallback] = known.keys();
      return value === undefined || value === fallback ? [] : [[name, value]];
    }),
  );
