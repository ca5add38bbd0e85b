/**
 * The resources of §2, derived from their schemas (`schemas/*.json`). Each field becomes a must requirement: it is
 * present and has the specified type. A schema error is attributed to the field with the longest matching path.
 */
import {
  PAGE_SCHEMA,
  RESOURCE_SCHEMAS,
  type Annotations,
  type JsonSchema,
  type ResourceName,
} from '../../schemas/index.ts';
import { resolved, typesOf } from './schema.ts';

export type { ResourceName } from '../../schemas/index.ts';

/** Names of the resources, in the order of §2. */
export const RESOURCE_NAMES = Object.keys(RESOURCE_SCHEMAS) as ResourceName[];

/**
 * Kinds of values, with the types of §2 that need different handling: the scalars of `schemas/types.json`, and JSON
 * Schema types for other values.
 */
const FIELD_KINDS = {
  identifier: 'string',
  decimalText: 'string',
  bigDecimal: 'decimal',
  etfVolume: 'decimal',
  settledNumber: 'number',
  long: 'integer',
  longTime: 'integer',
  longMs: 'milliseconds',
  stringTimestamp: 'string-timestamp',
  anyTimestamp: 'string-timestamp',
  date: 'date',
  dateText: 'string',
  newsCategory: 'choice',
  blueVerified: 'choice',
  string: 'string',
  enum: 'choice',
  integer: 'integer',
  number: 'number',
  boolean: 'choice',
  array: 'array',
  object: 'object',
} as const;

export type Kind = keyof typeof FIELD_KINDS;
export type FieldKind = (typeof FIELD_KINDS)[Kind];

/** A value of §2 from its schema. */
export interface Value {
  readonly kind: Kind;
  /** What it must be, as a phrase after "`field` is". */
  readonly is: string;
  /** Whether its schema allows null. */
  readonly nullable: boolean;
  /** Annotations without a JSON Schema keyword. */
  readonly annotations: Annotations;
  /** Members of an object, if specified. */
  readonly members?: Members;
  /** Element of a list, if specified. */
  readonly element?: Value;
}

/** Values by name, in the order of the specification. */
export type Members = Readonly<Record<string, Value>>;

function kindOf(schema: JsonSchema, named: string | undefined): Kind {
  if (named !== undefined && named in FIELD_KINDS) return named as Kind;
  if (schema.enum !== undefined) return 'enum';
  return (typesOf(schema).find((type) => type !== 'null') ?? 'object') as Kind;
}

const WORDS: Readonly<Partial<Record<Kind, string>>> = {
  string: 'a string',
  integer: 'an integer JSON number',
  number: 'a JSON number',
  boolean: 'true or false',
  object: 'an object',
};

function phrase(schema: JsonSchema, kind: Kind, element: Value | undefined): string {
  if (kind === 'enum') return schema.enum?.map((one) => `\`${String(one)}\``).join(' or ') ?? '';
  if (kind !== 'array') return WORDS[kind] ?? kind;
  if (element === undefined) return 'an array';
  return element.kind === 'string' ? 'an array of strings' : 'an array of objects';
}

function valueOf(stated: JsonSchema): Value {
  const { schema, named } = resolved(stated);
  const annotations = schema['x-assay'] ?? {};
  const kind = kindOf(schema, named);
  const element = schema.items === undefined ? undefined : valueOf(schema.items);
  const nullable = typesOf(schema).includes('null');
  const orNull = nullable && kind !== 'enum' ? ', or null' : '';
  return {
    kind,
    is: schema.title ?? annotations.is ?? `${phrase(schema, kind, element)}${orNull}`,
    nullable,
    annotations,
    ...(schema.properties !== undefined && { members: membersOf(schema) }),
    ...(element !== undefined && { element }),
  };
}

const membersOf = ({ properties = {} }: JsonSchema): Members =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, valueOf(schema)]));

/** A value with its path. */
export interface ValueAtPath {
  /** Path inside one record, such as `/price`. `*` is any array index. */
  readonly path: string;
  readonly value: Value;
}

