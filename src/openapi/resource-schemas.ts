import { RESOURCES } from '../contract/resources.ts';
import { PAGE } from '../contract/resources/markets.ts';
import { examplesOf } from '../contract/resources/value.ts';
import type { Kind, Members, Resource, Value } from '../contract/resources/value.ts';
import type { Node } from './node.ts';

/** A type that `schemas/types.json` describes by hand. */
const typed = (name: string): Node => ({ $ref: `types.json#/$defs/${name}` });

/** How a value of each kind is written in JSON. */
const SCALARS: Readonly<Record<Exclude<Kind, 'choice' | 'list' | 'object'>, Node>> = {
  name: { type: 'string' },
  text: { type: 'string' },
  figure: { type: 'string' },
  day: { type: 'string', minLength: 1 },
  stamp: typed('stringTimestamp'),
  'any-time': typed('anyTimestamp'),
  date: typed('date'),
  milliseconds: typed('longMs'),
  time: typed('long'),
  long: typed('long'),
  integer: { type: 'integer' },
  number: { type: 'number' },
  settled: { type: 'number' },
  decimal: typed('bigDecimal'),
  turnover: typed('bigDecimal'),
  category: typed('newsCategory'),
  mark: typed('blueVerified'),
  flag: { type: 'boolean' },
};

const isComposite = ({ kind }: Value): boolean => kind === 'object' || kind === 'list';

/** Null beside the type that a schema names itself; a type with a name says so where it is described. */
function orNull(schema: Node, { nullable }: Value): Node {
  return nullable && 'type' in schema ? { ...schema, type: [schema['type'], 'null'] } : schema;
}

function membersOf(members: Members): Node {
  return {
    required: Object.keys(members),
    properties: Object.fromEntries(
      Object.entries(members).map(([name, value]) => [
        name,
        { ...schemaOf(value), description: value.says },
      ]),
    ),
  };
}

/** A value as a schema that does not say what it means. */
function schemaOf(value: Value): Node {
  const { kind, choices, element, members, shared } = value;
  if (shared !== undefined) return typed(shared.name);
  if (kind === 'choice') return orNull({ type: 'string', enum: choices }, value);
  if (kind === 'list') {
    return {
      ...orNull({ type: 'array' }, value),
      ...(element === undefined ? {} : { items: schemaOf(element) }),
    };
  }
  if (kind === 'object') {
    return {
      ...orNull({ type: 'object' }, value),
      ...(members === undefined ? {} : membersOf(members)),
    };
  }
  return orNull(SCALARS[kind], value);
}

const resourceSchema = (name: string, resource: Resource): Node => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: `https://assay.example/schemas/${name}.json`,
  title: resource.title,
  description: resource.says,
  type: 'object',
  ...membersOf(resource.fields),
  examples: examplesOf(resource),
});

/** The objects below some values that have a name among the shared types. */
function sharedBelow(members: Members): readonly Value[] {
  return Object.values(members)
    .flatMap((value) => [value, ...(value.element === undefined ? [] : [value.element])])
    .filter(isComposite)
    .flatMap((value) => [
      ...(value.shared === undefined ? [] : [value]),
      ...sharedBelow(value.members ?? {}),
    ]);
}

/** Schema files of the resources of §2 and of the paging envelope, by name. */
export const resourceSchemas = (): Readonly<Record<string, Node>> =>
  Object.fromEntries(
    Object.entries<Resource>({ ...RESOURCES, page: PAGE }).map(([name, resource]) => [
      name,
      resourceSchema(name, resource),
    ]),
  );

/** Definitions of the objects that several fields share, by name: a part of `schemas/types.json`. */
export const sharedSchemas = (): Readonly<Record<string, Node>> =>
  Object.fromEntries(
    Object.values<Resource>(RESOURCES)
      .flatMap(({ fields }) => sharedBelow(fields))
      .map((value) => [
        value.shared?.name,
        {
          title: value.shared?.title,
          description: value.shared?.says,
          ...orNull({ type: 'object' }, value),
          ...membersOf(value.members ?? {}),
        },
      ]),
  );
