import type { Hooks, Modification } from '../hooks.ts';
import type { Network } from '../http-server.ts';
import type { ReferenceTarget } from '../target-file.ts';
import type { JsonObject, NewsRecord, World } from '../world.ts';

/**
 * One allowed answer to a question that the specification leaves open: what it does to the server, to the network in front of
 * it, or to the target file.
 */
export interface Choice extends Hooks, Omit<Modification, 'hooks'> {
  /** Further hooks, at points that the choice itself uses. */
  readonly hooks?: readonly Hooks[];
  readonly network?: Network;
  /** Time that the clock starts from, epoch ms. */
  readonly start?: number;
  /** The clock cannot be moved: windows are short, and waiting for them takes time. */
  readonly realTime?: true;
  /** How many of the valid keys the target file names. */
  readonly validKeys?: number;
  /** What the target file also says. */
  readonly target?: (file: TargetDraft, world: World) => TargetDraft;
  /** Title that makes the choice a variant, which is proven by itself, and which users can start a server with. */
  readonly variant?: string;
}

/** A choice that is a variant. */
export const variant = (title: string, choice: Choice): Choice => ({ ...choice, variant: title });

/** A target file that a choice may change: every key but the valid ones may be left out. */
export type TargetDraft = Omit<ReferenceTarget, 'keys' | 'fixtures'> & {
  readonly keys: Pick<ReferenceTarget['keys'], 'valid'> & Partial<ReferenceTarget['keys']>;
  readonly fixtures: Fixtures;
};

/** Fixtures by name: an identifier, a list of them, or one for each kind. */
export type Fixtures = Readonly<
  Record<string, string | readonly string[] | Readonly<Record<string, string>>>
>;

/** A question that every deployment answers somehow. All answers are honest: the specification allows each of them. */
export interface Dimension {
  readonly name: string;
  /** Answers by name; the first one is the default. */
  readonly choices: ReadonlyMap<string, Choice>;
  /** Its other answers make a run slow, so that fewer worlds give them. */
  readonly rarely?: boolean;
}

export const rarely = (one: Dimension): Dimension => ({ ...one, rarely: true });

/** A dimension from the name of its default, which changes nothing, and its other answers. */
export const dimension = (
  name: string,
  fallback: string,
  others: Readonly<Record<string, Choice>>,
): Dimension => ({ name, choices: new Map([[fallback, {}], ...Object.entries(others)]) });

/** A change of the data as a choice. */
export const data = (world: (world: World) => Partial<World>): Choice => ({ world });

export type Rows = readonly JsonObject[];
/** Members of the data that give rows for an identifier. */
type Series = 'currencyKlines' | 'pairs' | 'etfHistory' | 'macroHistory';

/** Changes the rows of a series. */
export const series = (name: Series, change: (rows: Rows, now: number) => Rows): Choice =>
  data((world) => ({
    [name](id: string, now: number) {
      const rows = world[name](id, now);
      return rows && change(rows, now);
    },
  }));

/** Members of the data that list news. */
type NewsList = 'news' | 'featuredNews' | 'hotNews';

/** Changes lists of news, all of them by default. */
export const newsLists = (
  world: World,
  change: (list: readonly NewsRecord[], now: number) => readonly NewsRecord[],
  names: readonly NewsList[] = ['news', 'featuredNews', 'hotNews'],
): Partial<Pick<World, NewsList>> =>
  Object.fromEntries(names.map((name) => [name, (now: number) => change(world[name](now), now)]));