/** All named values below a path, including nested objects. */
function valuesBelow(path: string, members: Members): readonly ValueAtPath[] {
  return Object.entries(members).flatMap(([name, value]) => {
    const own = `${path}/${name}`;
    return [
      { path: own, value },
      ...valuesBelow(own, value.members ?? {}),
      ...valuesBelow(`${own}/*`, value.element?.members ?? {}),
    ];
  });
}

const forEachResource = <Of>(
  of: (schema: JsonSchema, name: ResourceName) => Of,
): Readonly<Record<ResourceName, Of>> =>
  Object.fromEntries(
    RESOURCE_NAMES.map((name) => [name, of(RESOURCE_SCHEMAS[name], name)]),
  ) as Record<ResourceName, Of>;

/** All specified values of §2, including nested ones, in the order of the specification. */
export const VALUES = forEachResource((schema) => valuesBelow('', membersOf(schema)));

/** Paths of the values of some kinds. */
export const pathsOf = (resource: ResourceName, ...kinds: readonly Kind[]): readonly string[] =>
  VALUES[resource].filter(({ value }) => kinds.includes(value.kind)).map(({ path }) => path);

/** A field with its own requirement: a row of a table, or a nested object described by one sentence. */
export interface Field {
  /** Path inside one record: `/price`, `/sector`, `/fundraising_rounds/*`. */
  readonly path: string;
  /** Id of the requirement. */
  readonly id: `2.${number}/${string}`;
  readonly kind: FieldKind;
  /** What the value must be, as a phrase after "`field` is". */
  readonly is: string;
  /** Whether a clause allows null for the value or one of its members. */
  readonly nullable: boolean;
  /** Its clauses. */
  readonly clauses: readonly string[];
  readonly value: Value;
}

/** Annotations of a resource. */
export interface ResourceFacts extends Annotations {
  readonly section: `2.${number}`;
  readonly called: string;
}

/**
 * Annotations of a resource.
 *
 * @throws Error when section or name is missing
 */
function factsOf({ title, 'x-assay': annotations = {} }: JsonSchema): ResourceFacts {
  const { section, called } = annotations;
  if (section === undefined || called === undefined)
    throw new Error(`the schema ${title ?? ''} needs x-assay with section and called`);
  return { ...annotations, section, called };
}

/** Annotations by resource. */
export const RESOURCES = forEachResource(factsOf);

/** Annotations of the paging envelope. */
export const PAGE = factsOf(PAGE_SCHEMA);

function field(resource: ResourceFacts, { path, value }: ValueAtPath): Field {
  const { section, prefix = '', table = section } = resource;
  const { slug, row, clauses = [] } = value.annotations;
  const name = path.slice(1);
  return {
    path,
    id: `${section}/${prefix}${slug ?? name.replaceAll('_', '-')}`,
    kind: FIELD_KINDS[value.kind],
    is: value.is,
    nullable: [value, ...Object.values(value.members ?? {})].some(({ nullable }) => nullable),
    clauses: [`${table} ${row ?? name}`, ...clauses],
    value,
  };
}

function fieldsOf(schema: JsonSchema): readonly Field[] {
  const resource = factsOf(schema);
  return valuesBelow('', membersOf(schema))
    .flatMap(({ path, value }) => [
      { path, value, own: path.lastIndexOf('/') === 0 },
      ...(value.element === undefined
        ? []
        : [
            {
              path: `${path}/*`,
              value: value.element,
              own: value.element.annotations.slug !== undefined,
            },
          ]),
    ])
    .filter(({ own }) => own)
    .map((at) => field(resource, at));
}

export const FIELDS = forEachResource(fieldsOf);

/** Fields of the paging envelope (§2.5, §2.7), shared by pairs and news. */
export const PAGE_FIELDS: readonly Field[] = fieldsOf(PAGE_SCHEMA);

/** Paths of values that may be missing or unknown (ruling 3). */
export const MAY_NOT_EXIST = forEachResource((_, name) =>
  VALUES[name]
    .filter(({ value }) => value.annotations.mayBeNull === 'should')
    .map(({ path }) => path),
);

/** Fields of an ETF history row that are null until settlement (§4.4 rule 1). */
export const T1_FIELDS = pathsOf('etf-history-row', 'settledNumber').map((path) => path.slice(1));
