/**
 * The resources of §2 and what follows from their fields. Each field becomes a must requirement: it is there and has the
 * stated type. The JSON Schemas in `schemas/` are written from the same facts (`npm run openapi`); a schema error is
 * attributed to the field with the longest matching place.
 */
import { CURRENCIES } from './resources/currencies.ts';
import { ETFS } from './resources/etfs.ts';
import { FUNDRAISINGS } from './resources/fundraising.ts';
import { MACRO_AND_CHARTS } from './resources/macro-and-charts.ts';
import { MARKETS, PAGE } from './resources/markets.ts';
import { NEWS } from './resources/news.ts';
import { STOCKS } from './resources/stocks.ts';
import { typeOf } from './resources/value.ts';
import type { FieldKind, Kind, Members, Resource, Resources, Value } from './resources/value.ts';

export type { FieldKind } from './resources/value.ts';

/** Resources with a stated shape, by the names of their schema files, in the order of §2. */
export const RESOURCES = {
  ...CURRENCIES,
  ...MARKETS,
  ...FUNDRAISINGS,
  ...NEWS,
  ...ETFS,
  ...STOCKS,
  ...MACRO_AND_CHARTS,
} as const satisfies Resources;

/** Resources with a stated shape, named as their schema files. */
export type ResourceName = keyof typeof RESOURCES;
export const RESOURCE_NAMES = Object.keys(RESOURCES) as ResourceName[];

/** A value and where it stands. */
export interface PlacedValue {
  /** Place inside one record, such as `/price`. `*` stands for any array index. */
  readonly place: string;
  readonly value: Value;
}

/** Every named value below a place, members of nested objects included. */
function valuesBelow(place: string, members: Members): readonly PlacedValue[] {
  return Object.entries(members).flatMap(([name, value]) => {
    const own = `${place}/${name}`;
    return [
      { place: own, value },
      ...valuesBelow(own, value.members ?? {}),
      ...valuesBelow(`${own}/*`, value.element?.members ?? {}),
    ];
  });
}

const forEachResource = <Of>(of: (resource: Resource) => Of): Readonly<Record<ResourceName, Of>> =>
  Object.fromEntries(
    Object.entries<Resource>(RESOURCES).map(([name, resource]) => [name, of(resource)]),
  ) as Record<ResourceName, Of>;

/** Every value of §2 that is stated, nested ones included, in the order of the specification. */
export const VALUES = forEachResource(({ fields }) => valuesBelow('', fields));

/** Places of the values of some kinds. */
export const placesOf = (resource: ResourceName, ...kinds: readonly Kind[]): readonly string[] =>
  VALUES[resource].filter(({ value }) => kinds.includes(value.kind)).map(({ place }) => place);

/** A field with a requirement of its own: one a row of a table, or one a nested object that one sentence describes. */
export interface Field {
  /** Place inside one record: `/price`, `/sector`, `/fundraising_rounds/*`. */
  readonly place: string;
  /** Id of the requirement. */
  readonly id: `2.${number}/${string}`;
  readonly kind: FieldKind;
  /** What the value must be, completing "`field` is …". */
  readonly is: string;
  /** Whether a clause gives null a meaning, for the value or for a member of it. */
  readonly nullable: boolean;
  /** The clauses that state it. */
  readonly clauses: readonly string[];
  readonly value: Value;
}

function field({ section, prefix = '', table = section }: Resource, at: PlacedValue): Field {
  const { place, value } = at;
  const name = place.slice(1);
  return {
    place,
    id: `${section}/${prefix}${value.slug ?? name.replaceAll('_', '-')}`,
    kind: typeOf(value.kind),
    is: value.is,
    nullable: [value, ...Object.values(value.members ?? {})].some(({ nullable }) => nullable),
    clauses: [`${table} ${value.row ?? name}`, ...(value.also ?? [])],
    value,
  };
}

function fieldsOf(resource: Resource): readonly Field[] {
  return valuesBelow('', resource.fields)
    .flatMap(({ place, value }) => [
      { place, value, own: place.lastIndexOf('/') === 0 },
      ...(value.element === undefined
        ? []
        : [{ place: `${place}/*`, value: value.element, own: value.element.slug !== undefined }]),
    ])
    .filter(({ own }) => own)
    .map((at) => field(resource, at));
}

export const FIELDS = forEachResource(fieldsOf);

/** Fields of the paging envelope (§2.5, §2.7), shared by pairs and news. */
export const PAGE_FIELDS: readonly Field[] = fieldsOf(PAGE);

/** Places of what may not exist or not be known (ruling 3). */
export const MAY_NOT_EXIST = forEachResource((resource) =>
  valuesBelow('', resource.fields)
    .filter(({ value }) => value.mayNotExist)
    .map(({ place }) => place),
);

/** Figures of an ETF history row that stay null until settled (§4.4 rule 1). */
export const T1_FIELDS = placesOf('etf-history-row', 'settled').map((place) => place.slice(1));
