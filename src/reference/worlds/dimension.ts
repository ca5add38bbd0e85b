import type { Modification } from '../hooks.ts';
import type { Network } from '../http-server.ts';
import type { ReferenceTarget } from '../target-file.ts';
import type { World } from '../world.ts';

/** What one choice of a world does: to the server, to the network in front of it, or to the target file. */
export interface Choice {
  /** Id of a variant. */
  readonly variant?: string;
  readonly change?: Modification;
  readonly network?: Network;
  /** Time that the clock starts from, epoch ms. */
  readonly start?: number;
  /** The clock cannot be moved: windows are short, and waiting for them takes time. */
  readonly realTime?: true;
  /** How many of the valid keys the target file names. */
  readonly validKeys?: number;
  /** What the target file says besides. */
  readonly target?: (file: TargetDraft, world: World) => TargetDraft;
  /** Ids of shoulds that the choice leaves aside, as an honest service may: these may be warned of. */
  readonly warns?: readonly string[];
  /** Milliseconds that a usual answer takes: such a world is slow, and is run beside others. */
  readonly latencyMs?: number;
}

/** A target file that a choice may change: every key but the valid ones, and every fixture, may be left out. */
export type TargetDraft = Omit<ReferenceTarget, 'keys' | 'fixtures'> & {
  readonly keys: Pick<ReferenceTarget['keys'], 'valid'> & Partial<ReferenceTarget['keys']>;
  readonly fixtures: Fixtures;
};

/** Fixtures by name: an identifier, a list of them, or one for each kind. */
export type Fixtures = Readonly<
  Record<string, string | readonly string[] | Readonly<Record<string, string>>>
>;

/** Names other fixtures in the target file; undefined leaves one out. */
export const fixtures =
  (changes: (world: World) => Readonly<Record<string, string | readonly string[] | undefined>>) =>
  (file: TargetDraft, world: World): TargetDraft => ({
    ...file,
    fixtures: Object.fromEntries(
      Object.entries({ ...file.fixtures, ...changes(world) }).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      ),
    ),
  });

/** Makes a choice from the world's seed. */
export type ChoiceMaker = (seed: number) => Choice;

/** A question that every deployment answers somehow. All answers are honest: the specification allows each of them. */
export interface Dimension {
  readonly name: string;
  /** Answers by name; the first one is the default. */
  readonly choices: ReadonlyMap<string, ChoiceMaker>;
  /** Its other answers make a run slow, so that fewer worlds give them. */
  readonly rarely?: boolean;
}

export const rarely = (one: Dimension): Dimension => ({ ...one, rarely: true });

/** A dimension from the name of its default, which changes nothing, and its other answers. */
export function dimension(
  name: string,
  fallback: string,
  others: Readonly<Record<string, Choice | ChoiceMaker>>,
): Dimension {
  const makers = Object.entries(others).map(([value, choice]): [string, ChoiceMaker] => [
    value,
    typeof choice === 'function' ? choice : () => choice,
  ]);
  return { name, choices: new Map([[fallback, () => ({})], ...makers]) };
}

/** A change of the server as a choice. */
export const changing = (change: Modification, warns: readonly string[] = []): Choice => ({
  change,
  warns,
});
/** A change of the data as a choice. */
export const data = (world: (world: World) => Partial<World>): Choice => ({
  change: { hooks: { world } },
});
