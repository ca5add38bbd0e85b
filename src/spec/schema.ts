import {
  PAGE_SCHEMA,
  RESOURCE_SCHEMAS,
  TYPES_SCHEMA,
  type JsonSchema,
} from '../../schemas/index.ts';

/** Schema files that references lead to. */
const FILES: Readonly<Record<string, JsonSchema>> = {
  ...RESOURCE_SCHEMAS,
  page: PAGE_SCHEMA,
  types: TYPES_SCHEMA,
};

/**
 * A schema with everything that its reference leads to; what stands beside the reference comes first. The title of a shared
 * object is its name and no phrase, so it stays behind.
 */
export interface Resolved {
  readonly schema: JsonSchema;
  /** Name of the shared type or property that it refers to; undefined without a reference. */
  readonly named: string | undefined;
}

/**
 * What the reference of a schema leads to, one step.
 *
 * @throws Error when it leads nowhere: a defect of the schema files
 */
export function referred($ref: string): JsonSchema {
  const [, file = '', pointer = ''] = /^([\w-]+)\.json#\/(.+)$/.exec($ref) ?? [];
  const target = pointer
    .split('/')
    .reduce<unknown>(
      (at, key) => (at as Readonly<Record<string, unknown>> | undefined)?.[key],
      FILES[file],
    ) as JsonSchema | undefined;
  if (target === undefined) throw new Error(`no schema has ${$ref}`);
  return target;
}

/**
 * Follows the references of a schema to their end.
 *
 * @throws Error when a reference leads nowhere: a defect of the schema files
 */
export function resolved(schema: JsonSchema): Resolved {
  const { $ref, ...own } = schema;
  if ($ref === undefined) return { schema, named: undefined };
  const target = referred($ref);
  const further = resolved(target);
  const { title, ...phraseless } = further.schema;
  const isName = $ref.includes('#/$defs/') && isComposite(target);
  return {
    schema: { ...phraseless, ...(title === undefined || isName ? {} : { title }), ...own },
    named: further.named ?? $ref.split('/').at(-1),
  };
}

/** The types that a schema allows. */
export const typesOf = ({ type }: JsonSchema): readonly string[] => [type ?? 'object'].flat();

/** Whether a schema is that of an object or of a list. */
const isComposite = (schema: JsonSchema): boolean =>
  typesOf(schema).some((type) => type === 'object' || type === 'array');
