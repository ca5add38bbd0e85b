import {
  PAGE_SCHEMA,
  RESOURCE_SCHEMAS,
  TYPES_SCHEMA,
  type JsonSchema,
} from '../../schemas/index.ts';

/** Schema files with shared definitions. */
const FILES: Readonly<Record<string, JsonSchema>> = {
  ...RESOURCE_SCHEMAS,
  page: PAGE_SCHEMA,
  types: TYPES_SCHEMA,
};

/**
 * A schema with its reference resolved; its own keywords take precedence. The title of a shared object is dropped,
 * because it is a name and not a phrase.
 */
export interface Resolved {
  readonly schema: JsonSchema;
  /** Name of the referenced type or property, if any. */
  readonly named: string | undefined;
}

/**
 * Resolves a reference, one step.
 *
 * @throws Error for a dangling reference, which is a bug in the schema files
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
 * Resolves the references of a schema recursively.
 *
 * @throws Error for a dangling reference, which is a bug in the schema files
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

/** Whether a schema is an object or a list. */
const isComposite = (schema: JsonSchema): boolean =>
  typesOf(schema).some((type) => type === 'object' || type === 'array');
