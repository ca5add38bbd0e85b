/** The vocabulary of operators beyond that of hand-made faults: single entities and chosen rows. */
import type { EndpointPath, FixtureKind, QueryParameter } from '../../spec/endpoints.ts';
import { endpoint as factsOf } from '../../spec/endpoints.ts';
import type { Context, Hooks } from '../hooks.ts';
import { isArray, isObject } from '../json.ts';
import { all, endpointIs } from '../vocabulary.ts';
import type { Condition, RecordChange } from '../vocabulary.ts';
import type { Json, JsonObject, World } from '../world.ts';

/** Identifiers by the kind of fixture, in the order in which lists name them. */
const IDENTIFIERS: Readonly<Record<FixtureKind, (world: World) => readonly string[]>> = {
  currencyIds: (world) => world.currencyIds,
  etfTickers: (world) => world.etfs.map(({ ticker }) => ticker),
  stockTickers: (world) => world.stockTickers,
  indexTickers: (world) => world.indexTickers,
  sectorNames: (world) => world.sectorNames,
  macroEvents: (world) => world.macroEvents,
  chartNames: (world) => world.chartNames,
  projectIds: (world) => world.projectIds,
};

/** Known identifiers of an endpoint's path parameter; empty when it has none. */
export function identifiersOf(path: EndpointPath, world: World): readonly string[] {
  const [kind] = Object.values(factsOf(path).path);
  return kind === undefined ? [] : IDENTIFIERS[kind](world);
}

/** Identifier in the path of a request; undefined when the endpoint has none. */
export const identifierIn = ({ path }: Context): string | undefined => Object.values(path)[0];

/** The request asks the endpoint for its nth entity (from 0) in the order of the lists. */
export const forEntity = (path: EndpointPath, nth: number): Condition =>
  all(
    endpointIs(path),
    (context) => identifierIn(context) === identifiersOf(path, context.world)[nth],
  );

/** The request names an entity that the endpoint does not know. */
export const forUnknown = (path: EndpointPath): Condition =>
  all(
    endpointIs(path),
    (context) => !identifiersOf(path, context.world).includes(identifierIn(context) ?? ''),
  );

/** The value of the parameter, in any case. */
export const valued =
  (name: string, value: string | number): Condition =>
  ({ query }) =>
    query.get(name)?.toLowerCase() === String(value).toLowerCase();

/** Whether a value was sent that is not listed, in any letter case. */
export const isUnlisted = ({ enum: values = [] }: QueryParameter, sent?: string): boolean =>
  sent !== undefined && !values.some((value) => String(value).toLowerCase() === sent.toLowerCase());

/** Whether a record has something at a pointer such as `/media_info/<any>/type`, written with `*`. */
export function holds(value: Json | undefined, pointer: string): boolean {
  const [step, ...rest] = pointer.split('/').slice(1);
  if (step === undefined) return value !== undefined;
  const below = rest.length === 0 ? '' : `/${rest.join('/')}`;
  if (value === undefined) return false;
  if (step === '*') return isArray(value) && value.some((element) => holds(element, below));
  return isObject(value) && holds(value[step], below);
}

/** Which of the rows that have the pointer are changed. */
export type Rows = 'every' | 'first' | 'last' | 'middle';

const CHOSEN: Readonly<Record<Rows, (indices: readonly number[]) => readonly number[]>> = {
  every: (indices) => indices,
  first: (indices) => indices.slice(0, 1),
  last: (indices) => indices.slice(-1),
  middle: (indices) => indices.slice(Math.floor(indices.length / 2)).slice(0, 1),
};

/** Changes chosen rows among those that hold `pointer`. */
export function onChosenRows(
  when: Condition,
  rows: Rows,
  pointer: string,
  change: RecordChange,
): Hooks {
  return {
    rows(list, context) {
      if (!when(context)) return list;
      const indices = list.flatMap((row, index) => (holds(row, pointer) ? [index] : []));
      const chosen = new Set(CHOSEN[rows](indices));
      return list.map((row, index) =>
        chosen.has(index) && isObject(row) ? change(row, context, index) : row,
      );
    },
  };
}

/** Changes the object that an endpoint returns. */
export function onObject(when: Condition, change: RecordChange): Hooks {
  return {
    body: (value, context) =>
      when(context) && isObject(value) ? change(value, context, 0) : value,
  };
}

/** The members of an object without one. */
export const withoutMember = (
  name: string,
  { [name]: _removed, ...others }: JsonObject,
): JsonObject => others;
